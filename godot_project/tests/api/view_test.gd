extends "res://tests/test_suite.gd"
## A view gives what decoding would give, for every type in every place, and says so where it cannot.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const Nested := preload("res://tests/support/nested.gd")
const SameValue := preload("res://tests/support/same_value.gd")

const RECORD_COUNT := 300


func test_every_type_as_root_element_value_and_key() -> Outcome:
	var types := {}
	for value: Variant in _one_of_each_type():
		types[typeof(value)] = true
		_check_everything(value)
		_check_everything([null, value, 7])
		_check_everything({"before": 1, "here": value, "behind": [value]})
		_check_everything({value: "by value", "other": value})
	check_equal(types.size(), int(TYPE_MAX), "types seen")
	return DONE


func test_packed_arrays_are_containers() -> Outcome:
	var arrays: Array = [
		PackedByteArray([1, 255, 3]), PackedInt32Array([1, -2, 3]), PackedInt64Array([1, -(1 << 40)]),
		PackedFloat32Array([0.5, -INF]), PackedFloat64Array([0.1, 1e300]), PackedStringArray(["", "one", "日本語", "x"]),
		PackedVector2Array([Vector2(1, 2), Vector2(3, 4)]), PackedVector3Array([Vector3(1, 2, 3)]),
		PackedColorArray([Color(1, 2, 3, 4), Color.RED]), PackedVector4Array([Vector4(1, 2, 3, 4)]), PackedInt32Array(),
	]
	for array: Variant in arrays:
		_check_everything(array)
	var view := FastVariant.view(FastVariant.encode({"points": PackedVector2Array([Vector2.ZERO, Vector2(3, 4)])}))
	check_equal(view.get_path(["points", 1]), Vector2(3, 4), "an element of an inner one")
	check_equal(view.at_path(["points", -1]).to_variant(), Vector2(3, 4), "a view of an element")
	check_equal(view.get_path(["points", 1, "x"], "none"), "none", "an element holds nothing")
	check_equal(view.get_path(["points", 2], "none"), "none", "behind the last")
	return DONE


func test_wide_vectors_of_another_build() -> Outcome:
	var bytes := PackedByteArray([TYPE_PACKED_VECTOR2_ARRAY, 0, 1, 0, 2, 0, 0, 0])
	bytes.append_array(PackedFloat64Array([1.5, 2.5, 3.5, 4.5]).to_byte_array())
	var view := FastVariant.view(bytes)
	check_equal(view.size(), 2, "size")
	check_equal(view.get_value(1), Vector2(3.5, 4.5), "an element")
	check_equal(view.to_variant(), FastVariant.decode(bytes), "all")
	return DONE


func test_limits() -> Outcome:
	var bytes := FastVariant.encode([[[1]], PackedStringArray(["one", "three"]), "a text", 7])
	check_equal(FastVariant.view(bytes, {"strict": true}).get_value(3), 7, "within the limits")
	var offset := PackedByteArray([1, 2, 3, 4])
	offset.append_array(bytes)
	check_equal(FastVariant.view(offset, {"offset": 4}).get_value(3), 7, "at an offset")

	var view := FastVariant.view(bytes, {"max_bytes": bytes.size() - 4})
	check_equal(view.get_value(3, "none"), "none", "nothing is shown of a value of too many bytes")
	check_equal(view.get_failure().error, "too_many_bytes", "too many bytes")

	view = FastVariant.view(bytes, {"max_depth": 2})
	check_equal(view.get_value(3), 7, "what is stepped over may be deeper")
	check(view.is_valid(), "so far")
	check_equal(view.get_path([0, 0, 0], "none"), "none", "too deep to walk")
	check_equal(view.get_failure().error, "too_deep", "too deep")
	var inner := FastVariant.view(bytes, {"max_depth": 2}).at(0)
	check_equal(inner.to_variant(), null, "too deep to decode")
	check_equal(inner.get_failure().error, "too_deep", "the limit counts from the outermost value")

	view = FastVariant.view(bytes, {"max_elements": 3})
	check_equal(view.size(), 0, "too many elements")
	check_equal(view.get_failure().error, "too_many_elements", "too many elements")
	view = FastVariant.view(bytes, {"max_string": 4})
	check_equal(view.get_path([1, 0]), "one", "a short text")
	check_equal(view.get_value(2, "none"), "none", "a long text")
	check_equal(view.get_failure().error, "text_too_long", "a long text")

	for asked: Dictionary in [
		{"nonsense": 1}, {"max_depth": "2"}, {"offset": -1}, {"offset": bytes.size() + 1}, {"allow_objects": true},
		{"dialect": FastVariant.DIALECT_GODOT_3}, {"lossy": true},
	]:
		view = FastVariant.view(bytes, asked)
		check(not view.is_valid(), "invalid: %s" % asked)
		check_equal(view.get_failure().error, "invalid_option", str(asked))
		check_equal(view.to_variant(), null, "nothing is shown: %s" % asked)
	return DONE


