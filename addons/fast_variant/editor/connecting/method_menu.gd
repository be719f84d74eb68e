@tool
extends PopupMenu
## Offers the methods that a connection may call: those with a near name, then those of the script.

signal chosen(diagnostic: _Diagnostic, method: String)

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Native := preload("../shared/native.gd")
const _SceneConnection := preload("scene_connection.gd")

const _MAX_NEAR := 5
const _MAX := 20

var _diagnostic: _Diagnostic
var _methods: PackedStringArray = []


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	index_pressed.connect(_on_index_pressed)


## Adds the methods that take this number of arguments. Returns whether there are any.
func offer(diagnostic: _Diagnostic, connection: _SceneConnection, target: Object, argument_count: int) -> bool:
	_diagnostic = diagnostic
	_methods = _candidates(target, connection.method, argument_count)
	clear()
	if _methods.is_empty():
		return false
	for method: String in _methods:
		add_icon_item(EditorInterface.get_editor_theme().get_icon(&"MemberMethod", &"EditorIcons"), method)
	position = DisplayServer.mouse_get_position()
	reset_size()
	popup()
	return true


static func _candidates(target: Object, old: String, argument_count: int) -> PackedStringArray:
	var own := _names(_own_methods(target), argument_count)
	var others := own.duplicate()
	for method: String in _names(target.get_method_list(), argument_count):
		# Those of the engine's that begin so are for it alone.
		if not method.begins_with("_") and method not in others:
			others.append(method)
	var found: PackedStringArray = []
	for count: int in _MAX_NEAR:
		var near := _Native.nearest(old, others)
		if near.is_empty():
			break
		others.remove_at(others.find(near))
		if near != old:
			found.append(near)
	for method: String in own:
		if method not in found and method != old and found.size() < _MAX:
			found.append(method)
	return found


## The methods of the object's script and of the scripts that it extends.
static func _own_methods(target: Object) -> Array[Dictionary]:
	var script: Script = target.get_script()
	return script.get_script_method_list() if script != null else ([] as Array[Dictionary])


static func _names(methods: Array[Dictionary], argument_count: int) -> PackedStringArray:
	var names: PackedStringArray = []
	for method: Dictionary in methods:
		var method_name: String = method["name"]
		var arguments: Array = method["args"]
		var default_arguments: Array = method["default_args"]
		var flags: int = method["flags"]
		var is_enough := argument_count >= arguments.size() - default_arguments.size()
		var is_too_much := argument_count > arguments.size() and not flags & METHOD_FLAG_VARARG
		if is_enough and not is_too_much and not method_name.begins_with("@") and method_name not in names:
			names.append(method_name)
	return names


func _on_index_pressed(index: int) -> void:
	chosen.emit(_diagnostic, _methods[index])
