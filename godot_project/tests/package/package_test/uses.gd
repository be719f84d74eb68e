extends RefCounted
## Uses the classes of the addon in a foreign project.

const BROKEN := """[gd_scene format=3]

[node name="Root" type="Sprite2D"]
texture = ExtResource("1_gone")
"""
const SAFE := """[gd_scene format=3]

[node name="Root" type="Sprite2D"]
"""
const SCRIPTED := """[gd_scene format=3]

[sub_resource type="GDScript" id="1"]
script/source = "extends Sprite2D"

[node name="Root" type="Sprite2D"]
script = SubResource("1")
"""
## Between these lines, errors are expected (scripts/lib/engine_run.sh).
const EXPECTED_BEGIN := "[expected errors"
const EXPECTED_END := "expected errors]"


## What does not work, or nothing. Every text scene of the project is checked, too.
static func failure() -> String:
	if not ClassDB.class_exists(&"FastVariant"):
		return "there is no class FastVariant"
	var value := {"name": "Ada", "position": Vector3(1, 2, 3), "path": [1, 2.5, null]}
	var bytes: PackedByteArray = ClassDB.class_call_static(&"FastVariant", &"encode", value)
	if bytes != var_to_bytes(value):
		return "encode() gives other bytes than var_to_bytes()"
	if ClassDB.class_call_static(&"FastVariant", &"decode", bytes) != value:
		return "decode() gives another value"
	var found: Array = ClassDB.class_call_static(&"SceneLinter", &"lint_text", BROKEN, "res://broken.tscn")
	if found.size() != 1:
		return "the linter finds %d problems where there is one" % found.size()
	var reason := _failure_with_files()
	if not reason.is_empty():
		return reason
	if OS.has_feature("editor"):
		_lint_all()
	return _failure_of_rewriter()


## Files of a player.
static func _failure_with_files() -> String:
	var found: Array = ClassDB.class_call_static(&"SceneLinter", &"lint_file", _written("broken.tscn", BROKEN))
	if found.size() != 1:
		return "the linter finds %d problems in the file where there is one" % found.size()
	if ClassDB.class_call_static(&"SceneLinter", &"load_if_safe", _written("scripted.tscn", SCRIPTED)) != null:
		return "a file with a script is loaded"
	var scene: PackedScene = ClassDB.class_call_static(&"SceneLinter", &"load_if_safe", _written("safe.tscn", SAFE))
	if scene == null:
		return "a file without a script is not loaded"
	var node := scene.instantiate()
	var loaded := node.get_class()
	node.free()
	return "" if loaded == "Sprite2D" else "a %s is loaded where there is a Sprite2D" % loaded


## The library for the editor rewrites texts. That for games says that it does not, once.
static func _failure_of_rewriter() -> String:
	printerr(EXPECTED_BEGIN)
	var result: RefCounted = ClassDB.class_call_static(&"SceneRewriter", &"format", SAFE + "\n\n", "res://a.tscn")
	printerr(EXPECTED_END)
	var is_changed: bool = result.get(&"is_changed")
	var error: String = result.get(&"error")
	if is_changed != OS.has_feature("editor") or error.is_empty() != is_changed:
		return "the text is %s, and the error is: %s" % ["formatted" if is_changed else "left alone", error]
	return ""


static func _written(name: String, text: String) -> String:
	var path := "user://" + name
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	return path


static func _lint_all() -> void:
	var count := 0
	var problems := 0
	for path: String in _scenes("res://"):
		var found: Array = ClassDB.class_call_static(&"SceneLinter", &"lint_file", path)
		count += 1
		problems += found.size()
	print("%d scenes checked, %d problems" % [count, problems])


static func _scenes(folder: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for file: String in DirAccess.get_files_at(folder):
		if file.get_extension() == "tscn":
			found.append(folder.path_join(file))
	for inner: String in DirAccess.get_directories_at(folder):
		found.append_array(_scenes(folder.path_join(inner)))
	return found
