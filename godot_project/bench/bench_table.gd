extends RefCounted
## The rows that were measured: printed as they come, and written to a file as JSON.

const FORMAT := "%-36s %-7s %10s %11s %11s %7s %8s %11s %16s"

var build: String
var rows: Array[Dictionary] = []


func _init(measured_build: String) -> void:
	build = measured_build


func print_heading() -> void:
	print(FORMAT % ["workload", "", "bytes", "ours", "engine", "GB/s", "ratio", "memcpy", "duplicate(true)"])


## Adds a row against the engine, and one against `duplicate(true)` if that was measured (0: it was not).
func add(
		workload: String, direction: String, bytes: int, ours_us: float, engine_us: float, memcpy_us: float,
		duplicate_us: float = 0.0) -> void:
	_append(workload, direction, bytes, ours_us, "engine", engine_us, memcpy_us)
	if duplicate_us > 0.0:
		_append(workload, direction, bytes, ours_us, "duplicate(true)", duplicate_us, memcpy_us)
	print(FORMAT % [
		workload, direction, _bytes_text(bytes), _time_text(ours_us), _time_text(engine_us),
		"%.2f" % (bytes / ours_us / 1000.0), "%.2fx" % (engine_us / ours_us),
		_time_text(memcpy_us), _time_text(duplicate_us)])


## Appends to the list in the file, so that several builds can share it.
func append_to(json_file: String) -> bool:
	var all: Array = []
	if FileAccess.file_exists(json_file):
		var parsed: Variant = JSON.parse_string(FileAccess.get_file_as_string(json_file))
		if not parsed is Array:
			push_error("%s is no list of rows; delete it or name another file" % json_file)
			return false
		all = parsed
	all.append_array(rows)
	var file := FileAccess.open(json_file, FileAccess.WRITE)
	if file == null:
		push_error("%s cannot be written: %s" % [json_file, error_string(FileAccess.get_open_error())])
		return false
	return file.store_string(JSON.stringify(all, "  ", false) + "\n")


## Times are in microseconds for one call; `memcpy_us` is one copy of the encoded bytes.
func _append(
		workload: String, direction: String, bytes: int, ours_us: float, other: String, other_us: float,
		memcpy_us: float) -> void:
	rows.append({
		"suite": "codec", "build": build, "workload": workload, "direction": direction, "bytes": bytes,
		"ours_us": snappedf(ours_us, 0.0001), "other": other, "other_us": snappedf(other_us, 0.0001),
		"ratio": snappedf(other_us / ours_us, 0.001), "gb_per_s": snappedf(bytes / ours_us / 1000.0, 0.001),
		"memcpy_us": snappedf(memcpy_us, 0.0001), "godot": _godot_version(), "cores": OS.get_processor_count()})


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
