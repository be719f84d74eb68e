extends RefCounted
## The rows that were measured: printed as they come, and written to a file as JSON.

const Race := preload("res://bench/race.gd")
const FORMAT := "%-36s %-7s %10s %11s %11s %7s %8s %8s %11s %16s"

var build: String
## What else the machine does, as `scripts/bench.sh` arranges it.
var machine_load: String
var rows: Array[Dictionary] = []


func _init(measured_build: String, load_of_machine: String) -> void:
	build = measured_build
	machine_load = load_of_machine


func print_heading() -> void:
	print(FORMAT % ["workload", "", "bytes", "ours", "engine", "GB/s", "ratio", "freed", "memcpy", "duplicate(true)"])


## Adds a row against the engine, and one against `duplicate(true)` if that was measured. The contenders are ours, the engine,
## one copy of the encoded bytes, and `duplicate(true)`.
func add(workload: String, direction: String, bytes: int, medians: Race.Medians) -> void:
	_append(workload, direction, bytes, medians, "engine", 1)
	if medians.called.size() > 3:
		_append(workload, direction, bytes, medians, "duplicate(true)", 3)
	var called := medians.called
	print(FORMAT % [
		workload, direction, _bytes_text(bytes), _time_text(called[0]), _time_text(called[1]),
		"%.2f" % (bytes / called[0] / 1000.0), _ratio_text(called, 1), _ratio_text(medians.freed, 1), _time_text(called[2]),
		_time_text(called[3]) if called.size() > 3 else ""])


## Appends the rows to the list in the file, so that several builds can share it.
static func append(rows_to_append: Array[Dictionary], json_file: String) -> bool:
	var all: Array = []
	if FileAccess.file_exists(json_file):
		var parsed: Variant = JSON.parse_string(FileAccess.get_file_as_string(json_file))
		if not parsed is Array:
			push_error("%s is not a list of rows; delete it or name another file" % json_file)
			return false
		all = parsed
	all.append_array(rows_to_append)
	var file := FileAccess.open(json_file, FileAccess.WRITE)
	if file == null:
		push_error("%s cannot be written: %s" % [json_file, error_string(FileAccess.get_open_error())])
		return false
	return file.store_string(JSON.stringify(all, "  ", false) + "\n")


## Times are in microseconds for one call; `memcpy_us` is one copy of the encoded bytes; those with `freed` are with what the
## call returned freed.
func _append(
		workload: String, direction: String, bytes: int, medians: Race.Medians, other: String, index: int) -> void:
	var called := medians.called
	var freed := medians.freed
	rows.append({
		"suite": "codec", "build": build, "load": machine_load, "workload": workload, "direction": direction, "bytes": bytes,
		"ours_us": snappedf(called[0], 0.0001), "other": other, "other_us": snappedf(called[index], 0.0001),
		"ratio": snappedf(called[index] / called[0], 0.001),
		"ours_freed_us": snappedf(freed[0], 0.0001), "other_freed_us": snappedf(freed[index], 0.0001),
		"ratio_freed": snappedf(freed[index] / freed[0], 0.001),
		"gb_per_s": snappedf(bytes / called[0] / 1000.0, 0.001), "memcpy_us": snappedf(called[2], 0.0001),
		"godot": _godot_version(), "cores": OS.get_processor_count()})


static func _godot_version() -> String:
	var version := Engine.get_version_info()
	return "%d.%d.%d" % [version.major, version.minor, version.patch]


static func _bytes_text(bytes: int) -> String:
	if bytes < 10_000:
		return "%d B" % bytes
	return "%.1f KB" % (bytes / 1000.0) if bytes < 1_000_000 else "%.1f MB" % (bytes / 1_000_000.0)


## Empty where nothing was measured.
static func _time_text(usec: float) -> String:
	if usec <= 0.0:
		return ""
	if usec < 1.0:
		return "%.0f ns" % (usec * 1000.0)
	return "%.1f us" % usec if usec < 10_000.0 else "%.1f ms" % (usec / 1000.0)


static func _ratio_text(usec: PackedFloat64Array, other: int) -> String:
	return "%.2fx" % (usec[other] / usec[0])
