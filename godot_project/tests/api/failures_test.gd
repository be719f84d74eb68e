extends "res://tests/test_suite.gd"
## Every failure has a code, a place in the bytes and a path in the value; and it is logged once, or not at all.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const Nested := preload("res://tests/support/nested.gd")
const ObjectPool := preload("res://tests/support/object_pool.gd")

## Header and content of values that are wrong in one thing: hex, code, offset, path.
const WRONG: Array[Array] = [
	["", "unexpected_end", 0, ""],
	["020000", "unexpected_end", 0, ""],
	["02000000", "unexpected_end", 4, ""],
	["0200010001000000", "unexpected_end", 4, ""],
	["27000000", "unknown_type", 0, ""],
	["ff000000", "unknown_type", 0, ""],
	["04000000ffffffff", "negative_length", 4, ""],
	["040000000500000061626364", "unexpected_end", 8, ""],
	["0400000002000000c3280000", "invalid_utf8", 8, ""],
	["040000000400000061c32800", "invalid_utf8", 9, ""],
	["0400000003000000eda08000", "invalid_utf8", 8, ""],
	["160000000100000061000000", "obsolete_node_path", 4, ""],
	["180000000000000000000000", "objects_not_allowed", 0, ""],
	["1c000100630000000000000000000000", "unknown_element_type", 4, ""],
	["1e000000ffffff7f", "count_too_large", 4, ""],
	["1e000000ffffffff", "negative_length", 4, ""],
	["1c00000003000000" + "0200000001000000" + "00000000" + "27000000", "unknown_type", 20, "[2]"],
	["1b00000001000000" + "0400000003000000706f7300" + "0900000000000000", "unexpected_end", 24, "[\"pos\"]"],
	["1b00000001000000" + "2700000000000000", "unknown_type", 8, "[key 0]"],
	["1c00000002000000" + "00000000" + "1b00000001000000" + "0400000003000000706f7300" + "27000000", "unknown_type", 32,
			"[1][\"pos\"]"],
]
## The same for objects, where they are allowed: class, count, name, value.
const WRONG_OBJECTS: Array[Array] = [
	[["NoSuchClass"], "class_not_instantiable", 0, ""],
	[["Input"], "class_not_instantiable", 0, ""],
	[["Resource", "script", "res://no_such_script.gd"], "script_not_found", -1, ""],
	[["Resource", "script", "user://script.gd"], "script_not_found", -1, ""],
	[["Resource", "script", 12], "script_not_a_path", -1, ""],
]


func test_wrong_bytes() -> Outcome:
	for row in WRONG:
		var hex: String = row[0]
		_check_failure(FastVariant.try_decode(hex.hex_decode()), row, hex)
	return DONE


func test_wrong_objects() -> Outcome:
	for row in WRONG_OBJECTS:
		var parts: Array = row[0]
		var results: Array[FastVariantResult] = []
		var decode := func() -> void:
			results.append(FastVariant.try_decode(_object_bytes(parts), {allow_objects = true, classes = ["*"], scripts = ["*"]}))
		if LoggedErrors.can_be_counted():
			check_equal(LoggedErrors.of(decode), PackedStringArray(), "%s: logged" % str(parts))
		else:
			decode.call()
		_check_failure(results[0], row, str(parts))
	return DONE


func test_too_deep() -> Outcome:
	var result := FastVariant.try_decode(Nested.array_bytes(1026))
	check_equal(result.error, "too_deep", "error")
	check(result.path.begins_with("[0][0]") and result.path.length() < 200, "a path that can be read: %s" % result.path)
	return DONE


func test_objects_are_not_allowed_by_default() -> Outcome:
	var bytes := FastVariant.encode_with_objects([1, Resource.new()])
	var result := FastVariant.try_decode(bytes)
	check_equal(result.error, "objects_not_allowed", "error")
	check_equal(result.path, "[1]", "path")
	check(FastVariant.try_decode(bytes, {allow_objects = true, classes = ["Resource"]}).ok, "ok when they are")
	return DONE


func test_options() -> Outcome:
	var bytes := FastVariant.encode(7)
	check_equal(FastVariant.try_decode(bytes).value, 7, "without")
	check_equal(FastVariant.try_decode(bytes, {}).value, 7, "empty")
	check_equal(FastVariant.try_decode(PackedByteArray([9]) + bytes, {offset = 1}).value, 7, "offset")
	for wrong: Dictionary in [{"alow_objects": true}, {"allow_objects": 1}, {"offset": "1"}, {"offset": 1.0}, {1: 2},
			{"strict": 1}, {"max_depth": -1}, {"max_bytes": "1"}, {"classes": "Node"}, {"scripts": [1]}, {"dialect": 7},
			{"dialect": "GODOT_3"}]:
		var result := FastVariant.try_decode(bytes, wrong)
		check_equal(result.error, "invalid_option", "error for %s" % wrong)
		check(not result.ok and result.value == null, "no value for %s" % wrong)
	return DONE


