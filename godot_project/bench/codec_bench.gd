extends RefCounted
## Measures our codec against the engine's, in one process.
##
##   godot --headless --path godot_project -- --run-bench [--filter TEXT] [--budget MSEC] [--json FILE] [--load NAME]
##
## `--load` is put into the rows: what else the machine does. `--budget` is the time for one workload in one direction; `--json` appends to the list in FILE.

const BenchTable := preload("res://bench/bench_table.gd")
const CommandLine := preload("res://command_line.gd")
const CodecWorkloads := preload("res://bench/codec_workloads.gd")
const Contenders := preload("res://bench/codec_contenders.gd")
const Race := preload("res://bench/race.gd")

## The last line of a run.
const SUCCESS := "fast_variant bench: SUCCESS"
const DEFAULT_BUDGET_MSEC := 600
const BATCH := "batch of 64 x 1 MB"
## In front of the names of the workloads of a view.
const VIEW := "view: "
## Not preloaded, because without `FastVariant.view` it cannot be compiled, and nothing of the bench could.
const VIEW_WORKLOAD := "res://bench/view_workload.gd"

var _filter: String
var _budget_msec: int
var _json_file: String
var _table: BenchTable


func _init(command_line: CommandLine) -> void:
	_filter = command_line.text("--filter", "")
	_budget_msec = command_line.number("--budget", DEFAULT_BUDGET_MSEC)
	_json_file = command_line.text("--json", "")
	var build := "editor" if OS.has_feature("editor") else "release"
	_table = BenchTable.new(build, command_line.text("--load", "alone"))


func run() -> bool:
	print("Godot %s, %s build, %d cores" % [
		Engine.get_version_info().string, _table.build, OS.get_processor_count()])
	_table.print_heading()
	var workloads := CodecWorkloads.all()
	for workload: String in workloads:
		if _is_wanted(workload) and not _measure(workload, workloads[workload].call()):
			return false
	if _is_wanted(BATCH):
		_measure_batch(CodecWorkloads.batch())
	if ResourceLoader.exists(VIEW_WORKLOAD):
		_measure_views(load(VIEW_WORKLOAD))
	if _table.rows.is_empty():
		push_error("No workload's name contains `%s`." % _filter)
		return false
	if not _json_file.is_empty() and not BenchTable.append(_table.rows, _json_file):
		return false
	print(SUCCESS)
	return true


func _is_wanted(workload: String) -> bool:
	return _filter.is_empty() or workload.containsn(_filter)


func _measure(workload: String, value: Variant) -> bool:
	var bytes := var_to_bytes(value)
	if FastVariant.encode(value) != bytes:
		push_error("%s: our bytes are not the engine's" % workload)
		return false
	var encoded := Race.medians([
		Contenders.encode.bind(value), Contenders.engine_encode.bind(value), Contenders.copy.bind(bytes)], _budget_msec)
	_table.add(workload, "encode", bytes.size(), encoded)
	var contenders: Array[Callable] = [
		Contenders.decode.bind(bytes), Contenders.engine_decode.bind(bytes), Contenders.copy.bind(bytes)]
	if value is Array:
		contenders.append(Contenders.duplicate_array.bind(value))
	elif value is Dictionary:
		contenders.append(Contenders.duplicate_dictionary.bind(value))
	_table.add(workload, "decode", bytes.size(), Race.medians(contenders, _budget_msec))
	return true


func _measure_batch(values: Array) -> void:
	var batch := FastVariant.encode_batch(values)
	var size := 0
	for bytes in batch:
		size += bytes.size()
	var encoded := Race.medians([
		Contenders.encode_batch.bind(values), Contenders.engine_encode_each.bind(values),
		Contenders.copy_each.bind(batch)], _budget_msec)
	_table.add(BATCH, "encode", size, encoded)
	var decoded := Race.medians([
		Contenders.decode_batch.bind(batch), Contenders.engine_decode_each.bind(batch),
		Contenders.copy_each.bind(batch)], _budget_msec)
	_table.add(BATCH, "decode", size, decoded)


## Against decoding all of the value.
func _measure_views(script: GDScript) -> void:
	var workloads: Array[RefCounted] = script.call(&"all")
	for workload in workloads:
		var title: String = VIEW + workload.get(&"name")
		if _is_wanted(title):
			workload.call(&"prepare")
			var bytes: PackedByteArray = workload.get(&"bytes")
			var medians := Race.medians([
				Callable(workload, &"ours"), Callable(workload, &"engine"), Contenders.copy.bind(bytes)], _budget_msec)
			_table.add(title, "decode", bytes.size(), medians)
			workload.call(&"release")
