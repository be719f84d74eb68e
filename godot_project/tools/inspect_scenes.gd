extends SceneTree
## Tells what the engine makes of every scene of a project, for the evidence of the linter's rules.
##
##   godot --headless --path PROJECT -s INSPECT_SCENES.gd
##
## Beside what the engine itself complains about, it prints for each scene: its nodes, what its paths and
## metadata lead to, its connections, and the nodes and properties that are left when the editor saves the scene. At the end come the files
## in which the engine keeps uids, those of hidden and ignored folders too, and the input actions with their events. Scenes called
## `run.tscn` run for a few frames.

const SUCCESS := "inspect: DONE"

var _connections := 0


func _initialize() -> void:
	var paths := _scenes_in("res://")
	paths.sort()
	for path in paths:
		_inspect(path)
	_list_uid_files("res://")
	_list_actions()
	for path in paths:
		if path.get_file() == "run.tscn":
			await _run(path)
	print(SUCCESS)
	quit()


func _list_actions() -> void:
	for action in InputMap.get_actions():
		if action.begins_with("ui_") or action.begins_with("spatial_editor"):
			continue
		for event in InputMap.action_get_events(action):
			print("EVENT ", action, " ", event.as_text())
		print("ACTION ", action, " ", InputMap.action_get_deadzone(action), " ", InputMap.action_get_events(action).size())


func _list_uid_files(folder: String) -> void:
	var access := DirAccess.open(folder)
	access.include_hidden = true
	for name in access.get_files():
		if name.ends_with(".uid"):
			print("BESIDE ", folder.path_join(name))
	for name in access.get_directories():
		_list_uid_files(folder.path_join(name))


func _scenes_in(folder: String) -> Array[String]:
	var found: Array[String] = []
	for name in DirAccess.get_files_at(folder):
		if name.ends_with(".tscn") and not name.begins_with("crashes_"):
			found.append(folder.path_join(name))
	for name in DirAccess.get_directories_at(folder):
		found.append_array(_scenes_in(folder.path_join(name)))
	return found


func _inspect(path: String) -> void:
	print("SCENE ", path)
	var scene := load(path) as PackedScene
	var root: Node = scene.instantiate(PackedScene.GEN_EDIT_STATE_MAIN) if scene else null
	if not root:
		print("UNUSABLE ", path)
		return
	_connections = 0
	_inspect_node(root, root)
	print("CONNECTIONS ", path.get_file().get_basename(), " ", _connections)
	var packed := PackedScene.new()
	packed.pack(root)
	var state := packed.get_state()
	for index in state.get_node_count():
		print("SAVED ", state.get_node_path(index))
		for property in state.get_node_property_count(index):
			print("SAVED ", state.get_node_path(index), " ", state.get_node_property_name(index, property))
	root.free()


func _run(path: String) -> void:
	root.add_child((load(path) as PackedScene).instantiate())
	for frame in 3:
		await process_frame


func _inspect_node(root: Node, node: Node) -> void:
	var place := root.get_path_to(node)
	print("NODE ", place, " mode ", node.process_mode)
	for property: Dictionary in node.get_property_list():
		if not property.usage & PROPERTY_USAGE_STORAGE:
			continue
		var name: String = property.name
		var value: Variant = node.get(name)
		if name.begins_with("metadata/"):
			_inspect_use(place, name.trim_prefix("metadata/"), value)
			continue
		if value is NodePath and value != NodePath():
			print("PATH ", place, " ", name, " ", value, " ", _place_of(root, node.get_node_or_null(value as NodePath)))
		elif property.usage & PROPERTY_USAGE_SCRIPT_VARIABLE and property.type in [TYPE_OBJECT, TYPE_ARRAY]:
			for item: Variant in (value if value is Array else [value]):
				print("EXPORT ", place, " ", name, " ", _place_of(root, item as Node))
	_play_all(node as AnimationPlayer)
	for entry in node.get_signal_list():
		var signal_name: StringName = entry.name
		for connection in node.get_signal_connection_list(signal_name):
			var callable: Callable = connection.callable
			if connection.flags & CONNECT_PERSIST:
				_connections += 1
				print("CONNECTION ", place, " ", signal_name, " ", _place_of(root, callable.get_object() as Node))
	for child in node.get_children():
		_inspect_node(root, child)


## The engine looks for the nodes of tracks when an animation is played.
func _play_all(player: AnimationPlayer) -> void:
	if player:
		for animation in player.get_animation_list():
			player.play(animation)
			player.advance(0)


## A resource that the editor could not load is an empty one.
func _inspect_use(place: NodePath, name: String, value: Variant) -> void:
	var resource: Resource = value if value is Resource else null
	if resource and not resource.resource_path.is_empty():
		print("RESOURCE ", place, " ", name, " ", resource.resource_path)
	else:
		print("RESOURCE ", place, " ", name, " null")


func _place_of(root: Node, node: Node) -> String:
	return str(root.get_path_to(node)) if node else "null"
