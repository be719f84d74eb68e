extends RefCounted
## All that comes out of a loaded scene or resource, as facts by name: `PATH|PROPERTY`. What refactorings have renamed or moved
## has its name from before (`refactored_names.gd`). A path to a node is told as the node that it leads to.

const Names := preload("refactored_names.gd")
const Scripts := preload("refactored_scripts.gd")

## Properties that say where a resource lies, not what it is.
const PLACES: PackedStringArray = ["resource_path", "resource_scene_unique_id", "resource_name_hint"]
## Deeper than this an object is told by its class: some contain each other.
const MAX_DEPTH := 12

## What comes out of the file.
var facts := {}
## Places with an old name.
var left := PackedStringArray()

var _path: String
var _names: Names
var _scripts: Scripts
var _root: Node
var _pairs: Array[PackedStringArray] = []
## Files that are told as if they were inside of this one.
var _inside := PackedStringArray()
## Whether objects are told by what they have, and not by which they are.
var _by_value := false
var _numbers: Dictionary[Object, int] = {}
## Objects that are still to be told, each with the node from which paths in it lead.
var _waiting: Array[Array] = []
var _number := RegEx.create_from_string("@\\d+")
var _object_number := RegEx.create_from_string("#-?\\d+>")


func _init(path: String, names: Names, scripts: Scripts) -> void:
	_path = path
	_names = names
	_scripts = scripts
	for change in names.changes:
		match change["kind"]:
			"extract" when change["scene"] == path:
				_inside.append(change["new"])
			"inline" when change["scene"] == path:
				_inside.append(change["file"])
			"dedupe" when change["scene"] == path:
				_by_value = true


func tell_resource(resource: Resource) -> void:
	facts["is"] = _told(resource, null)
	_tell_waiting()


## The tree of nodes that comes out of a scene.
func tell_tree(root: Node) -> void:
	_root = root
	_pairs = _names.node_pairs(root)
	var nodes: Dictionary[String, Node] = {}
	_collect(root, nodes)
	# In an order that is the same wherever they have moved.
	nodes.sort()
	for me in nodes:
		_tell_node(me, nodes[me])
	_tell_waiting()


## The nodes by their paths as they were. Of those that the engine adds, several may have one path.
func _collect(node: Node, nodes: Dictionary[String, Node]) -> void:
	var me := _place(node)
	while nodes.has(me):
		me += "+"
	nodes[me] = node
	for child in node.get_children():
		_collect(child, nodes)


func _tell_node(me: String, node: Node) -> void:
	if me.begins_with("left behind: "):
		left.append(me)
	# As texts: names are in the order of their addresses.
	var groups := PackedStringArray(node.get_groups())
	groups.sort()
	_add(me, "node", "%s owned by %s, of %s, groups %s, unique %s" % [
		node.get_class(), "none" if node.owner == null else _place(node.owner), _names.text(node.scene_file_path), groups,
		node.unique_name_in_owner])
	_add(me, "children", _children(node))
	for property in node.get_property_list():
		var usage: int = property["usage"]
		var name: String = property["name"]
		# The root's name is the file's in no scene that uses it.
		if usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR) and not name == "name":
			_add(me, _names.text(name), _told(node.get(name), node))
	for signal_info in node.get_signal_list():
		var name: String = signal_info["name"]
		var connections := PackedStringArray()
		for connection in node.get_signal_connection_list(name):
			# What containers connect to their children, in C++, is in no file.
			var callable: Callable = connection["callable"]
			if not "::" in callable.get_method():
				connections.append(_connection(connection))
		if not connections.is_empty():
			_add(me, "signal " + _names.text(name), "\n".join(connections))
	if node is AnimationMixer:
		_tell_animations(me, node as AnimationMixer)
	_tell_script_paths(me, node)


func _add(me: String, what: String, value: String) -> void:
	facts["%s|%s" % [me, what]] = value