func test_paths() -> Outcome:
	var view := FastVariant.view(FastVariant.encode(_records()))
	check_equal(view.get_path([3, "pos"]), Vector3(3, 1, -3), "a field")
	check_equal(view.get_path([3, &"pos"]), Vector3(3, 1, -3), "a field by a StringName")
	check_equal(view.get_path([-1, "tags", -1]), "flying", "from the end")
	check_equal(view.get_path([3, "nowhere"], 5), 5, "a missing key")
	check_equal(view.get_path([3, "nowhere"]), null, "a missing key without a default")
	check_equal(view.get_path([RECORD_COUNT, "pos"], 5), 5, "a missing element")
	check_equal(view.get_path([3, "id", 0], 5), 5, "into a number")
	check_equal(view.get_path([3, "name", 0], 5), 5, "into a text")
	check_equal(view.get_path([]), view.to_variant(), "the empty path")
	check_equal(view.at_path([]).size(), RECORD_COUNT, "a view of the empty path")
	check(view.at_path([3, "nowhere"]) == null, "no view of nothing")
	check_equal(view.at(7).at("tags").get_value(0), "enemy", "view after view")
	check_equal(view.at(7).get_type(), TYPE_DICTIONARY, "type")
	check(view.is_valid(), "nothing of it is a failure")
	check(view.get_failure() == null, "no failure")
	return DONE


func test_indices() -> Outcome:
	var view := FastVariant.view(FastVariant.encode([10, 11, 12]))
	for index: int in [0, 1, 2, -1, -2, -3]:
		check_equal(view.get_value(index), [10, 11, 12][index], "index %d" % index)
		check(view.has(index), "has %d" % index)
	for wrong: Variant in [3, -4, 1 << 40, -(1 << 62), -9223372036854775807 - 1, "1", 1.5, null, [0], &"size"]:
		check_equal(view.get_value(wrong, "none"), "none", "get(%s)" % [wrong])
		check(view.at(wrong) == null, "at(%s)" % [wrong])
		check(not view.has(wrong), "has(%s)" % [wrong])
	check_equal(view.keys(), [], "an array has no keys")
	return DONE


func test_all_elements_in_any_order() -> Outcome:
	var records := _records()
	var view := FastVariant.view(FastVariant.encode(records))
	for index: int in RECORD_COUNT:
		check_equal(view.get_value(index), records[index], "forwards, %d" % index)
	for index: int in range(RECORD_COUNT - 1, -1, -1):
		check_equal(view.get_path([index, "id"]), index, "backwards, %d" % index)
	var fresh := FastVariant.view(FastVariant.encode(records))
	for turn: int in RECORD_COUNT:
		var index := turn * 127 % RECORD_COUNT
		check_equal(fresh.get_path([index, "name"]), "entity_%d" % index, "jumping, %d" % index)
	return DONE


## The engine's own dictionary says which keys are the same.
func test_keys_are_compared_as_by_a_dictionary() -> Outcome:
	var decoded: Dictionary = {
		"text": 1, &"name": 2, 1: 3, 2.0: 4, true: 5, null: 6, NAN: 7, 0.0: 8, ^"a/b:c": 9, Vector2(1, 2): 10,
		Vector2i(1, 2): 11, [1, "x"]: 12, {"a": 1}: 13, PackedByteArray([1]): 14, "": 15, "日本": 16, RID(): 17,
		Color.RED: 18, Callable(): 19, 1 << 40: 20, 0.1: 21, Signal(): 22,
	}
	var view := FastVariant.view(FastVariant.encode(decoded))
	var asked: Array = [
		"text", &"text", "name", &"name", 1, 1.0, 2, 2.0, true, false, null, NAN, -NAN, 0, 0.0, -0.0, ^"a/b:c", "a/b:c",
		Vector2(1, 2), Vector2i(1, 2), Vector2(2, 1), [1, "x"], [1, &"x"], [1.0, "x"], [], {"a": 1}, {&"a": 1}, {},
		PackedByteArray([1]), PackedByteArray(), [1], "", &"", "日本", "日", "日本語", RID(), Color.RED, Callable(),
		_records, 1 << 40, 0.1, Signal(), self, "texts", "tex", "Text",
	]
	for key: Variant in asked:
		check_equal(view.has(key), decoded.has(key), "has(%s)" % describe(key))
		check_equal(view.get_value(key, "none"), decoded.get(key, "none"), "get(%s)" % describe(key))
	check_equal(view.size(), decoded.size(), "size")
	return DONE


