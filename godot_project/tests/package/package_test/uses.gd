extends RefCounted
## Uses the classes of the addon in a foreign project.

const BROKEN := """[gd_scene format=3]

[node name="Root" type="Sprite2D"]
texture = ExtResource("1_gone")
"""


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
	if OS.has_feature("editor"):
		_lint_all()
	return ""


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
