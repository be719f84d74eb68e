extends "res://tests/test_suite.gd"
## That the library's threads share the work, with each other or with the thread that calls.

const CodecWorkloads := preload("res://bench/codec_workloads.gd")

## While other programs take the cores, the thread that calls may do all the work.
const PATIENCE_MSEC := 20_000


func test_encode_batch() -> Outcome:
	var values := CodecWorkloads.batch()
	return _check_shared(func() -> void: FastVariant.encode_batch(values), 2)


func test_decode_batch() -> Outcome:
	var batch := FastVariant.encode_batch(CodecWorkloads.batch())
	return _check_shared(func() -> void: FastVariant.decode_batch(batch), 2)


func test_one_large_value() -> Outcome:
	if FastVariant.backend().arrays != "direct":
		return skip("an array's elements are told apart in the direct way only")
	var records: Variant = CodecWorkloads.all()["20k records"].call()
	return _check_shared(func() -> void: FastVariant.encode(records))


func test_decode_one_large_value() -> Outcome:
	var records := FastVariant.encode(CodecWorkloads.all()["20k records"].call())
	return _check_shared(func() -> void: FastVariant.decode(records))


func test_decode_one_dictionary() -> Outcome:
	var records: Array = CodecWorkloads.all()["20k records"].call()
	var by_name: Dictionary = {}
	for record: Dictionary in records:
		by_name[record.name] = record
	var bytes := FastVariant.encode(by_name)
	return _check_shared(func() -> void: FastVariant.decode(bytes))


func test_decode_one_packed_string_array() -> Outcome:
	var strings := FastVariant.encode(CodecWorkloads.all()["PackedStringArray 50k"].call())
	return _check_shared(func() -> void: FastVariant.decode(strings))


func test_one_long_text() -> Outcome:
	var text: Variant = CodecWorkloads.all()["8 MB ASCII String"].call()
	return _check_shared(func() -> void: FastVariant.encode(text))


func test_small_values_are_not_shared() -> Outcome:
	var before := FastVariant.parts_by_thread()
	for value: Variant in [1, "two", [3.0], {"four": PackedStringArray(["5"])}]:
		for repetition: int in 1000:
			FastVariant.decode(FastVariant.encode(value))
	check_equal(FastVariant.parts_by_thread(), before, "parts that others worked on")
	return DONE


## A limit counts over the whole value, and no thread of several would know it.
func test_limits_leave_all_to_one_thread() -> Outcome:
	var bytes := FastVariant.encode(CodecWorkloads.all()["20k records"].call())
	var before := FastVariant.parts_by_thread()
	check(FastVariant.try_decode(bytes, {max_elements = 1_000_000}).ok, "decoded within the limit")
	check_equal(FastVariant.parts_by_thread(), before, "parts that others worked on")
	return DONE


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
