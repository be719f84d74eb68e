extends RefCounted
## Measures `FastVariantSchema` against the engine's `var_to_bytes` and against `FastVariant`, in one process.
##
##   godot --headless --path godot_project -- --run-schema-bench [--filter TEXT] [--budget MSEC] [--json FILE]
##
## The results are freed inside the clock.

const BenchTable := preload("res://bench/bench_table.gd")
const BenchUnit := preload("res://bench/bench_unit.gd")
const CommandLine := preload("res://command_line.gd")
const Race := preload("res://bench/race.gd")

## The last line of a run.
const SUCCESS := "fast_variant bench: SUCCESS"
const DEFAULT_BUDGET_MSEC := 4000
const COUNT := 20_000
const FORMAT := "%-22s %-7s %10s %10s %8s %11s %12s %12s %8s %8s"

const PACKET := {
	"id": "u16",
	"at": {"kind": "vector2", "min": -512, "max": 512, "step": 0.01},
	"angle": {"kind": "float", "angle_bits": 10},
	"hp": {"kind": "int", "min": 0, "max": 100},
	"state": {"kind": "string", "one_of": ["idle", "running", "dead"]},
	"is_armed": "bool",
}
const RECORD := {
	"id": "u32",
	"name": "string",
	"at": {"kind": "vector3", "min": -1024, "max": 1024, "step": 0.01},
	"hp": {"kind": "int", "min": 0, "max": 1000},
	"level": {"kind": "int", "min": 1, "max": 100},
	"experience": "u32",
	"angle": {"kind": "float", "angle_bits": 10},
	"team": {"kind": "string", "one_of": ["red", "blue", "green"]},
	"is_alive": "bool",
	"speed": {"kind": "float", "min": 0, "max": 64, "step": 0.125},
}

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
	print(FORMAT % ["workload", "", "bytes", "Variant", "", "Schema", "Variant", "FastVariant", "ratio", "ratio"])
	var records := _records()
	var units := _units(records)
	if _is_wanted("packet"):
		var packet := {"id": 7, "at": Vector2(-3.25, 511.5), "angle": 0.5, "hp": 93, "state": "running", "is_armed": true}
		_measure("packet", packet, FastVariantSchema.of(PACKET))
	if _is_wanted("records"):
		_measure("records", records, FastVariantSchema.of([RECORD]))
	if _is_wanted("rows of records"):
		_measure_rows(records)
	if _is_wanted("objects"):
		_measure_objects(units)
	if _rows.is_empty():
		push_error("No workload's name contains `%s`." % _filter)
		return false
	if not _json_file.is_empty() and not BenchTable.append(_rows, _json_file):
		return false
	print(SUCCESS)
	return true


func _is_wanted(workload: String) -> bool:
	return _filter.is_empty() or workload.containsn(_filter)


func _measure(workload: String, value: Variant, schema: FastVariantSchema) -> void:
	var bytes := schema.encode(value)
	var variant := var_to_bytes(value)
	_add(workload, "encode", [bytes.size(), variant.size()], [
		_encode.bind(schema, value), _engine_encode.bind(value),
		_fast_encode.bind(value)])
	_add(workload, "decode", [bytes.size(), variant.size()], [
		_decode.bind(schema, bytes), _engine_decode.bind(variant),
		_fast_decode.bind(variant)])


func _measure_rows(records: Array) -> void:
	var schema := FastVariantSchema.of(RECORD)
	var bytes := schema.encode_rows(records)
	var variant := var_to_bytes(records)
	_add("rows of records", "encode", [bytes.size(), variant.size()], [
		_encode_rows.bind(schema, records), _engine_encode.bind(records),
		_fast_encode.bind(records)])
	_add("rows of records", "decode", [bytes.size(), variant.size()], [
		_decode_rows.bind(schema, bytes), _engine_decode.bind(variant),
		_fast_decode.bind(variant)])


## Into objects that are there, against new ones.
func _measure_objects(units: Array) -> void:
	var schema := FastVariantSchema.of(RECORD)
	var variant := var_to_bytes_with_objects(units)
	var packets: Array[PackedByteArray] = []
	var size := 0
	for unit: BenchUnit in units:
		packets.append(schema.encode(unit))
		size += packets[-1].size()
	_add("objects", "encode", [size, variant.size()], [
		_encode_each.bind(schema, units), _engine_encode_objects.bind(units),
		_fast_encode_objects.bind(units)])
	_add("objects", "decode", [size, variant.size()], [
		_decode_each.bind(schema, units, packets), _engine_decode_objects.bind(variant),
		_fast_decode_objects.bind(variant)])


