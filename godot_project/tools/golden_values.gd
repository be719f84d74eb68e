extends RefCounted
## The values whose bytes are goldens: several of each type, chosen for the borders of the wire format.

## Bytes that no value of a running game is encoded to: fixed ids, texts that the engine's strings cannot hold, what is
## read but never written, and the leniencies of the decoder.
const CRAFTED: Array[Array] = [
	["bool from any non-zero", "01000000" + "00000080"],
	["unused header bits", "02ff0400" + "07000000"],
	["wide int that is small", "02000100" + "0700000000000000"],
	["wide float that is small", "03000100" + "000000000000f03f"],
	["wide Vector2", "05000100" + "000000000000f03f" + "9a9999999999b93f"],
	["wide Transform3D", "12000100" + "000000000000f03f000000000000004000000000000008400000000000001040"
			+ "0000000000001440000000000000184000000000000020400000000000002240" + "00000000000024400000000000002640"
			+ "00000000000028400000000000002a40"],
	["wide PackedVector3Array", "24000100" + "01000000" + "000000000000f03f0000000000000040000000000000f8ff"],
	["String with NUL", "04000000" + "03000000" + "41004200"],
	["String with NUL, then no UTF-8", "04000000" + "04000000" + "4100ffff"],
	["String with padding that is not zero", "04000000" + "01000000" + "41ffffff"],
	["String of two byte order marks", "04000000" + "06000000" + "efbbbfefbbbf0000"],
	["String that is cut in a character", "04000000" + "02000000" + "e6970000"],
	["String that is an overlong character", "04000000" + "02000000" + "c0800000"],
	["String that is a surrogate", "04000000" + "03000000" + "eda08000"],
	["String beyond the last character", "04000000" + "04000000" + "f4908080"],
	["String of negative length", "04000000" + "ffffffff"],
	["NodePath with its property apart", "16000000" + "01000080" + "00000000" + "02000000" + "0100000061000000"
			+ "0100000062000000"],
	["NodePath of names with separators", "16000000" + "02000080" + "01000000" + "00000000" + "03000000612f6200"
			+ "0000000002000000633a0000"],
	["NodePath in the obsolete format", "16000000" + "01000000" + "61000000"],
	["Object by id", "18000100" + "0807060504030201"],
	["Object by id 0", "18000100" + "0000000000000000"],
	["Object with properties", "18000000" + "08000000" + "5265736f75726365" + "01000000" + "0d000000"
			+ "7265736f757263655f6e616d65000000" + "04000000" + "01000000" + "78000000"],
	["Object without class", "18000000" + "00000000"],
	["Array of ids", "1c000000" + "02000000" + "180001000100000000000080" + "180001000000000000000000"],
	["Array[Node] with an id", "1c000200" + "04000000" + "4e6f6465" + "01000000" + "180001000100000000000080"],
	["Array of a script", "1c000300" + "08000000" + "7265733a2f2f612e" + "00000000"],
	["Array typed by the number of Object", "1c000100" + "18000000" + "01000000" + "180001000100000000000080"],
	["Array typed by nil", "1c000100" + "00000000" + "01000000" + "0200000001000000"],
	["Array typed by an unknown number", "1c000100" + "27000000" + "00000000"],
	["Array[int] of other types", "1c000100" + "02000000" + "03000000" + "0300000000002040" + "0400000001000000"
			+ "31000000" + "0200000007000000"],
	["Array that claims to be shared", "1c000000" + "01000080" + "0200000007000000"],
	["Array that claims too much", "1c000000" + "ffffff7f" + "0200000007000000"],
	["Array after a PackedByteArray without padding", "1c000000" + "02000000" + "1d0000000100000007" + "00000000"],
	["Dictionary with a key twice", "1b000000" + "03000000" + "0200000001000000" + "0200000001000000"
			+ "0200000002000000" + "0200000002000000" + "0200000001000000" + "0200000003000000"],
	["Dictionary with a String and a StringName", "1b000000" + "02000000" + "040000000100000061000000"
			+ "0200000005000000" + "150000000100000061000000" + "0200000006000000"],
	["Dictionary[int, int] of other types", "1b000500" + "02000000" + "02000000" + "02000000"
			+ "040000000100000061000000" + "0200000001000000" + "0200000002000000" + "040000000100000061000000"],
	["Dictionary of classes", "1b000a00" + "04000000" + "4e6f6465" + "08000000" + "5265736f75726365" + "00000000"],
	["Dictionary of a class and a script", "1b000e00" + "04000000" + "4e6f6465" + "08000000" + "7265733a2f2f612e"
			+ "00000000"],
	["Signal of an id", "1a000000" + "05000000" + "7265616479000000" + "0807060504030201"],
	["PackedByteArray without padding", "1d000000" + "01000000" + "07"],
	["PackedInt32Array of negative size", "1e000000" + "ffffffff"],
	["PackedStringArray of negative size", "22000000" + "ffffffff"],
	["PackedStringArray without the NULs", "22000000" + "02000000" + "0100000061000000" + "00000000"],
	["bytes after the value", "0200000007000000" + "ffffffff"],
]


