# Loads a text scene or resource for each limit in the file in its argument, with a number at the limit and one beyond it. Godot
# must log an error exactly where the table says so. The property must have each other number, unless the table says `~`.
extends SceneTree


class Log extends Logger:
	var count := 0

	func _log_error(_function, _file, _line, _code, _rationale, _editor, _type, _backtraces) -> void:
		count += 1


var _log := Log.new()
var _passed := 0
var _failed := 0


func _init() -> void:
	OS.add_logger(_log)
	for line in FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0]).split("\n", false):
		var words := line.split(" ")
		var name := _made_of(words[0])
		_check_limit(name, words[1], words[2], -1)
		_check_limit(name, words[1], words[3], 1)
	print("%d passed, %d failed, 0 skipped" % [_passed, _failed])
	quit(1 if _failed > 0 else 0)


func _made_of(name: String) -> String:
	if ClassDB.can_instantiate(name):
		return name
	for heir: String in ClassDB.get_inheriters_from_class(name):
		if ClassDB.can_instantiate(heir) and not heir.begins_with("Editor"):
			return heir
	return ""


func _type_of(name: String, property: String) -> int:
	for found in ClassDB.class_get_property_list(name):
		if found.name == property:
			return found.type
	return TYPE_NIL


func _check_limit(name: String, property: String, word: String, direction: int) -> void:
	if word == "-":
		return
	var is_changed := word.begins_with("~")
	var number := word.trim_prefix("~")
	var limit := number.trim_prefix("<").trim_prefix(">")
	if limit != number:
		_check_number(name, property, limit, not is_changed, is_changed)
		return
	_check_number(name, property, limit, false, false)
	var is_float := "." in limit
	var beyond := str(float(limit) + maxf(0.01, 0.01 * absf(float(limit))) * direction) if is_float else str(int(limit) + direction)
	_check_number(name, property, beyond, not is_changed, is_changed)


func _check_number(name: String, property: String, number: String, is_refused: bool, is_changed: bool) -> void:
	var is_node := ClassDB.is_parent_class(name, "Node")
	var type := _type_of(name, property)
	var size: int = {TYPE_VECTOR2: 2, TYPE_VECTOR2I: 2, TYPE_VECTOR3: 3, TYPE_VECTOR3I: 3}.get(type, 1)
	var value := number if size == 1 else "%s(%s)" % [type_string(type), ", ".join([number, number, number].slice(0, size))]
	var path := "res://limit.tscn" if is_node else "res://limit.tres"
	var scene := "[gd_scene format=3]\n\n[node name=\"A\" type=\"%s\"]\n%s = %s\n"
	var resource := "[gd_resource type=\"%s\" format=3]\n\n[resource]\n%s = %s\n"
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string((scene if is_node else resource) % [name, property, value])
	file.close()
	_log.count = 0
	var object: Object = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if object is PackedScene:
		object = (object as PackedScene).instantiate()
	var given: Variant = object.get(property)
	var found: float = given if size == 1 else given.x
	if object is Node:
		object.free()
	var is_kept := is_equal_approx(found, float(number)) or int(found) == int(number) & 0xffffffff and not "." in number
	if (_log.count > 0) == is_refused and (is_refused or is_kept != is_changed):
		_passed += 1
	else:
		_failed += 1
		print("%s.%s = %s: logged %d errors, has %s" % [name, property, number, _log.count, found])
