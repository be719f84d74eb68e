@tool
extends RefCounted
## A scene or resource that is loaded, and the operations of `gdscene` on it, with the engine's own calls.

const Self := preload("edit_operations.gd")

## The root, or null for a resource.
var root: Node
var resource: Resource
## The scene that the scene inherits; empty if there is none.
var inherits := ""
## What setters did beyond keeping the value: the object, and the property whose value, or presence in the scene, changed.
var setters: Array[PackedStringArray] = []
## What has to live until the scene is saved.
var kept: Array[Resource] = []


static func opened(path: String) -> Self:
	var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if loaded == null:
		return null
	var scene := Self.new()
	scene.kept.append(loaded)
	var packed := loaded as PackedScene
	if packed == null:
		scene.resource = loaded
		return scene
	scene.root = packed.instantiate(PackedScene.GEN_EDIT_STATE_MAIN)
	var base := packed.get_state().get_node_instance(0)
	if base != null:
		scene.inherits = base.resource_path
	return scene if scene.root != null else null


## What the operation `new` makes.
static func created(operation: Dictionary) -> Self:
	if operation.has("inherits"):
		return _inheriting(operation)
	var scene := Self.new()
	var made := scene._made(operation["type"])
	scene.root = made as Node
	scene.resource = made as Resource
	if scene.root != null and operation.has("name"):
		scene.root.name = operation["name"]
	scene._set_all(made, operation)
	return scene


## Scripts cannot tell a scene which one it inherits: a text does, that has nothing else.
static func _inheriting(operation: Dictionary) -> Self:
	var file := FileAccess.open(operation["file"], FileAccess.WRITE)
	var _base := file.store_string('[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="%s" id="1"]\n\n' % operation["inherits"])
	var _root := file.store_string('[node name="%s" instance=ExtResource("1")]\n' % operation["name"])
	file.close()
	var scene := opened(operation["file"])
	scene._set_all(scene.root, operation)
	return scene


## As the editor does.
func save(path: String) -> bool:
	if root == null:
		return ResourceSaver.save(resource, path) == OK
	var packed := PackedScene.new()
	return packed.pack(root) == OK and ResourceSaver.save(packed, path) == OK


func free_nodes() -> void:
	if root != null:
		root.free()


func apply(operation: Dictionary) -> void:
	match operation["op"]:
		"set":
			_set_at(operation["at"], _value(operation["value"]))
		"unset":
			_unset(operation["at"])
		"add":
			_add(_made(operation["type"]) as Node, operation)
		"instance":
			var inner: PackedScene = load(operation["scene"])
			kept.append(inner)
			_add(inner.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE), operation)
		"remove":
			var gone := _node(operation["node"])
			gone.get_parent().remove_child(gone)
			gone.free()
		"attach":
			_attach(_node(operation["node"]), load(operation["script"]))
		"detach":
			_node(operation["node"]).set_script(null)
		"group":
			for group: String in operation.get("add", []):
				_node(operation["node"]).add_to_group(group, true)
			for group: String in operation.get("remove", []):
				_node(operation["node"]).remove_from_group(group)
		"connect":
			_connect(operation)
		"disconnect":
			_disconnect(operation)
		"add-resource":
			var made := _made(operation["type"])
			_set_all(made, operation)
			_set_at(operation["at"], made)
		"load-resource":
			_set_at(operation["at"], load(operation["path"]))
		"editable":
			root.set_editable_instance(_node(operation["node"]), operation.get("on", true))
		_:
			push_error("no such operation: %s" % operation)


# --- Nodes ----------------------------------------------------------------------------------------------


func _node(path: String) -> Node:
	return root.get_node(NodePath(path))


func _add(node: Node, operation: Dictionary) -> void:
	var path: String = operation["node"]
	var parent := root if path.get_base_dir().is_empty() else _node(path.get_base_dir())
	node.name = path.get_file()
	parent.add_child(node, true)
	node.owner = root
	if operation.has("before"):
		parent.move_child(node, parent.get_node(operation["before"]).get_index())
	elif operation.has("after"):
		parent.move_child(node, parent.get_node(operation["after"]).get_index() + 1)
	elif operation.has("index"):
		parent.move_child(node, int(operation["index"]))
	if operation.has("script"):
		node.set_script(load(operation["script"]))
	if operation.get("unique_name", false):
		node.unique_name_in_owner = true
	_set_all(node, operation)
	for group: String in operation.get("groups", []):
		node.add_to_group(group, true)


## What both scripts export stays.
func _attach(node: Node, script: Script) -> void:
	var old: Script = node.get_script()
	var values := {}
	if old != null:
		for property in old.get_script_property_list():
			var name: String = property["name"]
			values[name] = node.get(name)
	node.set_script(script)
	for property in script.get_script_property_list():
		var name: String = property["name"]
		if values.has(name):
			node.set(name, values[name])


func _connect(operation: Dictionary) -> void:
	var callable := Callable(_node(operation["to"]), operation["method"])
	var unbinds := int(operation.get("unbinds", 0))
	var binds: Array = _values(operation)
	if not binds.is_empty():
		callable = callable.bindv(binds)
	if unbinds > 0:
		callable = callable.unbind(unbinds)
	var flags := int(operation.get("flags", 0)) | CONNECT_PERSIST
	var _error := _node(operation["from"]).connect(operation["signal"], callable, flags)