## Rows of label and value.
static func values() -> Array[Array]:
	var rows: Array[Array] = []
	rows.append_array(_simple())
	rows.append_array(_texts())
	rows.append_array(_math())
	rows.append_array(_references())
	rows.append_array(_containers())
	rows.append_array(_packed())
	return rows


static func _simple() -> Array[Array]:
	return [
		["null", null],
		["false", false],
		["true", true],
		["0", 0],
		["-1", -1],
		["largest 32-bit", 0x7fff_ffff],
		["smallest 32-bit", -0x8000_0000],
		["above 32-bit", 0x8000_0000],
		["below 32-bit", -0x8000_0001],
		["largest", 0x7fff_ffff_ffff_ffff],
		["smallest", -0x7fff_ffff_ffff_ffff - 1],
		["0.0", 0.0],
		["-0.0", _float("0000000000000080")],
		["1.5", 1.5],
		["0.1", 0.1],
		["inf", INF],
		["-inf", -INF],
		["largest f32", _float("000000e0ffffef47")],
		["above f32", 3.5e38],
		["smallest f32", _float("000000000000a036")],
		["below f32", _float("0000000000009036")],
		["smallest f64", _float("0100000000000000")],
		["nan", _float("000000000000f87f")],
		["nan of negative sign", _float("000000000000f8ff")],
		["nan with a payload", _float("efbeadde0000f87f")],
		["signalling nan", _float("010000000000f07f")],
	]


## GDScript has one constant for 0.0 and -0.0, and rounds extreme numbers when it reads them.
static func _float(hex: String) -> float:
	return hex.hex_decode().decode_double(0)


static func _texts() -> Array[Array]:
	return [
		["empty", ""],
		["1 byte", "a"],
		["2 bytes", "ab"],
		["3 bytes", "abc"],
		["4 bytes", "abcd"],
		["every length in UTF-8", "aü日😀"],
		["borders of the lengths", "\u007f\u0080\u07ff\u0800\uffff\U010000\U10ffff"],
		["byte order mark", "\ufeffabc"],
		["only a byte order mark", "\ufeff"],
		["control characters", "\u0001\t\n\r\u007f"],
		["longer than a vector register", "The quick brown fox jumps over the lazy dog; ä behind 45 bytes"],
		["StringName", &"position"],
		["empty StringName", &""],
		["unicode StringName", &"größe"],
		["empty NodePath", ^""],
		["relative NodePath", ^"../a/bc"],
		["absolute NodePath", ^"/root/Main"],
		["NodePath with subnames", ^"/root/Ab:position:x"],
		["NodePath of subnames only", ^":modulate:a"],
		["NodePath of a unique name", ^"%Ünïque"],
		["NodePath of the root", ^"/"],
	]


