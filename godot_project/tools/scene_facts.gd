extends SceneTree
## Tells what the engine reads from text scenes and resources, for the tests of merges.
##
##   godot --headless --path PROJECT -s res://tools/scene_facts.gd -- LIST OUTPUT
##
## LIST names one file in each line. What the engine has read of the file in line NUMBER goes into `OUTPUT/NUMBER`: one line for
## each node, property, group, connection and editable instance, and for each property of a resource that the file holds, with its
## value behind a tab. Resources have the name of what uses them. What it saves goes into `OUTPUT/NUMBER.tscn` or
## `OUTPUT/NUMBER.tres`. Files that this engine cannot load are left out.

const StandIns := preload("stand_ins.gd")

const SUCCESS := "facts: WRITTEN"
## Resources in each other, which may name each other in a circle.
const DEEPEST := 8

var _lines: PackedStringArray
var _copy := ""


func _init() -> void:
	var arguments := OS.get_cmdline_user_args()
	StandIns.prepare()
	var _error := DirAccess.make_dir_recursive_absolute(arguments[1])
	var paths := FileAccess.get_file_as_string(arguments[0]).split("\n", false)
	var stand_ins := StandIns.new(true)
	for index in paths.size():
		# One path for all, so that what names the file itself is the same in all.
		_copy = "res://facts.%s" % paths[index].get_extension()
		StandIns.store(_copy, stand_ins.put_into(FileAccess.get_file_as_string(paths[index])))
		var resource := ResourceLoader.load(_copy, "", ResourceLoader.CACHE_MODE_IGNORE)
		if resource != null:
			var output := arguments[1].path_join(str(index))
			StandIns.store(output, _facts(resource))
			_error = ResourceSaver.save(resource, "%s.%s" % [output, paths[index].get_extension()])
	print(SUCCESS)
	quit()


func _facts(resource: Resource) -> String:
	_lines = PackedStringArray()
	if resource is PackedScene:
		var scene: PackedScene = resource
		_scene(scene)
	else:
		_fact("resource", resource.get_class())
		_inside("resource", resource, 0)
	return "\n".join(_lines) + "\n"


func _fact(what: String, value: String) -> void:
	_lines.append("%s\t%s" % [what.c_escape(), value.c_escape()])


func _scene(scene: PackedScene) -> void:
	var state := scene.get_state()
	for node in state.get_node_count():
		var path := "node %s" % state.get_node_path(node)
		var instance := state.get_node_instance(node)
		var placeholder := state.get_node_instance_placeholder(node)
		_fact(path, "%s %s %s" % [state.get_node_type(node), "" if instance == null else instance.resource_path, placeholder])
		for group in state.get_node_groups(node):
			_fact("%s in group %s" % [path, group], "")
		for property in state.get_node_property_count(node):
			var name := state.get_node_property_name(node, property)
			_value("%s: %s" % [path, name], state.get_node_property_value(node, property), 0)
	for connection in state.get_connection_count():
		var from := [state.get_connection_source(connection), state.get_connection_signal(connection)]
		var to := [state.get_connection_target(connection), state.get_connection_method(connection)]
		var more := [state.get_connection_flags(connection), state.get_connection_unbinds(connection)]
		_fact("connection %s to %s" % [from, to], str(more) + _told(state.get_connection_binds(connection), 0))
	var bundled: Dictionary = scene.get("_bundled")
	for path: NodePath in bundled.get("editable_instances", []):
		_fact("editable %s" % path, "")


## A value with what is in it: resources and dictionaries line by line.
func _value(what: String, value: Variant, depth: int) -> void:
	if _is_inside(value) and depth < DEEPEST:
		var resource: Resource = value
		_fact(what, resource.get_class())
		_inside(what, resource, depth)
	elif value is Dictionary and depth < DEEPEST:
		var entries: Dictionary = value
		_fact(what, "dictionary")
		for key: Variant in entries:
			_value("%s{%s}" % [what, _told(key, depth)], entries[key], depth + 1)
	else:
		_fact(what, _told(value, depth))


func _inside(what: String, resource: Resource, depth: int) -> void:
	for property in resource.get_property_list():
		var name := str(property["name"])
		var usage: int = property["usage"]
		if usage & PROPERTY_USAGE_STORAGE and name not in ["resource_path", "resource_scene_unique_id"]:
			_value("%s.%s" % [what, name], resource.get(name), depth + 1)


func _is_inside(value: Variant) -> bool:
	if not value is Resource:
		return false
	var resource: Resource = value
	return resource.resource_path.is_empty() or resource.resource_path.begins_with(_copy)


func _told(value: Variant, depth: int) -> String:
	if value is Array:
		var array: Array = value
		return "[%s]" % ", ".join(array.map(func(each: Variant) -> String: return _told(each, depth + 1)))
	if value is Dictionary:
		var entries: Dictionary = value
		var told := PackedStringArray()
		for key: Variant in entries:
			told.append("%s: %s" % [_told(key, depth + 1), _told(entries[key], depth + 1)])
		return "{%s}" % ", ".join(told)
	if value is Resource:
		var resource: Resource = value
		if not _is_inside(resource) or depth >= DEEPEST:
			return "%s %s" % [resource.get_class(), resource.resource_path.get_slice("::", 0)]
		var told := PackedStringArray([resource.get_class()])
		for property in resource.get_property_list():
			var name := str(property["name"])
			var usage: int = property["usage"]
			if usage & PROPERTY_USAGE_STORAGE and name not in ["resource_path", "resource_scene_unique_id"]:
				told.append("%s = %s" % [name, _told(resource.get(name), depth + 1)])
		return "<%s>" % ", ".join(told)
	return var_to_str(value)
