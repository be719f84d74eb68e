extends RefCounted
## The values that the codec is measured with. Each is made when its turn comes and freed after it.

const MEGABYTE := 1 << 20
const ARRAY_SIZE := 100_000
const PACKED_SIZES: Dictionary[String, int] = {
	"4 KB": 4096, "64 KB": 1 << 16, "1 MB": MEGABYTE, "64 MB": 64 * MEGABYTE}
const PACKED_TYPES: Array[int] = [
	TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY, TYPE_PACKED_FLOAT32_ARRAY,
	TYPE_PACKED_FLOAT64_ARRAY, TYPE_PACKED_VECTOR2_ARRAY, TYPE_PACKED_VECTOR3_ARRAY, TYPE_PACKED_VECTOR4_ARRAY,
	TYPE_PACKED_COLOR_ARRAY,
]


## Functions that make a value, by the name of the workload.
static func all() -> Dictionary[String, Callable]:
	var workloads: Dictionary[String, Callable] = {
		"100k int": _array.bind(func(index: int) -> Variant: return index * 7919),
		"100k float": _array.bind(func(index: int) -> Variant: return index * 0.1),
		"100k bool": _array.bind(func(index: int) -> Variant: return index % 3 == 0),
		"100k Vector3": _array.bind(func(index: int) -> Variant: return Vector3(index, -index, index * 0.5)),
		"100k Color": _array.bind(func(index: int) -> Variant: return Color(index, 0.25, 0.5)),
		"100k Transform3D": _array.bind(func(index: int) -> Variant: return Transform3D(Basis(), Vector3(index, 0, 0))),
		"50k short String": _short_strings,
		"20k records": _records,
		"dictionary 100k String -> int": _string_dictionary,
		"8 MB ASCII String": _long_text.bind("All work and no play. ", 8 * MEGABYTE),
		"1 MB CJK String": _long_text.bind("日本語のテキスト", MEGABYTE / 3),
		"PackedStringArray 50k": func() -> Variant: return PackedStringArray(_short_strings()),
	}
	for type in PACKED_TYPES:
		for size_name: String in PACKED_SIZES:
			var workload := "%s %s" % [type_string(type), size_name]
			workloads[workload] = _packed.bind(type, PACKED_SIZES[size_name])
	workloads["RPC dictionary"] = func() -> Variant: return {
		"id": 1234, "pos": Vector3(1, 2, 3), "anim": "run", "hp": 87.5}
	workloads["one int"] = func() -> Variant: return 12345
	workloads["one bool"] = func() -> Variant: return true
	workloads["one short String"] = func() -> Variant: return "player_one"
	return workloads


## For `encode_batch`: large enough for every core, in independent parts.
static func batch() -> Array:
	var parts: Array = []
	for index: int in 64:
		parts.append(_packed(TYPE_PACKED_FLOAT32_ARRAY, MEGABYTE))
	return parts


static func _array(element: Callable) -> Variant:
	var array: Array = []
	array.resize(ARRAY_SIZE)
	for index: int in ARRAY_SIZE:
		array[index] = element.call(index)
	return array


static func _short_strings() -> Array:
	var array: Array = []
	for index: int in 50_000:
		array.append("item_%d" % index)
	return array


static func _records() -> Variant:
	var records: Array = []
	for index: int in 20_000:
		records.append({
			"id": index, "name": "entity_%d" % index, "pos": Vector3(index, 1, -index), "hp": index * 0.37,
			"tags": ["enemy", "flying"]})
	return records


static func _string_dictionary() -> Variant:
	var dictionary := {}
	for index: int in ARRAY_SIZE:
		dictionary["key_%d" % index] = index
	return dictionary


static func _long_text(part: String, length: int) -> Variant:
	return part.repeat(length / part.length())


## Not zeros: those would come from memory that was never touched.
static func _packed(type: int, byte_count: int) -> Variant:
	var bytes: PackedByteArray = []
	bytes.resize(byte_count / 48 * 48)
	bytes.fill(0x3f)
	match type:
		TYPE_PACKED_INT32_ARRAY: return bytes.to_int32_array()
		TYPE_PACKED_INT64_ARRAY: return bytes.to_int64_array()
		TYPE_PACKED_FLOAT32_ARRAY: return bytes.to_float32_array()
		TYPE_PACKED_FLOAT64_ARRAY: return bytes.to_float64_array()
		TYPE_PACKED_VECTOR2_ARRAY: return bytes.to_vector2_array()
		TYPE_PACKED_VECTOR3_ARRAY: return bytes.to_vector3_array()
		TYPE_PACKED_VECTOR4_ARRAY: return bytes.to_vector4_array()
		TYPE_PACKED_COLOR_ARRAY: return bytes.to_color_array()
	return bytes
