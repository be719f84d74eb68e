extends "res://tests/test_suite.gd"
## Damaged and invented byte strings: we accept what the engine accepts, reject what it rejects, and decode the same.

const ByteStrings := preload("res://tests/support/byte_strings.gd")
const DecodedObjects := preload("res://tests/support/decoded_objects.gd")
const Dictionaries := preload("res://tests/support/dictionaries.gd")
const Hex := preload("res://tests/support/hex.gd")
const Oracle := preload("res://tests/support/oracle.gd")
const SameValue := preload("res://tests/support/same_value.gd")
const ScriptedRef := preload("res://tests/fixtures/scripted_ref.gd")

## With objects, bytes can name any class of the engine: a few are enough.
const SHARE_WITH_OBJECTS := 5
## Both verdicts have to be frequent, or the test shows nothing.
const MINIMUM_SHARE := 0.1

var _accepted: int = 0
var _codes: Dictionary[String, int] = {}
var _confused_scripts := Oracle.confuses_dictionary_scripts(ScriptedRef)
var _confused: int = 0


func test_without_objects() -> Outcome:
	return _compare_all(options.count, false)


func test_with_objects() -> Outcome:
	return _compare_all(options.count / SHARE_WITH_OBJECTS, true)


func _compare_all(count: int, allow_objects: bool) -> Outcome:
	var byte_strings := ByteStrings.new(options.rng_seed, allow_objects)
	for index: int in count:
		var bytes := byte_strings.next()
		_compare(bytes, allow_objects)
		if failure_count > 0:
			fail("seed %d, byte string number %d: %s" % [options.rng_seed, index, Hex.dump(bytes)])
			break
	byte_strings.free_objects()
	note("%d byte strings, %d of them accepted" % [count, _accepted])
	note("rejected: %s" % [_codes])
	if _confused > 0:
		note("%d values were not compared: this engine decodes typed dictionaries with the wrong script" % _confused)
	if failure_count == 0:
		check(_accepted > count * MINIMUM_SHARE, "too few were accepted")
		check(count - _accepted > count * MINIMUM_SHARE, "too few were rejected")
	return DONE


func _compare(bytes: PackedByteArray, allow_objects: bool) -> void:
	var expected_size := Oracle.accepted_size(bytes, allow_objects)
	# Muted, because elements that do not fit into their typed container are dropped with a word.
	Engine.print_error_messages = false
	var result := FastVariant.try_decode(bytes, {allow_objects = allow_objects, classes = ["*"], scripts = ["*"]})
	Engine.print_error_messages = true
	# Godot converts or drops a value of another type than its container declares.
	var has_other_types: bool = result.error == "wrong_element_type"
	check_equal(result.ok, expected_size > 0 and not has_other_types, "accepted")
	if result.ok:
		_accepted += 1
		check_equal(result.bytes_read, expected_size, "bytes_read")
		check_equal(result.error, "", "error")
	else:
		_codes[result.error] = _codes.get(result.error, 0) + 1
		check_equal(result.value, null, "value of a failure")
		check(not result.error.is_empty() and not result.message.is_empty(), "a failure says what it is")
		check(result.offset >= 0 and result.offset <= bytes.size(), "offset %d is in the bytes" % result.offset)
	_compare_value(bytes, result.value, allow_objects, has_other_types)


func _compare_value(bytes: PackedByteArray, tried: Variant, allow_objects: bool, has_other_types: bool) -> void:
	var expected: Variant = Oracle.decode_with_objects(bytes) if allow_objects else Oracle.decode(bytes)
	Engine.print_error_messages = false
	var decoded: Variant = FastVariant.decode_with_objects(bytes) if allow_objects else FastVariant.decode(bytes)
	Engine.print_error_messages = true
	if _confused_scripts and allow_objects and Dictionaries.any_in(decoded, Dictionaries.is_typed_by_script):
		_confused += 1
	else:
		if not has_other_types:
			_check_same(expected, tried)
		_check_same(expected, decoded)
	for value: Variant in [expected, tried, decoded]:
		DecodedObjects.free_all(value)


func _check_same(expected: Variant, actual: Variant) -> void:
	var difference := SameValue.difference(expected, actual)
	check(difference.is_empty(), difference)
	var expected_bytes := Oracle.encode_again(expected)
	var actual_bytes := Oracle.encode_again(actual)
	if expected_bytes != actual_bytes:
		fail("decoded and encoded again: %s" % Hex.difference(expected_bytes, actual_bytes))
