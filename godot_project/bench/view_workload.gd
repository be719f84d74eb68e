extends RefCounted
## What a view is for: one field of one of 20,000 records, without decoding the rest.
##
## Each workload has a `name`, makes its bytes in `prepare()`, and then `ours` and `engine` do the same in two ways, as
## often as their argument says: what `Race.medians` takes. Call `release()` when it is done.
##
##   for workload in ViewWorkload.all():
##       workload.prepare()
##       var medians := Race.medians([workload.ours, workload.engine], budget_msec)
##       workload.release()

const CodecWorkloads := preload("res://bench/codec_workloads.gd")

const RECORDS := "20k records"
const FIELD := "pos"
const RANDOM_COUNT := 256
const SEED := 20_260_101

var name: String
var bytes: PackedByteArray

## The records that are asked for, in turns.
var _indices: PackedInt32Array
var _all_fields: bool


## `indices` are those of the records; an empty list stands for all of them, asked for in order.
func _init(workload_name: String, indices: PackedInt32Array) -> void:
	name = workload_name
	_indices = indices
	_all_fields = indices.is_empty()


static func all() -> Array[RefCounted]:
	var script: GDScript = preload("res://bench/view_workload.gd")
	var random := RandomNumberGenerator.new()
	random.seed = SEED
	var anywhere: PackedInt32Array = []
	for index: int in RANDOM_COUNT:
		anywhere.append(random.randi_range(0, 19_999))
	return [
		script.new("one field of a random record", anywhere),
		script.new("one field of the middle record", PackedInt32Array([10_000])),
		script.new("one field of the last record", PackedInt32Array([19_999])),
		script.new("one field of every record", PackedInt32Array()),
	]


func prepare() -> void:
	bytes = var_to_bytes(CodecWorkloads.all()[RECORDS].call())


func release() -> void:
	bytes = []


## A new view each time: nothing is remembered from the last one.
func ours(count: int) -> void:
	for turn: int in count:
		var view := FastVariant.view(bytes)
		if _all_fields:
			for index: int in view.size():
				var _position: Vector3 = view.get_path([index, FIELD])
		else:
			var _position: Vector3 = view.get_path([_indices[turn % _indices.size()], FIELD])


## All records are decoded for one field, and freed.
func engine(count: int) -> void:
	for turn: int in count:
		var records: Array = bytes_to_var(bytes)
		if _all_fields:
			for index: int in records.size():
				var record: Dictionary = records[index]
				var _position: Vector3 = record[FIELD]
		else:
			var record: Dictionary = records[_indices[turn % _indices.size()]]
			var _position: Vector3 = record[FIELD]
