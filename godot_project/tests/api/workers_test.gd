extends "res://tests/test_suite.gd"
## That the library's threads share the work of a batch, with each other or with the thread that calls, and leave single values alone.

const CodecWorkloads := preload("res://bench/codec_workloads.gd")

## While other programs take the cores, the thread that calls may do all the work.
const PATIENCE_MSEC := 20_000


func test_encode_batch() -> Outcome:
	var values := CodecWorkloads.batch()
	return _check_shared(func() -> void: FastVariant.encode_batch(values), 2)


func test_decode_batch() -> Outcome:
	var batch := FastVariant.encode_batch(CodecWorkloads.batch())
	return _check_shared(func() -> void: FastVariant.decode_batch(batch), 2)


## A game's other cores are busy.
func test_single_values_are_not_shared() -> Outcome:
	var before := FastVariant.parts_by_thread()
	for value: Variant in [1, "two", [3.0], {"four": PackedStringArray(["5"])}]:
		for repetition: int in 1000:
			FastVariant.decode(FastVariant.encode(value))
	for workload: String in ["20k records", "dictionary 100k String -> int", "PackedStringArray 50k", "8 MB ASCII String"]:
		FastVariant.decode(FastVariant.encode(CodecWorkloads.all()[workload].call()))
	check_equal(FastVariant.parts_by_thread(), before, "parts that others worked on")
	return DONE


## But for those of which nothing has to be done but a copy.
func test_large_packed_arrays_are_shared() -> Outcome:
	if FastVariant.backend().unfilled_arrays != "direct":
		return skip("packed arrays are copied by the engine")
	var array: Variant = CodecWorkloads.all()["PackedFloat32Array 64 MB"].call()
	return _check_shared(func() -> void: FastVariant.encode(array))


## Repeats the action until so many of the library's threads have worked on parts of one and the same call.
func _check_shared(action: Callable, threads: int = 1) -> Outcome:
	if OS.get_processor_count() < 2:
		return skip("needs two processor cores")
	var calls := 0
	var start := Time.get_ticks_msec()
	while Time.get_ticks_msec() - start < PATIENCE_MSEC:
		var before := FastVariant.parts_by_thread()
		action.call()
		calls += 1
		if _that_worked_since(before) >= threads:
			return DONE
	check(false, "in none of %d calls did %d threads of the library work together" % [calls, threads])
	return DONE


func _that_worked_since(before: PackedInt64Array) -> int:
	var threads := 0
	var after := FastVariant.parts_by_thread()
	for index: int in after.size():
		if after[index] > before[index]:
			threads += 1
	return threads
