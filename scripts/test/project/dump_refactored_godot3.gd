extends SceneTree
# Prints the loaded content of every scene, resource and script of a project of Godot 3, for scripts/test/project/refactorings.sh.
# godot_project/tools/dump_refactored.gd does the same with Godot 4, and compares.
#
#   godot3-server --path PROJECT -s dump_refactored_godot3.gd

const SUCCESS = "dump: DONE"

var _root


func _init():
	for path in _files_in("res://"):
		_tell(path)
	for setting in ProjectSettings.get_property_list():
		if setting.name.begins_with("application/") or setting.name.begins_with("autoload/"):
			print("FACT settings %s = %s" % [setting.name, _told(ProjectSettings.get_setting(setting.name), null)])
	for info in ProjectSettings.get_setting("_global_script_classes"):
		print("FACT class %s at %s%s" % [info["class"], info["path"], _state_of(info["path"])])
	print(SUCCESS)
	quit()


func _files_in(folder):
	var found = []
	var directory = Directory.new()
	directory.open(folder)
	directory.list_dir_begin(true, true)
	var name = directory.get_next()
	while name != "":
		if directory.current_is_dir():
			found += _files_in(folder.plus_file(name))
		elif name.get_extension() in ["tscn", "tres", "gd"]:
			found.append(folder.plus_file(name))
		name = directory.get_next()
	return found


func _tell(path):
	var resource = load(path)
	if resource is PackedScene:
		_root = resource.instance()
		_tell_node(path, _root)
		_root.free()
		_root = null
	elif resource is Script:
		print("FACT %s can instance: %s" % [path, resource.can_instance()])
		for property in resource.get_script_property_list():
			print("FACT %s property %s" % [path, property.name])
		for method in resource.get_script_method_list():
			print("FACT %s method %s" % [path, method.name])
	elif resource != null:
		_tell_properties(path, resource, null)
	else:
		print("FACT %s is nothing" % path)


func _tell_node(file, node):
	var me = "%s %s" % [file, _root.get_path_to(node)]
	print("FACT %s is a %s, %d, of %s, groups %s" % [me, node.get_class(), node.get_index(), node.filename, node.get_groups()])
	_tell_properties(me, node, node)
	for info in node.get_signal_list():
		for connection in node.get_signal_connection_list(info.name):
			var target = connection.target
			print("FACT %s %s to %s, %s (%s), %s" % [
				me, info.name, _root.get_path_to(target), connection.method, target.has_method(connection.method), connection.binds])
	if node is AnimationPlayer:
		var start = node.get_node(node.root_node)
		for name in node.get_animation_list():
			var animation = node.get_animation(name)
			for track in animation.get_track_count():
				print("FACT %s animation %s %d: %s" % [me, name, track, _told(animation.track_get_path(track), start)])
	for child in node.get_children():
		_tell_node(file, child)


func _tell_properties(me, object, context):
	for property in object.get_property_list():
		if property.usage & PROPERTY_USAGE_STORAGE and not property.name in ["resource_path", "name"]:
			print("FACT %s %s = %s" % [me, property.name, _told(object.get(property.name), context)])


func _told(value, context):
	match typeof(value):
		TYPE_OBJECT:
			if value == null:
				return "null"
			return value.resource_path if value is Resource and not "::" in value.resource_path else value.get_class()
		TYPE_ARRAY:
			var told = []
			for element in value:
				told.append(_told(element, context))
			return str(told)
		TYPE_STRING:
			return value + _state_of(value)
		TYPE_NODE_PATH:
			return _told_path(value, context)
	return var2str(value)


func _told_path(path, context):
	if context == null or path.is_empty() or not context.has_node(path):
		return "path %s" % path
	var target = context.get_node(path)
	var told = "path to %s" % _root.get_path_to(target)
	if path.get_subname_count() > 0:
		told += ":%s (%s)" % [path.get_concatenated_subnames(), path.get_subname(0) in target]
	return told


func _state_of(path):
	path = path.trim_prefix("*")
	return "" if not path.begins_with("res://") else " (%s)" % File.new().file_exists(path)
