extends RefCounted
## Frees what decoding with objects has made: nodes are not counted, so nobody else does.

static func free_all(value: Variant) -> void:
	var pending: Array = [value]
	var uncounted: Array[Object] = []
	while not pending.is_empty():
		var current: Variant = pending.pop_back()
		match typeof(current):
			TYPE_ARRAY:
				var array: Array = current
				pending.append_array(array)
			TYPE_DICTIONARY:
				var dictionary: Dictionary = current
				pending.append_array(dictionary.keys())
				pending.append_array(dictionary.values())
			TYPE_OBJECT:
				_enter(current, pending, uncounted)
	for object in uncounted:
		object.free()


static func _enter(object: Object, pending: Array, uncounted: Array[Object]) -> void:
	if object == null or object is Script:
		return
	if object is not RefCounted:
		uncounted.append(object)
	for property: Dictionary in object.get_property_list():
		var usage: int = property.usage
		var property_name: StringName = property.name
		if usage & PROPERTY_USAGE_STORAGE:
			pending.append(object.get(property_name))
