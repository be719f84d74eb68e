extends RefCounted
## Measures `O3deJson` against the engine's `JSON`, in one process, with documents of 10 MB.
##
##   godot --headless --path godot_project -- --run-o3de-bench [--filter TEXT] [--budget MSEC] [--json FILE]
##
## The engine's `JSON.stringify` and `JSON.parse_string` know no types: vectors come back as texts and integers as floats.
## With `JSON.from_native` and `JSON.to_native` they come back as they were, and that is what `O3deJson` does.

const BenchTable := preload("res://bench/bench_table.gd")
const CommandLine := preload("res://command_line.gd")
const Race := preload("res://bench/race.gd")

## The last line of a run.
const SUCCESS := "fast_variant bench: SUCCESS"
const DEFAULT_BUDGET_MSEC := 4000
const BYTES := 10_000_000
const FORMAT := "%-22s %-6s %9s %11s %12s %12s %8s %8s"
## Each line is written on one line and with the keys in order, on both sides.
const COMPACT := { pretty = false }

var _filter: String
var _budget_msec: int
var _json_file: String
var _rows: Array[Dictionary] = []


func _init(command_line: CommandLine) -> void:
	_filter = command_line.text("--filter", "")
	_budget_msec = command_line.number("--budget", DEFAULT_BUDGET_MSEC)
	_json_file = command_line.text("--json", "")


func run() -> bool:
	print("Godot %s, %s build, %d cores" % [Engine.get_version_info().string, _build(), OS.get_processor_count()])
	print(FORMAT % ["document", "", "bytes", "O3deJson", "JSON", "with native", "ratio", "ratio"])
	var record := { name = "string", hp = "int", alive = "bool", speed = "float", position = TYPE_VECTOR3, tags = ["string"] }
	var documents: Dictionary[String, Array] = {
		"records": [_records(), [record]],
		"floats": [_floats(), TYPE_PACKED_FLOAT64_ARRAY],
		"texts": [_texts(), TYPE_PACKED_STRING_ARRAY],
		"integers by name": [_integers(), { kind = "map", key = "string", value = "int" }],
	}
	for document: String in documents:
		if _filter.is_empty() or document.containsn(_filter):
			if not _measure(document, documents[document][0], documents[document][1]):
				return false
	if _rows.is_empty():
		push_error("No document's name contains `%s`." % _filter)
		return false
	if not _json_file.is_empty() and not BenchTable.append(_rows, _json_file):
		return false
	print(SUCCESS)
	return true


func _measure(document: String, value: Variant, schema: Variant) -> bool:
	var stored := O3deJson.store(value, schema, COMPACT)
	var loaded := O3deJson.load(stored.text, schema)
	if not stored.ok or not loaded.ok or loaded.value != value:
		push_error("%s does not come back: %s %s" % [document, stored.issues, loaded.issues])
		return false
	var text := stored.text
	var plain := JSON.stringify(value, "", false, true)
	var native := JSON.stringify(JSON.from_native(value), "", false, true)
	var store := Race.medians([
		_store.bind(value, schema), _stringify.bind(value), _stringify_native.bind(value)], _budget_msec)
	_add(document, "store", text.length(), store)
	var load_times := Race.medians([_load.bind(text, schema), _parse.bind(plain), _parse_native.bind(native)], _budget_msec)
	_add(document, "load", text.length(), load_times)
	return true


func _add(document: String, direction: String, bytes: int, medians: Race.Medians) -> void:
	var usec := medians.called
	print(FORMAT % [
		document, direction, "%.1f MB" % (bytes / 1e6), _time(usec[0]), _time(usec[1]), _time(usec[2]),
		"%.2fx" % (usec[1] / usec[0]), "%.2fx" % (usec[2] / usec[0])])
	for other: int in [1, 2]:
		_rows.append({
			"suite": "o3de", "build": _build(), "workload": document, "direction": direction, "bytes": bytes,
			"ours_us": snappedf(usec[0], 0.01), "other": ["", "JSON", "JSON with native"][other],
			"other_us": snappedf(usec[other], 0.01), "ratio": snappedf(usec[other] / usec[0], 0.001),
			"ours_freed_us": snappedf(medians.freed[0], 0.01), "other_freed_us": snappedf(medians.freed[other], 0.01),
			"ratio_freed": snappedf(medians.freed[other] / medians.freed[0], 0.001)})


static func _build() -> String:
	return "editor" if OS.has_feature("editor") else "release"


static func _time(usec: float) -> String:
	return "%.1f ms" % (usec / 1000.0)


# Contenders: each takes a number of repetitions, does nothing but the call, and returns the last result -----------------

static func _store(count: int, value: Variant, schema: Variant) -> String:
	var text: String
	for index: int in count:
		text = O3deJson.store(value, schema, COMPACT).text
	return text


static func _stringify(count: int, value: Variant) -> String:
	var text: String
	for index: int in count:
		text = JSON.stringify(value, "", false, true)
	return text


static func _stringify_native(count: int, value: Variant) -> String:
	var text: String
	for index: int in count:
		text = JSON.stringify(JSON.from_native(value), "", false, true)
	return text


static func _load(count: int, text: String, schema: Variant) -> Variant:
	var loaded: Variant
	for index: int in count:
		loaded = O3deJson.load(text, schema).value
	return loaded


static func _parse(count: int, text: String) -> Variant:
	var parsed: Variant
	for index: int in count:
		parsed = JSON.parse_string(text)
	return parsed


static func _parse_native(count: int, text: String) -> Variant:
	var parsed: Variant
	for index: int in count:
		parsed = JSON.to_native(JSON.parse_string(text))
	return parsed


# Documents ------------------------------------------------------------------------------------------------------------

static func _generator() -> RandomNumberGenerator:
	var generator := RandomNumberGenerator.new()
	generator.seed = 20260101
	return generator


## Like the objects of a saved game.
static func _records() -> Array:
	var generator := _generator()
	var records: Array = []
	for index: int in BYTES / 190:
		# Vectors have 32 bits, and their numbers are as long as others when they are written.
		var position := Vector3(generator.randf(), generator.randf() * 100.0, -generator.randf())
		records.append({
			name = "character %d" % index, hp = generator.randi_range(0, 1000), alive = index % 3 > 0,
			speed = generator.randf(), position = position, tags = ["friend", "level %d" % (index % 7)],
		})
	return records


static func _floats() -> PackedFloat64Array:
	var generator := _generator()
	var floats: PackedFloat64Array = []
	for index: int in BYTES / 19:
		floats.append(generator.randf() * 1000.0)
	return floats


static func _texts() -> PackedStringArray:
	var texts: PackedStringArray = []
	for index: int in BYTES / 66:
		texts.append("A line of dialogue, \"number %d\", with äöü and a\nsecond line." % index)
	return texts


static func _integers() -> Dictionary:
	var generator := _generator()
	var integers := {}
	for index: int in BYTES / 18:
		integers["key %d" % index] = generator.randi_range(-1000, 1000)
	return integers
