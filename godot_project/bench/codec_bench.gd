extends RefCounted
## Measures our codec against the engine's, in one process.
##
##   godot --headless --path godot_project -- --run-bench [--filter TEXT] [--budget MSEC] [--json FILE]
##
## `--budget` is the time for one workload in one direction; `--json` appends to the list in FILE.

const CommandLine := preload("res://command_line.gd")
const CodecWorkloads := preload("res://bench/codec_workloads.gd")
const Race := preload("res://bench/race.gd")

## The last line of a run.
const SUCCESS := "fast_variant bench: SUCCESS"
const DEFAULT_BUDGET_MSEC := 600
const ROW := "%-34s %-7s %10s %12s %12s %8s %7s"
## A value that is copied has been built at least once: no decoder can be much faster than that.
const FLOOR := "duplicate(true)"
const BATCH := "batch of 64 x 1 MB"

var _filter: String
var _budget_msec: int
var _json_file: String
var _build := "editor" if OS.has_feature("editor") else "release"
var _rows: Array[Dictionary] = []


func _init(command_line: CommandLine) -> void:
	_filter = command_line.text("--filter", "")
	_budget_msec = command_line.number("--budget", DEFAULT_BUDGET_MSEC)
	_json_file = command_line.text("--json", "")


func run() -> bool:
	print("Godot %s, %s build, %d cores" % [Engine.get_version_info().string, _build, OS.get_processor_count()])
	print(ROW % ["workload", "", "bytes", "ours", "engine", "GB/s", "ratio"])
	var workloads := CodecWorkloads.all()
	for workload: String in workloads:
		if _is_wanted(workload):
			_measure(workload, workloads[workload].call())
	if _is_wanted(BATCH):
		_measure_batch(CodecWorkloads.batch())
	if _rows.is_empty():
		push_error("No workload's name contains `%s`." % _filter)
		return false
	print(SUCCESS)
	return _json_file.is_empty() or _append_json()


func _is_wanted(workload: String) -> bool:
	return _filter.is_empty() or workload.containsn(_filter)


func _measure(workload: String, value: Variant) -> void:
	var bytes := var_to_bytes(value)
	if FastVariant.encode(value) != bytes:
		push_error("%s: our bytes are not the engine's" % workload)
		return
	var encoded := Race.medians([_encode.bind(value), _engine_encode.bind(value)], _budget_msec)
	_add(workload, "encode", bytes.size(), encoded[0], "engine", encoded[1])
	var contenders: Array[Callable] = [_decode.bind(bytes), _engine_decode.bind(bytes)]
	if value is Array or value is Dictionary:
		contenders.append(_duplicate.bind(value))
	var decoded := Race.medians(contenders, _budget_msec)
	_add(workload, "decode", bytes.size(), decoded[0], "engine", decoded[1])
	if decoded.size() > 2:
		_add(workload, "decode", bytes.size(), decoded[0], FLOOR, decoded[2])


func _measure_batch(values: Array) -> void:
	var batch := FastVariant.encode_batch(values)
	var size := 0
	for bytes in batch:
		size += bytes.size()
	var encoded := Race.medians([_encode_batch.bind(values), _engine_encode_each.bind(values)], _budget_msec)
	_add(BATCH, "encode", size, encoded[0], "engine", encoded[1])
	var decoded := Race.medians([_decode_batch.bind(batch), _engine_decode_each.bind(batch)], _budget_msec)
	_add(BATCH, "decode", size, decoded[0], "engine", decoded[1])


# Contenders. Results are kept in typed variables, as in a game: that decides how GDScript calls. ----------------------

func _encode(count: int, value: Variant) -> void:
	for index: int in count:
		var _bytes: PackedByteArray = FastVariant.encode(value)


func _engine_encode(count: int, value: Variant) -> void:
	for index: int in count:
		var _bytes: PackedByteArray = var_to_bytes(value)


func _decode(count: int, bytes: PackedByteArray) -> void:
	for index: int in count:
		var _value: Variant = FastVariant.decode(bytes)


func _engine_decode(count: int, bytes: PackedByteArray) -> void:
	for index: int in count:
		var _value: Variant = bytes_to_var(bytes)


func _duplicate(count: int, value: Variant) -> void:
	for index: int in count:
		if value is Array:
			var array: Array = value
			var _array: Array = array.duplicate(true)
		else:
			var dictionary: Dictionary = value
			var _dictionary: Dictionary = dictionary.duplicate(true)


func _encode_batch(count: int, values: Array) -> void:
	for index: int in count:
		var _batch: Array[PackedByteArray] = FastVariant.encode_batch(values)


func _engine_encode_each(count: int, values: Array) -> void:
	for index: int in count:
		var batch: Array[PackedByteArray] = []
		for value: Variant in values:
			batch.append(var_to_bytes(value))


func _decode_batch(count: int, batch: Array[PackedByteArray]) -> void:
	for index: int in count:
		var _values: Array = FastVariant.decode_batch(batch)


func _engine_decode_each(count: int, batch: Array[PackedByteArray]) -> void:
	for index: int in count:
		var values: Array = []
		for bytes in batch:
			values.append(bytes_to_var(bytes))


# Output --------------------------------------------------------------------------------------------------------------

func _add(workload: String, direction: String, bytes: int, ours_us: float, other: String, other_us: float) -> void:
	var ratio := other_us / ours_us
	_rows.append({
		"suite": "codec", "build": _build, "workload": workload, "direction": direction, "bytes": bytes,
		"ours_us": snappedf(ours_us, 0.0001), "other": other, "other_us": snappedf(other_us, 0.0001),
		"ratio": snappedf(ratio, 0.001)})
	if other == "engine":
		print(ROW % [workload, direction, _bytes_text(bytes), _time_text(ours_us), _time_text(other_us),
				"%.2f" % (bytes / ours_us / 1000.0), "%.2fx" % ratio])
	else:
		print(ROW % ["", "  floor", "", "", _time_text(other_us), "", "%.2fx  %s" % [ratio, other]])


func _append_json() -> bool:
	var rows: Array = []
	if FileAccess.file_exists(_json_file):
		rows = JSON.parse_string(FileAccess.get_file_as_string(_json_file))
	rows.append_array(_rows)
	var file := FileAccess.open(_json_file, FileAccess.WRITE)
	if file == null:
		push_error("%s cannot be written" % _json_file)
		return false
	return file.store_string(JSON.stringify(rows, "  ", false) + "\n")


static func _bytes_text(bytes: int) -> String:
	if bytes < 10_000:
		return "%d B" % bytes
	return "%.1f KB" % (bytes / 1000.0) if bytes < 1_000_000 else "%.1f MB" % (bytes / 1_000_000.0)


static func _time_text(usec: float) -> String:
	if usec < 1.0:
		return "%.0f ns" % (usec * 1000.0)
	return "%.1f us" % usec if usec < 10_000.0 else "%.1f ms" % (usec / 1000.0)
