extends "res://tests/test_suite.gd"
## The comparison with the engine in two threads at once, which read the same values and the same bytes.

const ByteStrings := preload("res://tests/support/byte_strings.gd")
const CodecWorkloads := preload("res://bench/codec_workloads.gd")
const Hex := preload("res://tests/support/hex.gd")
const SameValue := preload("res://tests/support/same_value.gd")
const ValueGenerator := preload("res://tests/support/value_generator.gd")

const THREADS := 2
## A part of what one thread compares elsewhere, but so many that the threads meet.
const SHARE := 5
## Worked on by the library's own threads as well, or long enough to be.
const LARGE_WORKLOADS: PackedStringArray = [
	"100k int", "100k Transform3D", "50k short String", "20k records", "dictionary 100k String -> int",
	"8 MB ASCII String", "1 MB CJK String", "PackedStringArray 50k", "PackedVector3Array 1 MB",
]

var _values: Array = []
var _byte_strings: Array[PackedByteArray] = []
var _found: PackedStringArray = []
var _compared: int = 0
var _accepted: int = 0
var _mutex := Mutex.new()


func test_values() -> Outcome:
	var generator := ValueGenerator.new(options.rng_seed + 3)
	Engine.print_error_messages = false
	for index: int in options.count / SHARE:
		_values.append(generator.any())
	Engine.print_error_messages = true
	_run_in_threads(_compare_values)
	generator.free_objects()
	check_equal(_compared, THREADS * _values.size(), "values compared")
	return DONE


func test_byte_strings() -> Outcome:
	var source := ByteStrings.new(options.rng_seed + 3, false)
	for index: int in options.count / SHARE:
		_byte_strings.append(source.next())
	source.free_objects()
	_run_in_threads(_compare_byte_strings)
	check_equal(_compared, THREADS * _byte_strings.size(), "byte strings compared")
	check(_accepted > 0 and _accepted < _compared, "%d of %d byte strings were accepted" % [_accepted, _compared])
	return DONE


func test_large_values() -> Outcome:
	var workloads := CodecWorkloads.all()
	for workload in LARGE_WORKLOADS:
		_values.append(workloads[workload].call())
	_run_in_threads(_compare_values)
	check_equal(_compared, THREADS * _values.size(), "values compared")
	return DONE


## Muted throughout: the switch is one for all threads. What is compared was made before, because making it mutes and
## unmutes.
func _run_in_threads(compare: Callable) -> void:
	Engine.print_error_messages = false
	var threads: Array[Thread] = []
	for index: int in THREADS:
		var thread := Thread.new()
		thread.start(compare)
		threads.append(thread)
	for thread in threads:
		thread.wait_to_finish()
	Engine.print_error_messages = true
	for what in _found:
		fail(what)


func _compare_values() -> void:
	var found: PackedStringArray = []
	var compared := 0
	for value: Variant in _values:
		var bytes := var_to_bytes(value)
		_compare_bytes("encode", bytes, FastVariant.encode(value), found)
		if FastVariant.encoded_size(value) != bytes.size():
			found.append("encoded_size of %s" % describe(value))
		_compare_decoded(bytes_to_var(bytes), FastVariant.decode(bytes), found)
		compared += 1
	_finish(found, compared, compared)


func _compare_byte_strings() -> void:
	var found: PackedStringArray = []
	var compared := 0
	var accepted := 0
	for bytes in _byte_strings:
		# A PackedByteArray may end without its padding, and its size counts that anyway.
		var size := mini(bytes.decode_var_size(0, false), bytes.size())
		var result := FastVariant.try_decode(bytes)
		var has_other_types: bool = result.error == "wrong_element_type"
		if result.ok != (size > 0 and not has_other_types) or (result.ok and result.bytes_read != size):
			found.append("verdict `%s` on %s" % [result.message, Hex.dump(bytes)])
		_compare_decoded(bytes_to_var(bytes), FastVariant.decode(bytes) if has_other_types else result.value, found)
		compared += 1
		accepted += int(result.ok)
	_finish(found, compared, accepted)


func _compare_decoded(expected: Variant, actual: Variant, found: PackedStringArray) -> void:
	var difference := SameValue.difference(expected, actual)
	if not difference.is_empty():
		found.append("decode: %s" % difference)
	# Ours for both: engines before 4.6.3 leave garbage in the padding of a NodePath.
	var expected_bytes := FastVariant.encode_with_objects(expected)
	_compare_bytes("decoded and encoded again", expected_bytes, FastVariant.encode_with_objects(actual), found)


func _compare_bytes(what: String, expected: PackedByteArray, actual: PackedByteArray, found: PackedStringArray) -> void:
	if expected != actual:
		found.append("%s: %s" % [what, Hex.difference(expected, actual)])


func _finish(found: PackedStringArray, compared: int, accepted: int) -> void:
	_mutex.lock()
	_found.append_array(found)
	_compared += compared
	_accepted += accepted
	_mutex.unlock()
