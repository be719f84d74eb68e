extends RefCounted
## Compares two decoded values in what their bytes do not show: types that encode alike, declared element types, the
## order of keys and whether keys are found, classes and scripts of objects.
##
## Numbers and texts are not compared: the engine encodes both values again, and the bytes are.

## No recursion: values nest as deep as the engine allows, which is deeper than GDScript may call.
static func difference(expected: Variant, actual: Variant) -> String:
	var expected_stack: Array = [expected]
	var actual_stack: Array = [actual]
	while not expected_stack.is_empty():
		var want: Variant = expected_stack.pop_back()
		var have: Variant = actual_stack.pop_back()
		var found := _shallow_difference(want, have)
		if not found.is_empty():
			return found
		match typeof(want):
			TYPE_ARRAY:
				var want_array: Array = want
				var have_array: Array = have
				expected_stack.append_array(want_array)
				actual_stack.append_array(have_array)
			TYPE_DICTIONARY:
				_push_entries(want, expected_stack)
				_push_entries(have, actual_stack)
			TYPE_OBJECT:
				_push_properties(want, expected_stack)
				_push_properties(have, actual_stack)
	return ""


static func _shallow_difference(want: Variant, have: Variant) -> String:
	if typeof(want) != typeof(have):
		return "type: expected %s, got %s" % [type_string(typeof(want)), type_string(typeof(have))]
	match typeof(want):
		TYPE_ARRAY: return _array_difference(want, have)
		TYPE_DICTIONARY: return _dictionary_difference(want, have)
		TYPE_OBJECT: return _object_difference(want, have)
		TYPE_CALLABLE: return "" if want == have else "callable: expected %s, got %s" % [want, have]
	return ""


static func _array_difference(want: Array, have: Array) -> String:
	if not want.is_same_typed(have):
		return "array type: expected %s, got %s" % [_array_type(want), _array_type(have)]
	if want.is_read_only() != have.is_read_only():
		return "array: expected read only %s, got %s" % [want.is_read_only(), have.is_read_only()]
	if want.size() != have.size():
		return "array size: expected %d, got %d" % [want.size(), have.size()]
	return ""


static func _dictionary_difference(want: Dictionary, have: Dictionary) -> String:
	if not want.is_same_typed(have):
		return "dictionary type: expected %s, got %s" % [_dictionary_type(want), _dictionary_type(have)]
	if want.is_read_only() != have.is_read_only():
		return "dictionary: expected read only %s, got %s" % [want.is_read_only(), have.is_read_only()]
	if want.size() != have.size():
		return "dictionary size: expected %d, got %d" % [want.size(), have.size()]
	for key: Variant in have:
		if not have.has(key):
			return "dictionary: the key %s is there, but is not found" % [key]
	return ""


static func _object_difference(want: Object, have: Object) -> String:
	if want == null or have == null:
		return "" if want == have else "object: expected %s, got %s" % [want, have]
	if want.get_class() != have.get_class():
		return "class: expected %s, got %s" % [want.get_class(), have.get_class()]
	if want.get_script() != have.get_script():
		return "script: expected %s, got %s" % [want.get_script(), have.get_script()]
	return ""


static func _push_entries(dictionary: Dictionary, stack: Array) -> void:
	stack.append_array(dictionary.keys())
	stack.append_array(dictionary.values())


static func _push_properties(object: Object, stack: Array) -> void:
	if object == null:
		return
	if object is EncodedObjectAsID:
		var encoded: EncodedObjectAsID = object
		stack.append(encoded.object_id)
		return
	for property: Dictionary in object.get_property_list():
		var usage: int = property.usage
		var property_name: StringName = property.name
		if usage & PROPERTY_USAGE_STORAGE and property_name != &"script":
			stack.append(object.get(property_name))


static func _array_type(array: Array) -> String:
	return _type(array.get_typed_builtin(), array.get_typed_class_name(), array.get_typed_script())


static func _dictionary_type(dictionary: Dictionary) -> String:
	return "[%s, %s]" % [
		_type(dictionary.get_typed_key_builtin(), dictionary.get_typed_key_class_name(),
				dictionary.get_typed_key_script()),
		_type(dictionary.get_typed_value_builtin(), dictionary.get_typed_value_class_name(),
				dictionary.get_typed_value_script()),
	]


static func _type(builtin: int, class_title: StringName, script: Variant) -> String:
	return "%s %s %s" % [type_string(builtin), class_title, script]
