extends "res://tests/test_suite.gd"
## Calls from several threads at once.

const Oracle := preload("res://tests/support/oracle.gd")
const ValueGenerator := preload("res://tests/support/value_generator.gd")

const VALUE_COUNT := 400
const TASKS := 16
const ROUNDS := 5

var _values: Array = []
var _encodings: Array[PackedByteArray] = []
var _differences: int = 0
var _finished: int = 0
var _mutex := Mutex.new()


func test_worker_threads() -> Outcome:
	var generator := _prepare()
	var task := WorkerThreadPool.add_group_task(_encode_and_decode_all, TASKS, -1, true)
	WorkerThreadPool.wait_for_group_task_completion(task)
	generator.free_objects()
	check_equal(_finished, TASKS, "tasks that came to their end")
	check_equal(_differences, 0, "results that differ")
	return DONE


func test_threads_beside_the_main_thread() -> Outcome:
	var generator := _prepare()
	var threads: Array[Thread] = []
	for index: int in 3:
		var thread := Thread.new()
		thread.start(_encode_and_decode_all.bind(index))
		threads.append(thread)
	_encode_and_decode_all(3)
	for thread in threads:
		thread.wait_to_finish()
	generator.free_objects()
	check_equal(_finished, 4, "threads that came to their end")
	check_equal(_differences, 0, "results that differ")
	return DONE


## Batches use threads of their own, whichever thread they are called from.
func test_batches_from_worker_threads() -> Outcome:
	var generator := _prepare()
	var task := WorkerThreadPool.add_group_task(_encode_and_decode_batch, TASKS, -1, true)
	WorkerThreadPool.wait_for_group_task_completion(task)
	generator.free_objects()
	check_equal(_finished, TASKS, "tasks that came to their end")
	check_equal(_differences, 0, "results that differ")
	return DONE


## The same values for all threads: reading a value does not change it.
func _prepare() -> ValueGenerator:
	var generator := ValueGenerator.new(options.rng_seed + 2)
	Engine.print_error_messages = false
	for index: int in VALUE_COUNT:
		_values.append(generator.any())
	Engine.print_error_messages = true
	for value: Variant in _values:
		_encodings.append(Oracle.encode(value))
	return generator


func _encode_and_decode_all(_task: int) -> void:
	var differences := 0
	for round_number: int in ROUNDS:
		for index: int in VALUE_COUNT:
			if FastVariant.encode(_values[index]) != _encodings[index]:
				differences += 1
			var result := FastVariant.try_decode(_encodings[index])
			if not result.ok or result.bytes_read != _encodings[index].size():
				differences += 1
			FastVariant.try_decode(_encodings[index].slice(0, -1))
	_finish(differences)


func _encode_and_decode_batch(_task: int) -> void:
	var differences := 0
	for round_number: int in ROUNDS:
		var batch := FastVariant.encode_batch(_values)
		if batch != _encodings or FastVariant.decode_batch(batch).size() != VALUE_COUNT:
			differences += 1
	_finish(differences)


func _finish(differences: int) -> void:
	_mutex.lock()
	_differences += differences
	_finished += 1
	_mutex.unlock()