func test_the_last_of_equal_keys_is_found() -> Outcome:
	var bytes := PackedByteArray([TYPE_DICTIONARY, 0, 0, 0, 3, 0, 0, 0])
	for part: Variant in ["a", 1, "b", 2, &"a", 3]:
		bytes.append_array(var_to_bytes(part))
	var decoded: Dictionary = FastVariant.decode(bytes)
	var view := FastVariant.view(bytes)
	check_equal(decoded.size(), 2, "decoded")
	check_equal(view.get_value("a"), decoded["a"], "get")
	check_equal(view.keys(), decoded.keys(), "keys")
	check_equal(view.size(), 3, "entries as written")
	return DONE


## A mark at the start of a text, and what follows a NUL, are not read.
func test_keys_with_marks_and_nuls() -> Outcome:
	var bytes := PackedByteArray([TYPE_DICTIONARY, 0, 0, 0, 2, 0, 0, 0])
	for raw: PackedByteArray in [PackedByteArray([0xEF, 0xBB, 0xBF, 0x61]), PackedByteArray([0x62, 0, 0xFF, 0xFF])]:
		bytes.append_array([TYPE_STRING, 0, 0, 0, 4, 0, 0, 0])
		bytes.append_array(raw)
		bytes.append_array(var_to_bytes(raw.size()))
	var decoded: Dictionary = FastVariant.decode(bytes)
	var view := FastVariant.view(bytes)
	check_equal(decoded.keys(), ["a", "b"], "decoded")
	check_equal(view.keys(), decoded.keys(), "keys")
	check(view.has("a") and view.has(&"b") and not view.has("b\ufffd"), "found")
	return DONE


func test_iteration() -> Outcome:
	var values: Array = [1, "two", [3], null, {"five": 5}]
	for value: Variant in [values, {"a": 1, 2: "b"}, PackedStringArray(["x", "y"]), PackedInt32Array([1, 2, 3]), [], {}]:
		var expected: Array = []
		for element: Variant in value:
			expected.append(element)
		var seen: Array = []
		for element: Variant in FastVariant.view(FastVariant.encode(value)):
			seen.append(element)
		check_equal(seen, expected, "elements of %s" % [value])
	var nothing: Array = []
	for element: Variant in FastVariant.view(FastVariant.encode(7)):
		nothing.append(element)
	check_equal(nothing, [], "a number holds nothing")
	return DONE


func test_nested_iteration_of_one_view() -> Outcome:
	var view := FastVariant.view(FastVariant.encode(range(100)))
	var pairs := 0
	for first: int in view:
		for second: int in view:
			if first != pairs / 100 or second != pairs % 100:
				fail("pair %d is %d, %d" % [pairs, first, second])
			pairs += 1
		if view.get_value(99 - first) != 99 - first:
			fail("asked in between for %d" % first)
	check_equal(pairs, 100 * 100, "pairs")
	return DONE


func test_the_bytes_stay_as_they_were() -> Outcome:
	var bytes := FastVariant.encode([1, "two", 3])
	var view := FastVariant.view(bytes)
	var inner := view.at(1)
	bytes.fill(0xFF)
	bytes.resize(3)
	check_equal(view.to_variant(), [1, "two", 3], "the view")
	check_equal(inner.to_variant(), "two", "a view of an element")
	view = null
	check_equal(inner.to_variant(), "two", "an inner view keeps the bytes")
	return DONE


func test_called_without_types() -> Outcome:
	var untyped: Variant = FastVariant.view(FastVariant.encode({"a": [1, 2]}))
	@warning_ignore("unsafe_method_access")
	check_equal(untyped.get_value("a"), [1, 2], "an untyped call")
	var view := FastVariant.view(FastVariant.encode([5]))
	var callable := Callable(view, "get_value")
	check_equal(callable.call(0), 5, "a callable")
	check_equal(callable.call(1, "none"), "none", "a callable with a default")
	return DONE