func test_offsets() -> Outcome:
	var bytes := FastVariant.encode(7)
	for offset: int in [-1, 9, 1 << 40, -(1 << 62)]:
		check_equal(FastVariant.decode_at(bytes, offset).error, "invalid_offset", "decode_at %d" % offset)
		check_equal(FastVariant.try_decode(bytes, {offset = offset}).error, "invalid_offset", "try_decode %d" % offset)
	check(not FastVariant.decode_at(bytes, bytes.size()).ok, "nothing at the end")
	return DONE


func test_a_value_after_another() -> Outcome:
	var values: Array = [1, "two", [3, {"four": 5}], null, PackedByteArray([1, 2, 3])]
	var stream: PackedByteArray = []
	for value: Variant in values:
		stream.append_array(FastVariant.encode(value))
	var offset := 0
	var decoded: Array = []
	while offset < stream.size():
		var result := FastVariant.decode_at(stream, offset)
		if not check(result.ok, "value %d: %s" % [decoded.size(), result.message]):
			break
		decoded.append(result.value)
		offset += result.bytes_read
	check_equal(decoded, values, "all values")
	var failure := FastVariant.decode_at(stream.slice(0, stream.size() - 5), 8)
	check_equal(failure.value, "two", "the second")
	var wrong := FastVariant.decode_at(PackedByteArray([0, 0, 0, 0, 99, 0, 0, 0]), 4)
	check_equal(wrong.offset, 4, "offsets count from the first byte of all")
	return DONE


func test_results_without_failure() -> Outcome:
	var result := FastVariant.try_decode(FastVariant.encode("x"))
	check_equal(result.ok, true, "ok")
	check_equal(result.error, "", "error")
	check_equal(result.message, "", "message")
	check_equal(result.path, "", "path")
	check_equal(result.bytes_read, 12, "bytes_read")
	return DONE


func test_each_failure_is_logged_once() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("needs Logger, which is new in Godot 4.5")
	var cyclic: Array = [1]
	cyclic.append(cyclic)
	var inner := ObjectPool.Inner.new()
	var truncated := FastVariant.encode([1, {"pos": Vector3.ONE}]).slice(0, -4)
	var deep := Nested.array_bytes(5000)
	_check_logged(func() -> Variant: return FastVariant.encode(cyclic), PackedByteArray(), "encode")
	_check_logged(func() -> Variant: return FastVariant.encode_with_objects(inner), PackedByteArray(), "with_objects")
	_check_logged(func() -> Variant: return FastVariant.decode(truncated), null, "decode")
	_check_logged(func() -> Variant: return FastVariant.decode(deep), null, "decode deep bytes")
	_check_logged(func() -> Variant: return FastVariant.decode_with_objects(truncated), null, "decode_with_objects")
	var logged := LoggedErrors.of(func() -> void: FastVariant.decode(truncated))
	check("".join(logged).contains("[1][\"pos\"]"), "the line says where: %s" % logged)
	cyclic.clear()
	return DONE


func test_results_are_not_logged() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("needs Logger, which is new in Godot 4.5")
	var wrong := PackedByteArray([99, 0, 0, 0])
	var logged := LoggedErrors.of(func() -> void:
		FastVariant.try_decode(wrong)
		FastVariant.decode_at(wrong, 0)
		FastVariant.try_decode(wrong, {nonsense = 1})
		FastVariant.decode(FastVariant.encode(null)))
	check_equal(logged, PackedStringArray(), "logged")
	return DONE


func _check_logged(action: Callable, expected: Variant, what: String) -> void:
	var results: Array = []
	var logged := LoggedErrors.of(func() -> void: results.append(action.call()))
	check_equal(results, [expected], "%s returns" % what)
	check_equal(logged.size(), 1, "%s logs one line (%s)" % [what, "; ".join(logged)])


func _check_failure(result: FastVariantResult, row: Array, what: String) -> void:
	check_equal(result.ok, false, "%s: ok" % what)
	check_equal(result.value, null, "%s: value" % what)
	check_equal(result.error, row[1], "%s: error" % what)
	check(not result.message.is_empty(), "%s: has a message" % what)
	if row[2] != -1:
		check_equal(result.offset, row[2], "%s: offset" % what)
	check_equal(result.path, row[3], "%s: path" % what)


## An object as bytes: its class, and one property if there are a name and a value.
func _object_bytes(parts: Array) -> PackedByteArray:
	var bytes := PackedByteArray([TYPE_OBJECT, 0, 0, 0])
	var class_title: String = parts[0]
	bytes.append_array(_text_bytes(class_title))
	bytes.append_array([1 if parts.size() > 1 else 0, 0, 0, 0])
	if parts.size() > 1:
		var property: String = parts[1]
		bytes.append_array(_text_bytes(property))
		bytes.append_array(var_to_bytes(parts[2]))
	return bytes


func _text_bytes(text: String) -> PackedByteArray:
	return var_to_bytes(text).slice(4)


