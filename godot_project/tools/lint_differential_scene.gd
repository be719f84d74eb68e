extends RefCounted
## Compares a loaded scene with what its text says: first the scene's state, which keeps every property whatever the
## node's class makes of it, then the tree of nodes that comes out of it.

const Intent := preload("res://tools/lint_differential_intent.gd")
const ResourceJudge := preload("res://tools/lint_differential_resource.gd")

var _intent: Intent
## The nodes of the tree by their path below the root.
var _nodes: Dictionary[String, Array] = {}


func _init(intent: Intent) -> void:
	_intent = intent


func judge(scene: PackedScene) -> void:
	var state := scene.get_state()
	_judge_tags()
	_judge_state(state)
	_judge_bundled(scene)
	ResourceJudge.new(_intent).judge_parts()
	var root := scene.instantiate()
	if root == null:
		_intent.harms.append("not instantiated")
		return
	_collect("", root, true)
	_judge_tree()
	root.free()


func _harm(text: String) -> void:
	_intent.harms.append(text)


func _judge_tags() -> void:
	for section in _intent.sections.slice(1):
		if section.name not in ["ext_resource", "sub_resource", "node", "connection", "editable"]:
			_harm("tag lost: %s" % section.name)
		if section.name in ["ext_resource", "connection", "editable"] and not section.properties.is_empty():
			_harm("property after %s" % section.name)


# --- State ------------------------------------------------------------------------------------------

func _judge_state(state: SceneState) -> void:
	var nodes := _intent.named("node")
	if state.get_node_count() != nodes.size():
		_harm("%d nodes instead of %d" % [state.get_node_count(), nodes.size()])
	for index in mini(state.get_node_count(), nodes.size()):
		_judge_node(state, index, nodes[index])
	var connections := _intent.named("connection")
	if state.get_connection_count() != connections.size():
		_harm("%d connections instead of %d" % [state.get_connection_count(), connections.size()])
	for index in mini(state.get_connection_count(), connections.size()):
		_judge_connection(state, index, connections[index])


func _judge_node(state: SceneState, index: int, node: Intent.Section) -> void:
	if str(state.get_node_name(index)) != node.text("name"):
		_harm("name of %s" % node.text("name"))
	if node.fields.has("type") and str(state.get_node_type(index)) != node.text("type") and index > 0:
		_harm("type of %s" % node.text("name"))
	if node.fields.has("parent") and index > 0:
		var parent := str(state.get_node_path(index, true)).simplify_path()
		if parent != node.text("parent").simplify_path():
			_harm("parent of %s: %s" % [node.text("name"), parent])
	if node.fields.has("index") and str(state.get_node_index(index)) != node.text("index"):
		_harm("index of %s" % node.text("name"))
	if node.fields.has("groups"):
		var groups: PackedStringArray = state.get_node_groups(index)
		if node.fields["groups"] is not Array or str(node.fields["groups"]) != str(Array(groups)):
			_harm("groups of %s" % node.text("name"))
	if node.fields.has("instance") and index > 0:
		if not _intent.is_same_value(node.fields["instance"], state.get_node_instance(index)):
			_harm("instance of %s" % node.text("name"))
	if node.fields.has("instance_placeholder"):
		if state.get_node_instance_placeholder(index) != node.text("instance_placeholder"):
			_harm("placeholder of %s" % node.text("name"))
	_judge_properties(state, index, node)


func _judge_properties(state: SceneState, index: int, node: Intent.Section) -> void:
	var values: Dictionary[String, Variant] = {}
	for property in state.get_node_property_count(index):
		var key := str(state.get_node_property_name(index, property))
		values[key] = state.get_node_property_value(index, property)
	for pair in node.properties:
		var key := str(pair[0])
		if not values.has(key):
			_harm("%s of %s lost" % [key, node.text("name")])
		elif not _intent.is_same_value(pair[1], values[key]):
			_harm("%s of %s: %s" % [key, node.text("name"), str(values[key]).left(40)])