func test_failures_say_where() -> Outcome:
	var bytes := FastVariant.encode([1, {"ok": 2, "pos": Vector3.ONE}, 3])
	var view := FastVariant.view(bytes.slice(0, -12))
	check_equal(view.get_value(0), 1, "in front of the fault")
	check(view.is_valid(), "still valid")
	check_equal(view.get_path([1, "ok"], "none"), "none", "a later entry could have the same key")
	check(not view.is_valid(), "not valid")
	var failure := view.get_failure()
	check_equal(failure.ok, false, "ok")
	check_equal(failure.error, "unexpected_end", "error")
	check_equal(failure.path, "[1][\"pos\"]", "path")
	check_equal(failure.offset, FastVariant.try_decode(bytes.slice(0, -12)).offset, "offset")
	check_equal(failure.message, FastVariant.try_decode(bytes.slice(0, -12)).message, "message")
	var inner := FastVariant.view(bytes.slice(0, -12)).at(1)
	check_equal(inner.to_variant(), null, "decoded")
	check_equal(inner.get_failure().path, "[1][\"pos\"]", "the path starts at the outermost value")
	return DONE


func test_bytes_that_are_no_value() -> Outcome:
	for bytes: PackedByteArray in [PackedByteArray(), PackedByteArray([2, 0, 0]), PackedByteArray([99, 0, 0, 0])]:
		var view := FastVariant.view(bytes)
		check(not view.is_valid(), "valid: %s" % bytes)
		check_equal(view.get_type(), TYPE_NIL, "type")
		check_equal(view.size(), 0, "size")
		check_equal(view.keys(), [], "keys")
		check_equal(view.get_value(0, "none"), "none", "get")
		check(view.at(0) == null, "at")
		check_equal(view.to_variant(), null, "decoded")
		check_equal(view.get_failure().error, FastVariant.try_decode(bytes).error, "error")
		for element: Variant in view:
			fail("an element of nothing: %s" % [element])
	return DONE


func test_objects_are_stepped_over() -> Outcome:
	var holder := Resource.new()
	holder.resource_name = "holder"
	holder.set_meta("inner", [Resource.new(), Vector2.ONE])
	var bytes := FastVariant.encode_with_objects([holder, 5, {"a": holder, "b": 6}])
	var view := FastVariant.view(bytes)
	check_equal(view.size(), 3, "size")
	check_equal(view.get_value(1, "none"), 5, "behind an object")
	check_equal(view.get_path([2, "b"], "none"), 6, "behind an object in a dictionary")
	check_equal(view.at(2).keys(), ["a", "b"], "keys")
	check(view.get_failure() == null, "nothing was read that is refused")
	check_equal(view.get_value(0, "none"), "none", "an object")
	check_equal(view.get_failure().error, "objects_not_allowed", "error")
	check_equal(view.get_failure().path, "[0]", "path")
	return DONE


func test_depth() -> Outcome:
	var deep := FastVariant.view(Nested.array_bytes(1026))
	check_equal(deep.to_variant(), null, "decoded")
	check_equal(deep.get_failure().error, "too_deep", "error")
	var zeros: Array = []
	zeros.resize(1024)
	zeros.fill(0)
	var deepest := FastVariant.view(Nested.array_bytes(1024))
	check_equal(deepest.get_path(zeros, "none"), null, "the deepest")
	check(deepest.is_valid(), "nothing is too deep")
	zeros.append(0)
	var deeper := FastVariant.view(Nested.array_bytes(1026))
	check_equal(deeper.get_path(zeros, "none"), "none", "too deep")
	check_equal(deeper.get_failure().error, "too_deep", "error of a path")
	return DONE


func test_nothing_is_logged() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("needs Logger, which is new in Godot 4.5")
	var broken := FastVariant.encode([1, "two", {"three": 3}]).slice(0, -4)
	var logged := LoggedErrors.of(func() -> void:
		var view := FastVariant.view(broken)
		view.to_variant()
		view.get_path([2, "three"])
		view.keys()
		for element: Variant in view:
			view.has(element)
		FastVariant.view(PackedByteArray()).get_failure())
	check_equal(logged, PackedStringArray(), "logged")
	return DONE


## No encoded value has such a key, and to copy one would take for ever.
func test_keys_that_contain_themselves() -> Outcome:
	var view := FastVariant.view(FastVariant.encode({"a": 1}))
	var array: Array = []
	array.append(array)
	var dictionary: Dictionary = {}
	dictionary["a"] = dictionary
	var deep: Array = []
	for _level: int in 5000:
		deep = [deep]
	for key: Variant in [array, dictionary, deep]:
		check(not view.has(key), "has")
		check_equal(view.get_value(key, "none"), "none", "get")
		check_equal(view.get_path([key], "none"), "none", "get_path")
		check(view.at(key) == null, "at")
	check(view.is_valid(), "the bytes are good")
	array.clear()
	dictionary.clear()
	return DONE