func _disconnect(operation: Dictionary) -> void:
	var from := _node(operation["from"])
	for connection: Dictionary in from.get_signal_connection_list(operation["signal"]):
		var callable: Callable = connection["callable"]
		if callable.get_object() == _node(operation["to"]) and callable.get_method() == operation["method"]:
			from.disconnect(operation["signal"], callable)


# --- Properties -----------------------------------------------------------------------------------------


## An object of a class of the engine or of a script.
func _made(type: String) -> Object:
	if ClassDB.class_exists(type):
		return ClassDB.instantiate(type)
	for known in ProjectSettings.get_global_class_list():
		if known["class"] == type:
			var script: Script = load(known["path"])
			var made: Object = ClassDB.instantiate(script.get_instance_base_type())
			made.set_script(script)
			return made
	push_error("no such class: %s" % type)
	return null


## A value as the case has it: text of the engine's, a file, or a new resource.
func _value(value: Dictionary) -> Variant:
	if value.has("load"):
		return load(value["load"])
	if value.has("new"):
		var made := _made(value["new"])
		_set_all(made, value)
		return made
	return str_to_var(value["godot"])


## What is bound to a connection.
func _values(operation: Dictionary) -> Array:
	var values := []
	for value: Dictionary in operation.get("binds", []):
		values.append(_value(value))
	return values


func _set_all(object: Object, operation: Dictionary) -> void:
	var properties: Dictionary = operation.get("properties", {})
	for key: String in properties:
		_put(object, key, _value(properties[key]))


## The object that has the property at the end of a path.
func _holder(at: String) -> Object:
	var parts := at.split(":")
	var object: Object = resource
	if root != null:
		object = _node(parts[0])
	for key in parts.slice(1, -1):
		object = object.get(key)
	return object


func _set_at(at: String, value: Variant) -> void:
	_put(_holder(at), at.get_slice(":", at.get_slice_count(":") - 1), value)


## The editor gives a node where the property is one, for the path that scenes hold.
func _put(object: Object, key: String, value: Variant) -> void:
	if value is NodePath and _is_node(object, key):
		var path: NodePath = value
		value = (object as Node).get_node_or_null(path)
	var before := _stored(object)
	object.set(key, value)
	var after := _stored(object)
	before.erase(key)
	var is_taken := after.has(key) and _is_same(after[key], value) or not after.has(key) and value == null
	var _erased := after.erase(key)
	if not is_taken:
		_note(object, key)
	for name: String in before:
		if not after.has(name) or not _is_same(before[name], after[name]):
			_note(object, name)
	for name: String in after:
		if not before.has(name):
			_note(object, name)


## What scenes hold of an object, unless it is the default.
func _stored(object: Object) -> Dictionary:
	var values := {}
	for property in object.get_property_list():
		var usage: int = property["usage"]
		if usage & PROPERTY_USAGE_STORAGE:
			var name: String = property["name"]
			values[name] = object.get(name)
	return values


func _is_same(one: Variant, other: Variant) -> bool:
	if typeof(one) != typeof(other):
		return one == null and other == null
	if one is float:
		var number: float = one
		var wanted: float = other
		return is_equal_approx(number, wanted)
	return one == other


func _note(object: Object, key: String) -> void:
	var where := object.get_class()
	if object is Node:
		where = str(root.get_path_to(object as Node)) if object == root or root.is_ancestor_of(object as Node) else "?"
	setters.append(PackedStringArray([where, object.get_class(), key]))


func _is_node(object: Object, key: String) -> bool:
	for property in object.get_property_list():
		if property["name"] == key:
			return property["type"] == TYPE_OBJECT and property["hint"] == PROPERTY_HINT_NODE_TYPE
	return false


## As the button of the inspector that takes a property back.
func _unset(at: String) -> void:
	var object := _holder(at)
	var key := at.get_slice(":", at.get_slice_count(":") - 1)
	_put(object, key, _reverted(object, key))


func _reverted(object: Object, key: String) -> Variant:
	if key == "script" or key.begins_with("metadata/"):
		return null
	if object is Node:
		var inherited := _inherited(object as Node, key)
		if not inherited.is_empty():
			return inherited[0]
	var script: Script = object.get_script()
	if script != null:
		for property in script.get_script_property_list():
			if property["name"] == key:
				return script.get_property_default_value(key)
	return ClassDB.class_get_property_default_value(object.get_class(), key)


## What the scene gives a property that a node is an instance of, lies in, or inherits; empty if it is in none.
func _inherited(node: Node, key: String) -> Array:
	var base := node
	while base != root and base.scene_file_path.is_empty():
		base = base.owner
	var path := inherits if base == root else base.scene_file_path
	if path.is_empty():
		return []
	var tree: Node = (load(path) as PackedScene).instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	var inner := tree.get_node_or_null(base.get_path_to(node))
	var value := []
	if inner != null:
		value.append(inner.get(key))
	tree.free()
	return value
