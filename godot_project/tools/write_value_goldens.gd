extends SceneTree
## Writes the golden file of text values: what this engine reads from each text.
##
##   godot --headless -s res://tools/write_value_goldens.gd -- OUTPUT
##
## scripts/data/goldens.sh runs it in a project without our library.

const GoldenValues := preload("res://tools/golden_values.gd")

const SUCCESS := "goldens: WRITTEN"
const SEED := 5
const RANDOM_COUNT := 400

const HEAD := """# What Godot %s reads from texts (`str_to_var`). Written by scripts/data/goldens.sh; do not edit.
# The text as JSON, a tab, and the value's bytes (`var_to_bytes_with_objects`) in hexadecimal, or nothing if the text is refused.
"""

## Older spellings, odd forms, and what is refused.
const TEXTS: PackedStringArray = [
	"null", "nil", "true", "false", "True", "inf", "-inf", "inf_neg", "nan", "NaN", "Infinity",
	"0", "-0", "01", "007", "-12", "9223372036854775807", "-9223372036854775808", "99999999999999999999",
	"-99999999999999999999", "1.", "1.5", "-1.5e3", "1e3", "1E+3", "1e-3", "1.5e", "2e", "1e400", "1e-400", "+1", ".5",
	"0.1", "0.30000001", "123456789.123456789", "12345678901234567890.5", "0.00000000000000000001234567",
	"1.7976931348623157e308", "2.2250738585072014e-308", "5e-324", "3.14159265358979323846264338327950288",
	'""', '"a"', '"a\nb"', '"\\n\\t\\b\\f\\r\\"\\\\\\a\\v\\q"', '"\\u00e9\\u0041"', '"\\ud83d\\ude00"', '"\\U01F600"',
	'"\\ud83d"', '"\\u12"', '"é😀"', "'a'", '&"a"', '@"a"', '^"a"', '"a',
	# At the very end of a text a colour is not read.
	"#f00\n", "#ff0000\n", "#ff000080\n", "#FfA07a\n", "#f008\n", "[#f00]", "#12\n",
	"[]", "[1]", "[1,]", "[1, 2, [3, []]]", "[1 2]", "[,]", "[", "[1; comment\n, 2]", " [ 1 , 2 ] ",
	"{}", '{"a": 1}', '{"a": 1,}', '{1: 2, "b": {}}', '{"a": 1, "a": 2}', '{&"a": 1, "a": 2}', "{a: 1}", "{1}", '{"a" 1}',
	"{[1]: 2}", "{1: 1, 1.0: 2}", "{Vector2(1, 2): 3}",
	"Vector2(1, 2)", "Vector2( 1, 2 )", "Vector2(1,2,3)", "Vector2(1)", "Vector2(1, 2,)", "Vector2(inf, -inf)", "Vector2(nan, 1e)",
	"Vector2i(1.9, -2.9)", "Vector2i(4294967297, 2)", "Vector3(0.1, 0.2, 0.3)", "Vector3i(1, 2, 3)", "Vector4(1, 2, 3, 4)",
	"Vector4i(1, 2, 3, 4)", "Rect2(1, 2, 3, 4)", "Rect2i(1, 2, 3, 4)", "Transform2D(1, 2, 3, 4, 5, 6)",
	"Matrix32(1, 2, 3, 4, 5, 6)", "Plane(1, 2, 3, 4)", "Quaternion(1, 2, 3, 4)", "Quat(1, 2, 3, 4)",
	"AABB(1, 2, 3, 4, 5, 6)", "Rect3(1, 2, 3, 4, 5, 6)", "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)",
	"Matrix3(1, 2, 3, 4, 5, 6, 7, 8, 9)", "Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
	"Transform(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)", "Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)",
	"Color(1, 0.5, 0, 1)", "Color(1, 1, 1)", "Vector5(1)", "vector2(1, 2)", "Vector2", "Vector2 (1, 2)", "Vector2[1, 2]",
	'NodePath("")', 'NodePath("a/b")', 'NodePath("/root/a:b:c")', 'NodePath("..:")', 'NodePath("a//b/")', 'NodePath(":a:b")',
	'NodePath("a::b")', 'NodePath(":")', "NodePath(1)", "NodePath()", 'NodePath(&"a")', 'NodePath("a b:c d")',
	"RID()", "RID(5)", "RID(1.5)", 'RID("a")', "Signal()", "Callable()",
	"Array[int]([1, 2])", "Array[String]([])", 'Array[StringName]([&"a"])', "Array[Node]([])", "Array[float]([1.5])",
	"Array[int]", "Array(1)", "Array[int]([1)", "Array[Array]([[1]])", "Array[Variant]([1])",
	'Dictionary[String, int]({"a": 1})', "Dictionary[int, Variant]({1: []})", "Dictionary[Variant, Variant]({})",
	"Dictionary[int]({})",
	"PackedByteArray()", "PackedByteArray(1, 2, 255)", "PackedByteArray(256, -1)", 'PackedByteArray("AQID")',
	'PackedByteArray("")', 'PackedByteArray("AQ")', 'PackedByteArray("AQ==")', "PackedByteArray(1,)", "PackedByteArray(1.7)",
	"PoolByteArray(1, 2)", "ByteArray(1, 2)", 'PoolByteArray("AQID")',
	"PackedInt32Array(1, -2)", "PackedInt32Array(4294967296)", "PackedIntArray(1)", "PoolIntArray(1)", "IntArray( 1, 2 )",
	"PackedInt64Array(1, -9223372036854775808)", "PackedFloat32Array(0.1, inf)", "PackedRealArray(1)", "PoolRealArray(1, 2.5)",
	"FloatArray(1)", "PackedFloat64Array(0.1, 1e300)", 'PackedStringArray("a", "b\\n")', 'PackedStringArray("a",)',
	"PackedStringArray()", "PackedStringArray(1)", 'PoolStringArray("a")', 'StringArray("a", "b")',
	"PackedVector2Array(1, 2, 3, 4)", "PackedVector2Array(1, 2, 3)", "PoolVector2Array(1, 2)", "Vector2Array(1, 2)",
	"PackedVector3Array(1, 2, 3)", "PoolVector3Array(1, 2, 3)", "Vector3Array(1, 2, 3)", "PackedVector4Array(1, 2, 3, 4)",
	"PoolVector4Array(1, 2, 3, 4)", "Vector4Array(1, 2, 3, 4)", "PackedColorArray(1, 1, 1, 1)",
	"PackedColorArray(1, 2, 3)", "PoolColorArray(1, 1, 1, 1)", "ColorArray(1, 1, 1, 1)",
	"", "   ", "; comment", "1 ; comment", "; comment\n1", "=", ")", "]", "$a", "a.b",
]