## The names of the children in their order, without what has moved there.
func _children(node: Node) -> String:
	var names := PackedStringArray()
	var me := "" if node == _root else _place(node)
	for child in node.get_children():
		var was := _place(child)
		if was.get_base_dir() == me:
			names.append(_number.sub(was.get_file(), "@", true))
	return ", ".join(names)


## The node from which paths lead that are in the resources of a node.
func _context_of(node: Node) -> Node:
	if node is AnimationMixer:
		var mixer: AnimationMixer = node
		return _node_at(node, mixer.root_node)
	if node is MultiplayerSynchronizer:
		var synchronizer: MultiplayerSynchronizer = node
		return _node_at(node, synchronizer.root_path)
	return node


## The tracks of all animations, of those in files too: which node and property they change, which methods they call.
func _tell_animations(me: String, mixer: AnimationMixer) -> void:
	var start := _node_at(mixer, mixer.root_node)
	for name in mixer.get_animation_list():
		var animation := mixer.get_animation(name)
		for track in animation.get_track_count():
			var path := animation.track_get_path(track)
			var told := _told_path(path, start)
			if animation.track_get_type(track) == Animation.TYPE_METHOD and start != null:
				var target := _node_at(start, NodePath(path.get_concatenated_names()))
				for key in animation.track_get_key_count(track):
					told += " " + _told_method(target, animation.method_track_get_name(track, key))
			_add(me, "animation %s %d" % [name, track], told)


## Where the paths in the scripts lead.
func _tell_script_paths(me: String, node: Node) -> void:
	var attached: Script = node.get_script()
	var script := attached as GDScript
	while script != null:
		var index := 0
		for path in _scripts.node_paths(script):
			_add(me, "path %d in %s" % [index, _names.text(script.resource_path)], _told_path(NodePath(path), node))
			index += 1
		script = script.get_base_script() as GDScript


func _connection(connection: Dictionary) -> String:
	var callable: Callable = connection["callable"]
	var target := callable.get_object() as Node
	if target == null or not (target == _root or _root.is_ancestor_of(target)):
		return "elsewhere"
	var flags: int = connection["flags"]
	# A custom callable, such as one with arguments bound, tells of its method.
	return "%d to %s, %s, unbinds %d, binds %s" % [
		flags, _place(target), _told_method(target, callable.get_method()), callable.get_unbound_arguments_count(),
		_told(callable.get_bound_arguments(), target)]


func _told_method(target: Node, method: StringName) -> String:
	var is_there := target != null and target.has_method(method)
	return "%s (%s)" % [_names.text(method), "is there" if is_there else "is not there"]


func _tell_waiting() -> void:
	while not _waiting.is_empty():
		var next: Array = _waiting.pop_front()
		var object: Object = next[0]
		var context: Node = next[1]
		_tell_object(str(_numbers[object]), object, context)


func _tell_object(me: String, object: Object, context: Node) -> void:
	_add(me, "class", object.get_class())
	for part: Array in _parts(object):
		_add(me, part[0], _told(part[1], context))


## What an object holds, by name.
func _parts(object: Object) -> Array[Array]:
	var found: Array[Array] = []
	if object is PackedScene:
		return [["bundled", object.get("_bundled")]]
	for property in object.get_property_list():
		var key: String = property["name"]
		var usage: int = property["usage"]
		if usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR) and not key in PLACES:
			found.append([_names.text(key), object.get(key)])
	return found


func _told(value: Variant, context: Node, depth := 0) -> String:
	match typeof(value):
		TYPE_OBJECT:
			var object: Object = value
			return "null" if object == null else _told_object(object, context, depth)
		TYPE_ARRAY:
			var array: Array = value
			var type := "" if not array.is_typed() else "%s %s %s" % [
				array.get_typed_builtin(), array.get_typed_class_name(), _told(array.get_typed_script(), context, depth)]
			var told := PackedStringArray()
			for element: Variant in array:
				told.append(_told(element, context, depth))
			return "%s[%s]" % [type, ", ".join(told)]
		TYPE_DICTIONARY:
			var entries: Dictionary = value
			return _told_dictionary(entries, context, depth)
		TYPE_RID, TYPE_CALLABLE, TYPE_SIGNAL:
			return type_string(typeof(value))
		TYPE_NODE_PATH:
			var path: NodePath = value
			return _told_path(path, context)
		TYPE_STRING, TYPE_STRING_NAME, TYPE_PACKED_STRING_ARRAY:
			# An object that became a string has another number in each run.
			return _names.text(_object_number.sub(var_to_str(value), "#>", true)) + _state_of(str(value))
		_:
			return var_to_str(value)


