extends "res://tests/test_suite.gd"
## That the library's threads share the work, with each other or with the thread that called: the processor time of each is
## told by Linux.

const CodecWorkloads := preload("res://bench/codec_workloads.gd")

const TASKS := "/proc/self/task"
## What the library calls its threads (rust/gdextension/src/engine/workers.rs).
const THREAD_NAME := "fast_variant "
## Linux counts processor time in hundredths of a second.
const MEASURED_MSEC := 400
## What the second busiest thread must have worked, as a share of the busiest. One that only looks for work sleeps soon.
const MINIMUM_SHARE := 0.2
## While other programs take the cores, one thread may do all the work.
const ATTEMPTS := 5
## What all threads may have worked in that time when there was nothing to share, in hundredths of a second.
const IDLE_TICKS := 4


func test_encode_batch() -> Outcome:
	var values := CodecWorkloads.batch()
	return _check_shared(func() -> void: FastVariant.encode_batch(values))


func test_decode_batch() -> Outcome:
	var batch := FastVariant.encode_batch(CodecWorkloads.batch())
	return _check_shared(func() -> void: FastVariant.decode_batch(batch))


func test_one_large_value() -> Outcome:
	if FastVariant.backend().arrays != "direct":
		return skip("an array's elements are told apart in the direct way only")
	var records: Variant = CodecWorkloads.all()["20k records"].call()
	# Who calls works, too.
	return _check_shared(func() -> void: FastVariant.encode(records), [str(OS.get_process_id())])


func test_decode_one_large_value() -> Outcome:
	var records := FastVariant.encode(CodecWorkloads.all()["20k records"].call())
	return _check_shared(func() -> void: FastVariant.decode(records), [str(OS.get_process_id())])


func test_decode_one_dictionary() -> Outcome:
	var records: Array = CodecWorkloads.all()["20k records"].call()
	var by_name: Dictionary = {}
	for record: Dictionary in records:
		by_name[record.name] = record
	var bytes := FastVariant.encode(by_name)
	# Others make the entries, and who calls puts them in.
	return _check_shared(func() -> void: FastVariant.decode(bytes), [str(OS.get_process_id())])


func test_decode_one_packed_string_array() -> Outcome:
	var strings := FastVariant.encode(CodecWorkloads.all()["PackedStringArray 50k"].call())
	return _check_shared(func() -> void: FastVariant.decode(strings), [str(OS.get_process_id())])


## The measurement itself: without anything to share, the threads sleep.
func test_small_values_are_not_shared() -> Outcome:
	if not _is_possible():
		return skip("needs Linux and two processor cores")
	FastVariant.encode_batch([1, 2, 3])
	var worked := _worked(func() -> void: FastVariant.decode(FastVariant.encode([1, "two", 3.0])), [])
	check(worked.size() > 1, "threads of the library: %d" % worked.size())
	var sum := 0
	for ticks in worked:
		sum += ticks
	check(sum <= IDLE_TICKS, "hundredths of a second that the threads worked: %s" % worked)
	return DONE


func _check_shared(action: Callable, others: PackedStringArray = []) -> Outcome:
	if not _is_possible():
		return skip("needs Linux and two processor cores")
	# Starts the threads.
	action.call()
	var worked: PackedInt64Array = []
	for attempt: int in ATTEMPTS:
		worked = _worked(action, others)
		if worked.size() > 1 and worked[-1] > 0 and worked[-2] >= worked[-1] * MINIMUM_SHARE:
			return DONE
	check(false, "hundredths of a second that each thread worked: %s" % worked)
	return DONE


func _is_possible() -> bool:
	return OS.has_feature("linux") and OS.get_processor_count() > 1


## How long each thread of the library, and each of `others`, worked while the action was repeated, the busiest last.
func _worked(action: Callable, others: PackedStringArray) -> PackedInt64Array:
	var before := _ticks(others)
	var start := Time.get_ticks_msec()
	while Time.get_ticks_msec() - start < MEASURED_MSEC:
		action.call()
	var after := _ticks(others)
	var worked: PackedInt64Array = []
	for thread: String in after:
		worked.append(after[thread] - before.get(thread, 0))
	worked.sort()
	return worked


## The processor time of each thread of the library and of each of `others`, by its id. The first thread of a process has
## the id of the process.
func _ticks(others: PackedStringArray) -> Dictionary[String, int]:
	var ticks: Dictionary[String, int] = {}
	for thread in DirAccess.get_directories_at(TASKS):
		var file := FileAccess.open(TASKS.path_join(thread).path_join("stat"), FileAccess.READ)
		# A thread may have ended meanwhile.
		var line := file.get_line() if file != null else ""
		# `id (name) state ...`: user and system time are the 12th and 13th number behind the name (proc(5)).
		if line.get_slice("(", 1).begins_with(THREAD_NAME) or thread in others:
			var fields := line.substr(line.rfind(")") + 2).split(" ")
			ticks[thread] = fields[11].to_int() + fields[12].to_int()
	return ticks
