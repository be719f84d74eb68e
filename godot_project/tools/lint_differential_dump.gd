extends RefCounted
## All objects that are reached from a loaded resource, as text: one line for each property. Two files that mean the same
## have the same text, whatever they call their internal resources.

var _path: String
var _numbers: Dictionary[Object, int] = {}
## Objects that are still to be told.
var _waiting: Array[Object] = []


## `path` is that of the file.
func _init(path: String) -> void:
	_path = path


func of(resource: Resource) -> String:
	var lines := PackedStringArray([_told(resource)])
	while not _waiting.is_empty():
		var object: Object = _waiting.pop_front()
		lines.append("%d %s" % [_numbers[object], object.get_class()])
		if object is PackedScene:
			var scene: PackedScene = object
			lines.append("%d %s" % [_numbers[object], _told(scene.get("_bundled"))])
			continue
		for property in object.get_property_list():
			var key := str(property["name"])
			var usage: int = property["usage"]
			var is_name := key in ["resource_path", "resource_scene_unique_id"]
			if usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR) and not is_name:
				lines.append("%d %s = %s" % [_numbers[object], key, _told(object.get(key))])
	return "\n".join(lines)


func _told(value: Variant) -> String:
	match typeof(value):
		TYPE_OBJECT:
			var object: Object = value
			return "null" if object == null else _told_object(object)
		TYPE_ARRAY:
			var array: Array = value
			var type := [array.get_typed_builtin(), array.get_typed_class_name(), _told(array.get_typed_script())]
			return "%s[%s]" % ["" if not array.is_typed() else str(type), ", ".join(array.map(_told))]
		TYPE_DICTIONARY:
			var entries: Dictionary = value
			var told := PackedStringArray()
			for key: Variant in entries:
				told.append("%s: %s" % [_told(key), _told(entries[key])])
			return "{%s}" % ", ".join(told)
		TYPE_RID, TYPE_CALLABLE, TYPE_SIGNAL:
			return type_string(typeof(value))
		_:
			return var_to_str(value)


func _told_object(object: Object) -> String:
	if object is Resource:
		var resource: Resource = object
		if not resource.resource_path.is_empty() and not resource.resource_path.begins_with(_path):
			return "file %s" % resource.resource_path
	if not _numbers.has(object):
		_numbers[object] = _numbers.size()
		_waiting.append(object)
	return "object %d" % _numbers[object]