## Of each pair of types: what Godot converts, drops, or keeps under a type that it does not have, is an error.
func test_elements_of_other_types() -> Outcome:
	for declared: int in range(1, TYPE_MAX):
		for found: int in TYPE_MAX:
			var value: Variant = type_convert(null, found)
			_check_element(declared, EncodedObjectAsID.new() if found == TYPE_OBJECT else value)
	return DONE


## Elements of another class, and of a class below.
func test_elements_of_other_classes() -> Outcome:
	var allowing := {allow_objects = true, classes = ["*"]}
	var typed: Array[Resource] = [Gradient.new()]
	check(FastVariant.try_decode(FastVariant.encode_with_objects(typed), allowing).ok, "a class below")
	typed = [Resource.new(), null]
	var bytes := FastVariant.encode_with_objects(typed)
	check(FastVariant.try_decode(bytes, allowing).ok, "the class itself, and null")
	# The first name in the bytes is that of the declared class.
	var declared := "Gradient".to_ascii_buffer()
	var at := bytes.hex_encode().find("Resource".to_ascii_buffer().hex_encode()) / 2
	var changed := bytes.slice(0, at) + declared + bytes.slice(at + declared.size())
	var result := FastVariant.try_decode(changed, allowing)
	check_equal(result.error, "wrong_element_type", "a class above")
	check_equal(result.path, "[0]", "its place")
	var sizes: Array[int] = []
	LoggedErrors.of(func() -> void: sizes.append(_size_of(bytes_to_var_with_objects(changed))))
	check_equal(sizes, [1], "Godot drops it")
	return DONE


func _check_element(declared: int, value: Variant) -> void:
	var what := "%s in %s" % [type_string(typeof(value)), type_string(declared)]
	var element := var_to_bytes(value)
	var array := PackedByteArray([TYPE_ARRAY, 0, 1, 0, declared, 0, 0, 0, 1, 0, 0, 0]) + element
	var key := PackedByteArray([TYPE_DICTIONARY, 0, 1, 0, declared, 0, 0, 0, 1, 0, 0, 0]) + element + var_to_bytes(1)
	var entry := PackedByteArray([TYPE_DICTIONARY, 0, 4, 0, declared, 0, 0, 0, 1, 0, 0, 0]) + var_to_bytes(1) + element
	var sizes: Array[int] = []
	LoggedErrors.of(func() -> void:
		for bytes: PackedByteArray in [array, key]:
			sizes.append(_size_of(bytes_to_var(bytes)))
			check_equal(_size_of(FastVariant.decode(bytes)), sizes.back(), what))
	var is_whole := typeof(value) == declared or (value == null and declared == TYPE_OBJECT)
	check(not is_whole or sizes == [1, 1], "%s: Godot drops it" % what)
	for index: int in 3:
		var bytes: PackedByteArray = [array, key, entry][index]
		var result := FastVariant.try_decode(bytes)
		check_equal(result.ok, is_whole, "%s, %d" % [what, index])
		check_equal(result.error, "" if is_whole else "wrong_element_type", "%s, %d" % [what, index])
		check_equal(result.path, "" if is_whole else ["[0]", "[key 0]", "[1]"][index], "%s, %d: path" % [what, index])
		var salvaged := FastVariant.try_decode(bytes, {salvage = true})
		check_equal(_size_of(salvaged.value), 1 if is_whole else 0, "%s, %d, salvaged" % [what, index])


func _size_of(container: Variant) -> int:
	if container is Array:
		var array: Array = container
		return array.size()
	if container is Dictionary:
		var dictionary: Dictionary = container
		return dictionary.size()
	return -1


func test_options_in_typed_containers() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("needs Logger, which is new in Godot 4.5")
	var bytes := FastVariant.encode([[1]])
	var strict: Dictionary[StringName, bool] = {&"strict": true}
	var numbers: Dictionary[int, int] = {3: 4}
	var classes: Array[StringName] = [&"Node"]
	var lines: Dictionary = {"two\nlines": 1}
	var logged := LoggedErrors.of(func() -> void:
		check(FastVariant.try_decode(bytes, strict).ok, "a typed dictionary")
		check_equal(FastVariant.try_decode(bytes, numbers).error, "invalid_option", "one of numbers")
		check(FastVariant.try_decode(bytes, {classes = classes}).ok, "a typed array")
		check(not FastVariant.try_decode(bytes, lines).message.contains("\n"), "one line"))
	check_equal(logged, PackedStringArray(), "logged")
	return DONE


func test_messages_about_options() -> Outcome:
	var bytes := FastVariant.encode(7)
	check_equal(FastVariant.try_decode(bytes, {strict = 1}).message, "the option `strict` has the type int; expected bool", "message")
	if LoggedErrors.can_be_counted():
		var logged := LoggedErrors.of(func() -> void:
			FastVariant.decode_as(bytes, FastVariant.DIALECT_GODOT_4, {dialect = FastVariant.DIALECT_GODOT_3}))
		check_equal(logged.size(), 1, "errors of two dialects")
	return DONE