func _judge_connection(state: SceneState, index: int, connection: Intent.Section) -> void:
	var found: Dictionary[String, String] = {
		"signal": str(state.get_connection_signal(index)),
		"from": str(state.get_connection_source(index)).simplify_path(),
		"to": str(state.get_connection_target(index)).simplify_path(),
		"method": str(state.get_connection_method(index)),
	}
	for field in found:
		var wanted := connection.text(field)
		if field in ["from", "to"]:
			wanted = wanted.simplify_path()
		if wanted != found[field]:
			_harm("%s of a connection: %s" % [field, found[field]])
	if connection.fields.has("flags") and state.get_connection_flags(index) != int(connection.text("flags")):
		_harm("flags of a connection")
	if connection.fields.has("unbinds") and state.get_connection_unbinds(index) != int(connection.text("unbinds")):
		_harm("unbinds of a connection")
	if connection.fields.has("binds"):
		if not _intent.is_same_value(connection.fields["binds"], state.get_connection_binds(index)):
			_harm("binds of a connection")


## What a state keeps, but does not tell.
func _judge_bundled(scene: PackedScene) -> void:
	var bundled: Dictionary = scene.get("_bundled")
	var ids: PackedInt32Array = bundled.get("node_ids", PackedInt32Array())
	var nodes := _intent.named("node")
	for index in mini(ids.size(), nodes.size()):
		if nodes[index].fields.has("unique_id") and str(ids[index]) != nodes[index].text("unique_id"):
			_harm("unique_id of %s" % nodes[index].text("name"))
	var editables: Array = bundled.get("editable_instances", [])
	var found: Array = editables.map(func(path: NodePath) -> String: return str(path))
	for section in _intent.named("editable"):
		if section.text("path").simplify_path() not in found and section.text("path") not in found:
			_harm("editable %s lost" % section.text("path"))


# --- Tree -------------------------------------------------------------------------------------------

func _collect(path: String, node: Node, is_root: bool) -> void:
	_nodes[path] = _nodes.get(path, []) + [node]
	for child in node.get_children(true):
		var prefix := "" if is_root else path + "/"
		_collect(prefix + str(child.name), child, false)


func _judge_tree() -> void:
	var wanted: Dictionary[String, int] = {}
	var index := 0
	for node in _intent.named("node"):
		var path := "" if index == 0 else _path_below_root(node)
		index += 1
		wanted[path] = wanted.get(path, 0) + 1
		var found: Array = _nodes.get(path, [])
		if found.size() < wanted[path]:
			if index > 1 and _is_of_another_scene(node):
				_intent.outside.append("node %s" % path)
			else:
				_harm("node %s is not there" % path)
			continue
		var made: Node = found[wanted[path] - 1]
		if node.fields.has("type"):
			var type := node.text("type")
			var class_made := Intent.class_made_for(type)
			if class_made.is_empty() or not ClassDB.is_parent_class(class_made, &"Node"):
				_intent.outside.append("class %s" % type)
			elif made.get_class() != class_made:
				_harm("%s is a %s" % [path, made.get_class()])
	for path in wanted:
		# One name stands for one node, whatever the tree holds.
		if wanted[path] > 1:
			_harm("%d nodes at %s" % [wanted[path], path])
	for connection in _intent.named("connection"):
		_judge_end(connection, "from")
		_judge_end(connection, "to")


func _judge_end(connection: Intent.Section, field: String) -> void:
	var path := connection.text(field).simplify_path()
	path = "" if path == "." else path.trim_prefix("./")
	if not _nodes.has(path):
		_harm("connection without %s: %s" % [field, path])
	elif field == "from":
		var node: Node = _nodes[path][0]
		if not node.has_signal(connection.text("signal")):
			_intent.outside.append("signal %s" % connection.text("signal"))


## Whether the tag changes a node that an instance or the scene that this one inherits has to bring.
func _is_of_another_scene(node: Intent.Section) -> bool:
	var is_made := node.fields.has("type") or node.fields.has("instance") or node.fields.has("instance_placeholder")
	return not is_made and _intent.named("node").any(
		func(other: Intent.Section) -> bool: return other.fields.has("instance")
	)


func _path_below_root(node: Intent.Section) -> String:
	var parent := node.text("parent").simplify_path()
	var name := node.text("name")
	return name if parent in [".", ""] else parent.trim_prefix("./") + "/" + name