func _add(workload: String, direction: String, sizes: Array[int], contenders: Array[Callable]) -> void:
	var usec := Race.medians(contenders, _budget_msec).freed
	print(FORMAT % [
		workload, direction, sizes[0], sizes[1], "%.1f %%" % (100.0 * sizes[0] / sizes[1]), _time(usec[0]), _time(usec[1]),
		_time(usec[2]), "%.2fx" % (usec[1] / usec[0]), "%.2fx" % (usec[2] / usec[0])])
	for other: int in [1, 2]:
		_rows.append({
			"suite": "schema", "build": _build(), "workload": workload, "direction": direction, "bytes": sizes[0],
			"other_bytes": sizes[1], "ours_us": snappedf(usec[0], 0.01), "other": ["", "var_to_bytes", "FastVariant"][other],
			"other_us": snappedf(usec[other], 0.01), "ratio": snappedf(usec[other] / usec[0], 0.001)})


static func _build() -> String:
	return "editor" if OS.has_feature("editor") else "release"


static func _time(usec: float) -> String:
	return "%.2f us" % usec if usec < 1000 else "%.2f ms" % (usec / 1000.0)


# Contenders: each takes a number of repetitions, does nothing but the call, and returns the last result -----------------

static func _encode(count: int, schema: FastVariantSchema, value: Variant) -> PackedByteArray:
	var result: PackedByteArray
	for index: int in count:
		result = schema.encode(value)
	return result


static func _engine_encode(count: int, value: Variant) -> PackedByteArray:
	var result: PackedByteArray
	for index: int in count:
		result = var_to_bytes(value)
	return result


static func _fast_encode(count: int, value: Variant) -> PackedByteArray:
	var result: PackedByteArray
	for index: int in count:
		result = FastVariant.encode(value)
	return result


static func _encode_rows(count: int, schema: FastVariantSchema, values: Array) -> PackedByteArray:
	var result: PackedByteArray
	for index: int in count:
		result = schema.encode_rows(values)
	return result


static func _engine_encode_objects(count: int, value: Variant) -> PackedByteArray:
	var result: PackedByteArray
	for index: int in count:
		result = var_to_bytes_with_objects(value)
	return result


static func _fast_encode_objects(count: int, value: Variant) -> PackedByteArray:
	var result: PackedByteArray
	for index: int in count:
		result = FastVariant.encode_with_objects(value)
	return result


static func _decode(count: int, schema: FastVariantSchema, bytes: PackedByteArray) -> Variant:
	var result: Variant
	for index: int in count:
		result = schema.decode(bytes)
	return result


static func _engine_decode(count: int, bytes: PackedByteArray) -> Variant:
	var result: Variant
	for index: int in count:
		result = bytes_to_var(bytes)
	return result


static func _fast_decode(count: int, bytes: PackedByteArray) -> Variant:
	var result: Variant
	for index: int in count:
		result = FastVariant.decode(bytes)
	return result


static func _decode_rows(count: int, schema: FastVariantSchema, bytes: PackedByteArray) -> Variant:
	var result: Variant
	for index: int in count:
		result = schema.decode_rows(bytes)
	return result


static func _engine_decode_objects(count: int, bytes: PackedByteArray) -> Variant:
	var result: Variant
	for index: int in count:
		result = bytes_to_var_with_objects(bytes)
	return result


static func _fast_decode_objects(count: int, bytes: PackedByteArray) -> Variant:
	var result: Variant
	for index: int in count:
		result = FastVariant.decode_with_objects(bytes)
	return result


static func _encode_each(count: int, schema: FastVariantSchema, units: Array) -> Variant:
	var packets: Array[PackedByteArray] = []
	for index: int in count:
		packets = []
		for unit: BenchUnit in units:
			packets.append(schema.encode(unit))
	return packets


static func _decode_each(count: int, schema: FastVariantSchema, units: Array, packets: Array[PackedByteArray]) -> Variant:
	for index: int in count:
		for at: int in units.size():
			schema.decode_into(units[at], packets[at])
	return null


# Values ---------------------------------------------------------------------------------------------------------------

static func _records() -> Array:
	var generator := RandomNumberGenerator.new()
	generator.seed = 20260101
	var records: Array = []
	for index: int in COUNT:
		records.append({
			"id": 1000 + index,
			"name": "unit %d" % generator.randi_range(1, 500),
			"at": Vector3(generator.randf_range(-900, 900), generator.randf_range(0, 20), generator.randf_range(-900, 900)),
			"hp": generator.randi_range(0, 1000),
			"level": generator.randi_range(1, 100),
			"experience": generator.randi_range(0, 1_000_000),
			"angle": generator.randf_range(-PI, PI),
			"team": ["red", "blue", "green"][generator.randi_range(0, 2)],
			"is_alive": generator.randi_range(0, 9) > 0,
			"speed": generator.randi_range(0, 64) / 8.0,
		})
	return records


static func _units(records: Array) -> Array:
	var units: Array = []
	for record: Dictionary in records:
		var unit := BenchUnit.new()
		for name: String in record:
			unit.set(name, record[name])
		units.append(unit)
	return units
