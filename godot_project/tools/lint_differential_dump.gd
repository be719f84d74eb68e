extends RefCounted
## All objects that are reached from a loaded resource, as text: one line for each property. Two files that mean the same
## have the same text, whatever they call their internal resources.

var _path: String
var _numbers: Dictionary[Object, int] = {}
var _node_number := RegEx.create_from_string("@\\d+")
var _object_number := RegEx.create_from_string("#-?\\d+>")
## Objects that are still to be told.
var _waiting: Array[Object] = []


## `path` is that of the file.
func _init(path: String) -> void:
	_path = path


func of(resource: Resource) -> String:
	return _with_waiting(PackedStringArray([_told(resource)]))


## The tree of nodes that comes out of a scene, which may be the same although the scene's state differs: a second
## connection of the same kind, for instance, is in the state only.
func of_tree(root: Node) -> String:
	var lines := PackedStringArray()
	_tell_node(root, root, lines)
	return _with_waiting(lines)


func _tell_node(root: Node, node: Node, lines: PackedStringArray) -> void:
	var owner := "none" if node.owner == null else str(root.get_path_to(node.owner))
	# A node that the engine adds has another number in each run: `@Timer@220`.
	var path := _node_number.sub(str(root.get_path_to(node)), "@", true)
	lines.append("%s %s owned by %s" % [path, node.get_class(), owner])
	var groups := node.get_groups().map(func(group: StringName) -> String: return group)
	groups.sort()
	lines.append("groups %s editable %s" % [groups, node != root and root.is_editable_instance(node)])
	var keys := PackedStringArray()
	for property in node.get_property_list():
		var usage: int = property["usage"]
		if usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR):
			keys.append(str(property["name"]))
	keys.sort()
	for key in keys:
		lines.append("%s = %s" % [key, _told(node.get(key))])
	for signal_info in node.get_signal_list():
		for connection in node.get_signal_connection_list(str(signal_info["name"])):
			lines.append(_told_connection(root, connection))
	for child in node.get_children():
		_tell_node(root, child, lines)


func _told_connection(root: Node, connection: Dictionary) -> String:
	var callable: Callable = connection["callable"]
	var target := callable.get_object() as Node
	if target == null or not (target == root or root.is_ancestor_of(target)):
		return "connection to elsewhere"
	var parts := [connection["flags"], root.get_path_to(target), callable.get_method(), callable.get_unbound_arguments_count()]
	return "connection %s %s" % [parts, _told(callable.get_bound_arguments())]


## `lines`, and those of all objects that they name.
func _with_waiting(lines: PackedStringArray) -> String:
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
		TYPE_STRING, TYPE_STRING_NAME:
			# An object that became a string has another number in each run.
			return _object_number.sub(var_to_str(value), "#>", true)
		_:
			return var_to_str(value)


func _told_object(object: Object) -> String:
	if object is Node:
		var node: Node = object
		return "node %s" % node.name
	if object is Resource:
		var resource: Resource = object
		if not resource.resource_path.is_empty() and not resource.resource_path.begins_with(_path):
			return "file %s" % resource.resource_path
	if not _numbers.has(object):
		_numbers[object] = _numbers.size()
		_waiting.append(object)
	return "object %d" % _numbers[object]