func _init() -> void:
	var version := Engine.get_version_info()
	var lines: PackedStringArray = [(HEAD % "{major}.{minor}.{patch}-{status}".format(version)).strip_edges()]
	for text in _texts():
		Engine.print_error_messages = false
		var value: Variant = str_to_var(text)
		Engine.print_error_messages = true
		# A refused text gives null.
		var is_read := value != null or text.contains("null") or text.contains("nil")
		lines.append("%s\t%s" % [_json(text), var_to_bytes_with_objects(value).hex_encode() if is_read else ""])
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	file.store_string("\n".join(lines) + "\n")
	file.close()
	print(SUCCESS)
	quit()


## Godot leaves control characters in JSON as they are.
func _json(text: String) -> String:
	var json := JSON.stringify(text)
	for code in range(1, 32):
		json = json.replace(String.chr(code), "\\u%04x" % code)
	return json


func _texts() -> PackedStringArray:
	var texts := TEXTS.duplicate()
	for row in GoldenValues.values():
		var text := var_to_str(row[1])
		if not text.contains("Object(") and not text.contains("Resource("):
			texts.append(text)
	var random := RandomNumberGenerator.new()
	random.seed = SEED
	for index in RANDOM_COUNT:
		var number := random.randf_range(-1.0, 1.0) * pow(10.0, random.randi_range(-30, 30))
		texts.append(var_to_str(number))
		texts.append(var_to_str(Vector3(number, random.randf(), random.randfn(0.0, 1000.0))))
		texts.append("%.*f" % [random.randi_range(0, 25), number])
	return texts
