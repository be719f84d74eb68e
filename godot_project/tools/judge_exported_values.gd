extends SceneTree
## Writes a scene that gives a variable of each type a value of each kind, and a line for each of them: the line in the scene,
## `kept` or `dropped` by this Godot, the type, the value.
##
##   godot --headless --path PROJECT -s res://tools/judge_exported_values.gd -- VERDICTS

const SUCCESS := "exported values: JUDGED"
const TYPES: PackedStringArray = [
	"bool", "int", "float", "String", "StringName", "NodePath", "Vector2", "Vector2i", "Vector3", "Vector3i", "Vector4",
	"Vector4i", "Rect2", "Rect2i", "Color", "Quaternion", "Basis", "Transform2D", "Transform3D", "Projection", "Plane", "AABB",
	"Array", "Dictionary", "PackedByteArray", "PackedInt32Array", "PackedInt64Array", "PackedFloat32Array",
	"PackedFloat64Array", "PackedStringArray", "PackedVector2Array", "PackedVector3Array", "PackedColorArray",
	"PackedVector4Array", "Callable", "Kind", "Node.ProcessMode", "Resource", "Gradient", "Texture2D", "Data", "Array[int]",
	"Array[float]", "Array[String]", "Array[StringName]", "Array[Vector2]", "Array[Kind]", "Array[Color]", "Array[Array]",
	"Array[Gradient]", "Array[Data]", "Dictionary[String, int]", "Dictionary[int, Variant]", "Dictionary[Variant, Gradient]",
]
const VALUES: PackedStringArray = [
	"true", "12", "1.5", "\"12\"", "\"abc\"", "&\"sn\"", "NodePath(\"a/b\")", "Vector2(1, 2)", "Vector2i(1, 2)",
	"Vector3(1, 2, 3)", "Vector3i(1, 2, 3)", "Vector4(1, 2, 3, 4)", "Vector4i(1, 2, 3, 4)", "Rect2(1, 2, 3, 4)",
	"Rect2i(1, 2, 3, 4)", "Color(1, 0, 0, 0.5)", "Quaternion(0, 1, 0, 0)", "Basis(0, 0, 1, 0, 1, 0, -1, 0, 0)",
	"Transform2D(2, 0, 0, 1, 5, 5)", "Transform3D(0, 0, 1, 0, 1, 0, -1, 0, 0, 5, 5, 5)",
	"Projection(2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)", "Plane(0, 1, 0, 2)", "AABB(1, 2, 3, 4, 5, 6)", "[1, 2]",
	"[1.5]", "[\"a\"]", "[&\"a\"]", "[1, \"a\"]", "[null]", "[Vector2i(1, 2)]", "[[1]]", "[\"#ff0000\"]", "{\"a\": 1}", "{1: 2}",
	"{\"a\": \"b\"}", "{&\"a\": 1.5}", "{\"a\": SubResource(\"gradient\")}", "PackedByteArray(1, 2)", "PackedInt32Array(1, 2)",
	"PackedInt64Array(1, 2)", "PackedFloat32Array(1.5, 2)", "PackedFloat64Array(1.5, 2)", "PackedStringArray(\"a\")",
	"PackedVector2Array(1, 2)", "PackedVector3Array(1, 2, 3)", "PackedColorArray(1, 0, 0, 1)", "PackedVector4Array(1, 2, 3, 4)",
	"Array[int]([1])", "Array[String]([\"a\"])", "Array[float]([1.5])", "Array[Gradient]([SubResource(\"gradient\")])",
	"Array[ExtResource(\"2\")]([SubResource(\"data\")])", "Dictionary[String, int]({\"a\": 1})",
	"Dictionary[int, int]({1: 1})", "SubResource(\"gradient\")", "SubResource(\"texture\")", "SubResource(\"data\")",
	"SubResource(\"more\")", "[SubResource(\"gradient\")]", "[SubResource(\"data\")]", "[SubResource(\"more\")]",
]
const HEAD := "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://matrix.gd\" id=\"1\"]\n" \
		+ "[ext_resource type=\"Script\" path=\"res://data.gd\" id=\"2\"]\n" \
		+ "[ext_resource type=\"Script\" path=\"res://more.gd\" id=\"3\"]\n\n" \
		+ "[sub_resource type=\"Gradient\" id=\"gradient\"]\n\n[sub_resource type=\"GradientTexture1D\" id=\"texture\"]\n\n" \
		+ "[sub_resource type=\"Resource\" id=\"data\"]\nscript = ExtResource(\"2\")\n\n" \
		+ "[sub_resource type=\"Resource\" id=\"more\"]\nscript = ExtResource(\"3\")\n\n" \
		+ "[node name=\"Matrix\" type=\"Node\"]\nscript = ExtResource(\"1\")\n"


func _init() -> void:
	var script := "extends Node\nenum Kind { A, B, C = 12 }\n"
	var scene := HEAD
	var pairs: Array[PackedStringArray] = []
	for type: String in TYPES:
		for value: String in VALUES:
			script += "@export_storage var v%d: %s\n" % [pairs.size(), type]
			scene += "v%d = %s\n" % [pairs.size(), value]
			pairs.append([type, value])
	_write("res://matrix.gd", script)
	_write("res://matrix.tscn", scene)
	var first_line := HEAD.count("\n") + 1
	var loaded: Node = (load("res://matrix.tscn") as PackedScene).instantiate()
	var fresh: Node = (load("res://matrix.gd") as GDScript).new()
	var verdicts := ""
	for index: int in pairs.size():
		var key := "v%d" % index
		var is_kept := not _is_same(loaded.get(key), fresh.get(key))
		verdicts += "%d %s %s = %s\n" % [first_line + index, "kept" if is_kept else "dropped", pairs[index][0], pairs[index][1]]
	_write(OS.get_cmdline_user_args()[0], verdicts)
	loaded.free()
	fresh.free()
	print(SUCCESS)
	quit()


func _is_same(one: Variant, other: Variant) -> bool:
	return typeof(one) == typeof(other) and one == other


func _write(path: String, text: String) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