static func _math() -> Array[Array]:
	return [
		["Vector2", Vector2(1.5, -2.25)],
		["Vector2 of odd numbers", Vector2(_float("0000000000000080"), NAN)],
		["Vector2i", Vector2i(-1, 0x7fff_ffff)],
		["Rect2", Rect2(1, 2, 3.5, 4.5)],
		["Rect2i", Rect2i(-1, -2, 3, 4)],
		["Vector3", Vector3(1, -2, 0.1)],
		["Vector3 of infinities", Vector3(INF, -INF, 0)],
		["Vector3i", Vector3i(1, -2, -0x8000_0000)],
		["Transform2D", Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6))],
		["Vector4", Vector4(1, 2, 3, 4)],
		["Vector4i", Vector4i(1, -2, 3, -4)],
		["Plane", Plane(0, 1, 0, 5)],
		["Quaternion", Quaternion(0.5, -0.5, 0.5, -0.5)],
		["AABB", AABB(Vector3(1, 2, 3), Vector3(4, 5, 6))],
		["Basis", Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))],
		["Transform3D", Transform3D(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(10, 11, 12))],
		["Projection", Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16))],
		["Color", Color(0.1, 0.2, 0.3, 0.4)],
		["overbright Color", Color(2, -1, 0, 1)],
	]


static func _references() -> Array[Array]:
	var none: Object = null
	return [
		["RID 0", RID()],
		["RID", rid_from_int64(0x0102_0304_0506_0708)],
		["null Object", none],
		["null Callable", Callable()],
		["Callable", print],
		["null Signal", Signal()],
	]


static func _containers() -> Array[Array]:
	var ints: Array[int] = [1, -1, 1 << 40]
	var no_ints: Array[int] = []
	var floats: Array[float] = [1.5, 0.1]
	var texts: Array[String] = ["a", ""]
	var arrays: Array[Array] = [[1], []]
	var nodes: Array[Node] = [null]
	var ids: Array[RID] = [RID()]
	var by_text: Dictionary[String, int] = {"a": 1}
	var keys_only: Dictionary[Vector2i, Variant] = {Vector2i(1, 2): "x"}
	var values_only: Dictionary[Variant, PackedByteArray] = {1: PackedByteArray([1])}
	var of_nodes: Dictionary[Node, Resource] = {null: null}
	return [
		["empty Array", []],
		["Array", [null, true, 1, 1.5, "a", [2], {"b": 3}]],
		["nested Array", [[[[[]]]]]],
		["Array[int]", ints],
		["empty Array[int]", no_ints],
		["Array[float]", floats],
		["Array[String]", texts],
		["Array[Array]", arrays],
		["Array[Node]", nodes],
		["Array[RID]", ids],
		["empty Dictionary", {}],
		["Dictionary", {"a": 1, &"b": 2, 3: "c", 4.0: null, null: [], Vector2i.ONE: {}}],
		["Dictionary of like keys", {1: "int", 1.0: "float", "1": "String"}],
		["Dictionary with odd keys", {[1, 2]: "array", {"a": 1}: "dictionary", NAN: "nan"}],
		["Dictionary[String, int]", by_text],
		["Dictionary[Vector2i, Variant]", keys_only],
		["Dictionary[Variant, PackedByteArray]", values_only],
		["Dictionary[Node, Resource]", of_nodes],
	]


static func _packed() -> Array[Array]:
	return [
		["empty PackedByteArray", PackedByteArray()],
		["PackedByteArray of 1", PackedByteArray([255])],
		["PackedByteArray of 3", PackedByteArray([1, 2, 3])],
		["PackedByteArray of 4", PackedByteArray([1, 2, 3, 4])],
		["empty PackedInt32Array", PackedInt32Array()],
		["PackedInt32Array", PackedInt32Array([1, -1, -0x8000_0000])],
		["PackedInt64Array", PackedInt64Array([1, -1, 1 << 40])],
		["PackedFloat32Array", PackedFloat32Array([1.5, _float("0000000000000080"), NAN, INF])],
		["PackedFloat64Array", PackedFloat64Array([0.1, _float("0000000000000080"), NAN, -INF])],
		["empty PackedStringArray", PackedStringArray()],
		["PackedStringArray", PackedStringArray(["a", "bcd", "", "\ufeffü", "日本"])],
		["PackedVector2Array", PackedVector2Array([Vector2(1, 2), Vector2(3, 4)])],
		["PackedVector3Array", PackedVector3Array([Vector3(1, 2, 3)])],
		["PackedColorArray", PackedColorArray([Color(0.1, 0.2, 0.3, 0.4)])],
		["empty PackedVector4Array", PackedVector4Array()],
		["PackedVector4Array", PackedVector4Array([Vector4(1, 2, 3, 4)])],
	]
