extends SceneTree
# Prints the facts that Godot 3 reads from text scenes and resources, for the tests of merges. godot_project/tools/scene_facts.gd
# does the same with Godot 4.
#
#   godot3-server --path PROJECT -s scene_facts_godot3.gd LIST OUTPUT

const SUCCESS = "facts: WRITTEN"
# Resources in each other, which may name each other in a circle.
const DEEPEST = 8
# For types that have no instances.
const CONCRETE = {"Texture": "GradientTexture", "StreamTexture": "GradientTexture", "Material": "SpatialMaterial",
	"Mesh": "CubeMesh", "AudioStream": "AudioStreamGenerator", "Font": "BitmapFont"}

var _lines = PoolStringArray()
var _ext_resource = RegEx.new()
var _field = RegEx.new()


func _init():
	var arguments = OS.get_cmdline_args()
	var list = File.new()
	list.open(arguments[arguments.size() - 2], File.READ)
	var output = arguments[arguments.size() - 1]
	var paths = list.get_as_text().split("\n", false)
	Directory.new().make_dir_recursive(output)
	_ext_resource.compile("\\[ext_resource [^\\]]*\\]")
	_field.compile("(\\w+)=(\"[^\"]*\"|\\d+)")
	for index in paths.size():
		list.open(paths[index], File.READ)
		var copy = "res://facts_%d.%s" % [index, paths[index].get_extension()]
		_store(copy, _with_stand_ins(list.get_as_text()))
		var resource = ResourceLoader.load(copy, "", true)
		if resource != null:
			var told = output.plus_file(str(index))
			_store(told, _facts(resource))
			ResourceSaver.save("%s.%s" % [told, paths[index].get_extension()], resource)
	print(SUCCESS)
	quit()


func _store(path, text):
	var file = File.new()
	file.open(path, File.WRITE)
	file.store_string(text)
	file.close()


# The text with another resource of its type in the place of each that it refers to, by path.
func _with_stand_ins(text):
	var out = ""
	var end = 0
	for found in _ext_resource.search_all(text):
		var fields = {}
		for field in _field.search_all(found.get_string()):
			fields[field.get_string(1)] = field.get_string(2).trim_prefix("\"").trim_suffix("\"")
		out += text.substr(end, found.get_start() - end)
		out += "[ext_resource path=\"%s\" type=\"%s\" id=%s]" % [_stand_in(fields), fields["type"], fields["id"]]
		end = found.get_end()
	return out + text.substr(end)


func _stand_in(fields):
	var name = "res://stand_in_%d" % hash(fields["path"])
	var extension = "tres"
	var type = CONCRETE.get(fields["type"], fields["type"])
	if not ClassDB.can_instance(type) or not ClassDB.is_parent_class(type, "Resource"):
		type = "Resource"
	var text = "[gd_resource type=\"%s\" format=2]\n\n[resource]\n" % type
	match fields["type"]:
		"Script", "GDScript":
			extension = "gd"
			text = "extends Reference\n"
		"PackedScene":
			extension = "tscn"
			text = "[gd_scene format=2]\n\n[node name=\"StandIn\" type=\"Node\"]\n"
		"Shader":
			extension = "shader"
			text = "shader_type canvas_item;\n"
	var path = "%s.%s" % [name, extension]
	if not File.new().file_exists(path):
		_store(path, text)
	return path


func _facts(resource):
	_lines = PoolStringArray()
	if resource is PackedScene:
		_scene(resource)
	else:
		_fact("resource", resource.get_class())
		_inside("resource", resource, 0)
	return _lines.join("\n") + "\n"


func _fact(what, value):
	_lines.append("%s\t%s" % [what.c_escape(), value.c_escape()])


func _scene(scene):
	var state = scene.get_state()
	for node in state.get_node_count():
		var path = "node %s" % state.get_node_path(node)
		var placeholder = state.get_node_instance_placeholder(node)
		var instance = state.get_node_instance(node)
		var scene_path = "" if instance == null else instance.resource_path
		_fact(path, "%s %s %s" % [state.get_node_type(node), scene_path, placeholder])
		for group in state.get_node_groups(node):
			_fact("%s in group %s" % [path, group], "")
		for property in state.get_node_property_count(node):
			var name = state.get_node_property_name(node, property)
			_value("%s: %s" % [path, name], state.get_node_property_value(node, property), 0)
	for connection in state.get_connection_count():
		var from = [state.get_connection_source(connection), state.get_connection_signal(connection)]
		var to = [state.get_connection_target(connection), state.get_connection_method(connection)]
		var more = [state.get_connection_flags(connection), state.get_connection_binds(connection)]
		_fact("connection %s to %s" % [from, to], _told(more, 0))
	for path in scene.get("_bundled").get("editable_instances", []):
		_fact("editable %s" % path, "")


# A value with its contents: resources and dictionaries line by line.
func _value(what, value, depth):
	if _is_inside(value) and depth < DEEPEST:
		_fact(what, value.get_class())
		_inside(what, value, depth)
	elif value is Dictionary and depth < DEEPEST:
		_fact(what, "dictionary")
		for key in value:
			_value("%s{%s}" % [what, _told(key, depth)], value[key], depth + 1)
	else:
		_fact(what, _told(value, depth))


func _inside(what, resource, depth):
	for property in resource.get_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE and property["name"] != "resource_path":
			_value("%s.%s" % [what, property["name"]], resource.get(property["name"]), depth + 1)


func _is_inside(value):
	return value is Resource and (value.resource_path == "" or value.resource_path.begins_with("res://facts_"))


func _told(value, depth):
	var told = PoolStringArray()
	if value is Array:
		for each in value:
			told.append(_told(each, depth + 1))
		return "[%s]" % told.join(", ")
	if value is Dictionary:
		for key in value:
			told.append("%s: %s" % [_told(key, depth + 1), _told(value[key], depth + 1)])
		return "{%s}" % told.join(", ")
	if not value is Resource:
		return var2str(value)
	if depth >= DEEPEST or not _is_inside(value):
		return "%s %s" % [value.get_class(), value.resource_path.get_slice("::", 0)]
	for property in value.get_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE and property["name"] != "resource_path":
			told.append("%s = %s" % [property["name"], _told(value.get(property["name"]), depth + 1)])
	return "<%s %s>" % [value.get_class(), told.join(", ")]