func _told_dictionary(entries: Dictionary, context: Node, depth: int) -> String:
	var type := "" if not entries.is_typed() else "%s %s %s, %s %s %s" % [
		entries.get_typed_key_builtin(), entries.get_typed_key_class_name(), _told(entries.get_typed_key_script(), context, depth),
		entries.get_typed_value_builtin(), entries.get_typed_value_class_name(),
		_told(entries.get_typed_value_script(), context, depth)]
	var told := PackedStringArray()
	for key: Variant in entries:
		told.append("%s: %s" % [_told(key, context, depth), _told(entries[key], context, depth)])
	return "%s{%s}" % [type, ", ".join(told)]


## Of a text that is a path: whether it leads somewhere.
static func _state_of(text: String) -> String:
	if text.begins_with("*"):
		text = text.substr(1)
	if not text.begins_with("res://") and not text.begins_with("uid://"):
		return ""
	var is_there := ResourceLoader.exists(text) or FileAccess.file_exists(text) or DirAccess.dir_exists_absolute(text)
	return " (leads to something)" if is_there else " (leads nowhere)"


func _told_object(object: Object, context: Node, depth: int) -> String:
	if object is Node:
		var node: Node = object
		var is_inside := _root != null and (node == _root or _root.is_ancestor_of(node))
		return "node %s" % (_place(node) if is_inside else str(node.name))
	if object is Resource:
		var resource: Resource = object
		var path := resource.resource_path
		# What is inside of a file that is told as a part of this one is a part, too.
		var is_part := path.is_empty() or path == _path or path.begins_with(_path + "::")
		for file in _inside:
			is_part = is_part or path == file or path.begins_with(file + "::")
		if not is_part:
			return "file %s" % _names.text(path)
	if _by_value:
		return _told_by_value(object, context, depth)
	if not _numbers.has(object):
		_numbers[object] = _numbers.size()
		_waiting.append([object, _context_of(context)])
	return "object %d" % _numbers[object]


func _told_by_value(object: Object, context: Node, depth: int) -> String:
	if depth == MAX_DEPTH:
		return object.get_class()
	var told := PackedStringArray([object.get_class()])
	for part: Array in _parts(object):
		told.append("%s = %s" % [part[0], _told(part[1], _context_of(context), depth + 1)])
	return "(%s)" % "; ".join(told)


## The node that a path leads to, and whether that has the property behind it.
func _told_path(path: NodePath, start: Node) -> String:
	if path.is_empty():
		return "path nowhere"
	var names := path.get_concatenated_names()
	var properties := path.get_concatenated_subnames()
	var target: Node = null if start == null or path.is_absolute() else _node_at(start, NodePath(names))
	if target == null:
		return "path %s" % _names.text(str(path))
	var has_property := ""
	if path.get_subname_count() > 0:
		var is_there := _has_property(target, path.get_subname(0))
		has_property = ":%s (%s)" % [_names.text(properties), "is there" if is_there else "is not there"]
	return "path to %s%s" % [_place(target), has_property]


static func _has_property(object: Object, name: StringName) -> bool:
	for property in object.get_property_list():
		if property["name"] == name:
			return true
	return false


static func _node_at(start: Node, path: NodePath) -> Node:
	return null if path.is_absolute() else start.get_node_or_null(path)


## The path of a node of the scene as it was.
func _place(node: Node) -> String:
	return Names.node_path(_plain_path(node), _pairs)


func _plain_path(node: Node) -> String:
	# A node that the engine adds has another number in each run: `@Timer@220`.
	return _number.sub(str(_root.get_path_to(node)), "@", true)
