extends "res://tests/test_suite.gd"
## Damaged and invented byte strings: a view never crashes, and what it gives is what decoding gives.

const ByteStrings := preload("res://tests/support/byte_strings.gd")
const Hex := preload("res://tests/support/hex.gd")
const Oracle := preload("res://tests/support/oracle.gd")
const SameValue := preload("res://tests/support/same_value.gd")

## Many views are made for each byte string.
const SHARE := 4
## As deep as a walk goes; deeper values are decoded.
const MAX_LEVEL := 6

var _accepted: int = 0
var _inner: int = 0


func test_damaged_bytes() -> Outcome:
	var byte_strings := ByteStrings.new(options.rng_seed, false)
	var count := options.count / SHARE
	for index: int in count:
		var bytes := byte_strings.next()
		_compare(bytes)
		_compare(_in_containers(bytes))
		if failure_count > 0:
			fail("seed %d, byte string number %d: %s" % [options.rng_seed, index, Hex.dump(bytes)])
			break
	byte_strings.free_objects()
	note("%d byte strings, %d of them accepted, %d inner values compared" % [2 * count, _accepted, _inner])
	if failure_count == 0:
		check(_accepted > count / 5 and 2 * count - _accepted > count / 5, "both verdicts are frequent")
		check(_inner > count, "inner values were compared")
	return DONE


func test_every_prefix() -> Outcome:
	var value := {
		"records": [{"id": 1, "tags": ["a", "bc"]}, {"id": 2, "tags": ["a", "bc"]}], &"path": ^"a/b:c",
		"packed": PackedVector2Array([Vector2.ONE]), "texts": PackedStringArray(["one", "two"]),
		"typed": [1, 2] as Array[int], 7: {}, "bytes": PackedByteArray([1, 2, 3])}
	var bytes := var_to_bytes(value)
	for size: int in bytes.size() + 1:
		_compare(bytes.slice(0, size))
	check_equal(_accepted, 1 + 1, "only the padding at the end may be missing")
	return DONE


## An array of the value, a dictionary that has it as key and value, and something behind it.
func _in_containers(bytes: PackedByteArray) -> PackedByteArray:
	var wrapped := PackedByteArray([TYPE_ARRAY, 0, 0, 0, 3, 0, 0, 0]) + bytes
	wrapped.append_array([TYPE_DICTIONARY, 0, 0, 0, 1, 0, 0, 0])
	return wrapped + bytes + bytes + var_to_bytes("behind")


func _compare(bytes: PackedByteArray) -> void:
	var accepted := Oracle.accepted_size(bytes, false) > 0
	# Muted, because elements that do not fit into their typed container are dropped with a word.
	Engine.print_error_messages = false
	var view := FastVariant.view(bytes)
	view.to_variant()
	var failure := view.get_failure()
	# Godot converts or drops a value of another type than its container declares.
	var has_other_types: bool = failure != null and failure.error == "wrong_element_type"
	if accepted and not has_other_types:
		_accepted += 1
		_compare_inner(view, FastVariant.decode(bytes), 0)
		check(view.is_valid(), "valid")
	elif not accepted:
		_walk(view, 0)
		check_equal(view.to_variant(), null, "decoded")
		check(not view.is_valid(), "not valid")
		var result := FastVariant.try_decode(bytes)
		var whole := FastVariant.view(bytes)
		whole.to_variant()
		# Only the result says what other bytes look like.
		check_equal(whole.get_failure().message, result.message.get_slice("; it looks like ", 0), "message")
	Engine.print_error_messages = true


func _compare_inner(view: VariantView, decoded: Variant, level: int) -> void:
	_inner += 1
	_check_same(view.to_variant(), decoded)
	check_equal(view.get_type(), typeof(decoded), "type")
	if level == MAX_LEVEL:
		return
	if decoded is Array:
		var array: Array = decoded
		if array.is_typed():
			# What does not fit is converted or dropped, where a view gives it as written.
			return _walk(view, level)
		check_equal(view.size(), array.size(), "size")
		for index: int in array.size():
			_check_same(view.get_value(index), array[index])
			_compare_inner(view.at(index), array[index], level + 1)
	elif decoded is Dictionary:
		var dictionary: Dictionary = decoded
		if dictionary.is_typed():
			return _walk(view, level)
		_check_same(view.keys(), dictionary.keys())
		for key: Variant in dictionary:
			if _is_the_same_again(key):
				_check_same(view.get_value(key), dictionary[key])
				_compare_inner(view.at(key), dictionary[key], level + 1)


## Whatever it gives, it must come to an end.
func _walk(view: VariantView, level: int) -> void:
	var _type := view.get_type()
	var _keys := view.keys()
	var _found: Variant = view.get_value("a")
	_found = view.get_path([0, "a", 1])
	var count := 0
	for element: Variant in view:
		var inner := view.at(count)
		if inner != null and level < MAX_LEVEL:
			_walk(inner, level + 1)
		inner = view.at(element)
		if inner != null and level < MAX_LEVEL:
			_walk(inner, level + 1)
		count += 1
		if count > 50:
			break
	_found = view.get_value(-1)


## An object that is decoded twice is two objects, and elements that do not fit their typed container are dropped.
func _is_the_same_again(value: Variant) -> bool:
	var pending: Array = [value]
	while not pending.is_empty():
		var current: Variant = pending.pop_back()
		if typeof(current) == TYPE_OBJECT:
			return false
		if current is Array:
			var array: Array = current
			if array.is_typed():
				return false
			pending.append_array(array)
		elif current is Dictionary:
			var dictionary: Dictionary = current
			if dictionary.is_typed():
				return false
			pending.append_array(dictionary.keys())
			pending.append_array(dictionary.values())
	return true


func _check_same(actual: Variant, expected: Variant) -> void:
	check_equal(SameValue.difference(expected, actual), "", "difference")
	var actual_bytes := Oracle.encode_again(actual)
	var expected_bytes := Oracle.encode_again(expected)
	# The oracle speaks again, but the next reader should not.
	Engine.print_error_messages = false
	if actual_bytes != expected_bytes:
		fail("read and encoded again: %s" % Hex.difference(expected_bytes, actual_bytes))
