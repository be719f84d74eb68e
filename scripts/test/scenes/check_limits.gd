# Loads a text scene or resource for each limit in the file that is its argument, with a number at the limit and one beyond it, and
# looks whether Godot logs an error where it should, and only there.
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


func _check_limit(name: String, property: String, word: String, direction: int) -> void:
	if word == "-":
		return
	var limit := word.trim_prefix("<").trim_prefix(">")
	if limit != word:
		_check_number(name, property, limit, true)
		return
	_check_number(name, property, limit, false)
	var is_float := "." in limit
	var beyond := str(float(limit) + 0.01 * direction) if is_float else str(int(limit) + direction)
	_check_number(name, property, beyond, true)


func _check_number(name: String, property: String, number: String, is_refused: bool) -> void:
	var is_node := ClassDB.is_parent_class(name, "Node")
	var path := "res://limit.tscn" if is_node else "res://limit.tres"
	var scene := "[gd_scene format=3]\n\n[node name=\"A\" type=\"%s\"]\n%s = %s\n"
	var resource := "[gd_resource type=\"%s\" format=3]\n\n[resource]\n%s = %s\n"
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string((scene if is_node else resource) % [name, property, number])
	file.close()
	_log.count = 0
	var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if loaded is PackedScene:
		loaded.instantiate().free()
	if (_log.count > 0) == is_refused:
		_passed += 1
	else:
		_failed += 1
		print("%s.%s = %s: logged %d errors" % [name, property, number, _log.count])
