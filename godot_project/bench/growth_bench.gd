extends RefCounted
## Measures how the cost of our codec, and of the engine's, grows with the value.
##
##   godot --headless --path godot_project -- --run-growth-bench [--filter TEXT] [--budget MSEC] [--json FILE]
##
## `--budget` is the time for one value in one direction, apart from what five rounds need; `--json` writes a row for each point.

const BenchTable := preload("res://bench/bench_table.gd")
const CommandLine := preload("res://command_line.gd")
const Contenders := preload("res://bench/codec_contenders.gd")
const Race := preload("res://bench/race.gd")

## The last line of a run.
const SUCCESS := "fast_variant bench: SUCCESS"
const DEFAULT_BUDGET_MSEC := 300
## Encoded, in bytes.
const SIZES: Array[int] = [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]
const FORMAT := "%-22s %-7s %12s %11s %11s %8s"
const TEXT := "All work and no play. "

var _filter: String
var _budget_msec: int
var _json_file: String
var _rows: Array[Dictionary] = []


func _init(command_line: CommandLine) -> void:
	_filter = command_line.text("--filter", "")
	_budget_msec = command_line.number("--budget", DEFAULT_BUDGET_MSEC)
	_json_file = command_line.text("--json", "")


func run() -> bool:
	print(FORMAT % ["values", "", "bytes", "ours", "engine", "ratio"])
	var makers := _makers()
	for values: String in makers:
		if _filter.is_empty() or values.containsn(_filter):
			for size: int in SIZES:
				if not _measure(values, _of_size(makers[values], size)):
					return false
	if _rows.is_empty():
		push_error("No values' name contains `%s`." % _filter)
		return false
	if not _json_file.is_empty() and not BenchTable.append(_rows, _json_file):
		return false
	print(SUCCESS)
	return true


## Functions that make a value of a number of elements.
static func _makers() -> Dictionary[String, Callable]:
	return {
		"ints": func(count: int) -> Variant: return _array(count, func(index: int) -> Variant: return index * 7919 % (1 << 31)),
		"records": func(count: int) -> Variant: return _array(count, _record),
		"String keys": _dictionary,
		"one text": func(count: int) -> Variant: return TEXT.repeat(count),
		"PackedFloat32Array": _floats,
		"PackedStringArray": func(count: int) -> Variant: return PackedStringArray(_array(count, _item)),
	}


## The value that has about so many bytes.
static func _of_size(maker: Callable, bytes: int) -> Variant:
	const TRIAL := 1000
	var one := var_to_bytes(maker.call(TRIAL)).size()
	var two := var_to_bytes(maker.call(2 * TRIAL)).size()
	return maker.call(maxi(1, roundi(float(bytes) * TRIAL / (two - one))))


static func _array(count: int, element: Callable) -> Array:
	var array: Array = []
	array.resize(count)
	for index: int in count:
		array[index] = element.call(index)
	return array


static func _item(index: int) -> String:
	return "item_%d" % index


static func _record(index: int) -> Dictionary:
	return {"id": index, "name": _item(index), "pos": Vector3(index, 1, -index), "hp": index * 0.37, "tags": ["enemy", "flying"]}


static func _dictionary(count: int) -> Dictionary:
	var dictionary := {}
	for index: int in count:
		dictionary["key_%d" % index] = index
	return dictionary


static func _floats(count: int) -> PackedFloat32Array:
	var floats: PackedFloat32Array = []
	floats.resize(count)
	floats.fill(0.75)
	return floats


func _measure(values: String, value: Variant) -> bool:
	var bytes := var_to_bytes(value)
	if FastVariant.encode(value) != bytes:
		push_error("%s of %d bytes: our bytes are not the engine's" % [values, bytes.size()])
		return false
	_add(values, "encode", bytes.size(), Race.medians([
		Contenders.encode.bind(value), Contenders.engine_encode.bind(value)], _budget_msec))
	_add(values, "decode", bytes.size(), Race.medians([
		Contenders.decode.bind(bytes), Contenders.engine_decode.bind(bytes)], _budget_msec))
	return true


func _add(values: String, direction: String, bytes: int, medians: Race.Medians) -> void:
	var usec := medians.called
	print(FORMAT % [values, direction, bytes, "%.2f us" % usec[0], "%.2f us" % usec[1], "%.2fx" % (usec[1] / usec[0])])
	for side: int in 2:
		_rows.append({
			"suite": "growth", "chart": "codec-" + direction, "panel": values, "series": ["FastVariant", "Godot"][side],
			"size": bytes, "unit": "bytes", "seconds": snappedf(usec[side] / 1e6, 1e-10)})