func test_typed_paths() -> Outcome:
	var view := FastVariant.view(FastVariant.encode({"a": {"b": 7}}))
	var path: Array[String] = ["a", "b"]
	check_equal(view.get_path(path), 7, "get_path")
	check_equal(view.at_path(path).to_variant(), 7, "at_path")
	return DONE


# Every way to read, compared with the decoded value ----------------------------------------------------------------

func _check_everything(value: Variant) -> void:
	var bytes := var_to_bytes(value)
	var view := FastVariant.view(bytes)
	var decoded: Variant = bytes_to_var(bytes)
	_check_same(view.to_variant(), decoded, "all")
	check_equal(view.get_type(), typeof(decoded), "type of %s" % describe(decoded))
	match typeof(decoded):
		TYPE_ARRAY:
			var array: Array = decoded
			_check_elements(view, array)
		TYPE_DICTIONARY:
			var dictionary: Dictionary = decoded
			# Those of a typed dictionary are a typed array.
			var keys: Array = []
			keys.append_array(dictionary.keys())
			_check_same(view.keys(), keys, "keys")
			check_equal(view.size(), dictionary.size(), "size")
			for key: Variant in dictionary:
				# An object that was decoded twice is two objects.
				if typeof(key) != TYPE_OBJECT:
					_check_same(view.get_value(key), dictionary[key], "value under %s" % describe(key))
					_check_same(view.at(key).to_variant(), dictionary[key], "view under %s" % describe(key))
		_:
			if typeof(decoded) >= TYPE_PACKED_BYTE_ARRAY:
				var elements: Array = []
				for element: Variant in decoded:
					elements.append(element)
				_check_elements(view, elements)
			else:
				check_equal(view.size(), 0, "size of %s" % describe(decoded))
				check_equal(view.get_value(0, "none"), "none", "an element of %s" % describe(decoded))
	check(view.is_valid(), "valid: %s" % describe(decoded))


func _check_elements(view: VariantView, elements: Array) -> void:
	check_equal(view.size(), elements.size(), "size")
	for index: int in elements.size():
		_check_same(view.get_value(index), elements[index], "element %d" % index)
		_check_same(view.get_value(index - elements.size()), elements[index], "element %d from the end" % index)
		_check_same(view.at(index).to_variant(), elements[index], "view of element %d" % index)
	check_equal(view.get_value(elements.size(), "none"), "none", "behind the last element")


func _check_same(actual: Variant, expected: Variant, what: String) -> void:
	check_equal(SameValue.difference(expected, actual), "", what)
	check(var_to_bytes_with_objects(actual) == var_to_bytes_with_objects(expected), "%s: %s is not %s" % [what, actual, expected])


func _records() -> Array:
	var records: Array = []
	for index: int in RECORD_COUNT:
		records.append({
			"id": index, "name": "entity_%d" % index, "pos": Vector3(index, 1, -index), "hp": index * 0.37,
			"tags": ["enemy", "flying"]})
	return records


func _one_of_each_type() -> Array:
	return [
		null, true, 7, -(1 << 40), 0.5, 0.1, "text", "", "日本語", Vector2(1, 2), Vector2i(1, 2), Rect2(1, 2, 3, 4),
		Rect2i(1, 2, 3, 4), Vector3(1, 2, 3), Vector3i(1, 2, 3), Transform2D(0.5, Vector2.ONE), Vector4(1, 2, 3, 4),
		Vector4i(1, 2, 3, 4), Plane(1, 2, 3, 4), Quaternion(0, 0, 0, 1), AABB(Vector3.ONE, Vector3.ONE), Basis(),
		Transform3D(), Projection(), Color.RED, &"name", ^"/root/a:b", RID(), EncodedObjectAsID.new(), Callable(),
		Signal(), {"a": {"b": 1}}, [1, [2, []]], PackedByteArray([1, 2, 3, 4, 5]), PackedInt32Array([1, 2]),
		PackedInt64Array([1, 2]), PackedFloat32Array([0.5]), PackedFloat64Array([0.1]), PackedStringArray(["a", ""]),
		PackedVector2Array([Vector2.ONE]), PackedVector3Array([Vector3.ONE]), PackedColorArray([Color.RED]),
		PackedVector4Array([Vector4.ONE]), [1, 2] as Array[int], {"a": 1} as Dictionary[String, int],
	]
