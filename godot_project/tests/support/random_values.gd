extends RefCounted
## Random values of every type that holds no other values.

const RandomNumbers := preload("res://tests/support/random_numbers.gd")
const RandomTexts := preload("res://tests/support/random_texts.gd")
const ObjectPool := preload("res://tests/support/object_pool.gd")

## One packed array in this many is long: past every threshold for bulk copies and for more than one thread.
const LONG_ARRAY_ODDS := 400
const LONG_ARRAY_BYTES := 200_000

var numbers: RandomNumbers
var texts: RandomTexts
var objects: ObjectPool


func _init(random_numbers: RandomNumbers, object_pool: ObjectPool) -> void:
	numbers = random_numbers
	texts = RandomTexts.new(numbers)
	objects = object_pool


## `type` is anything but Array and Dictionary.
func of_type(type: int) -> Variant:
	match type:
		TYPE_NIL: return null
		TYPE_BOOL: return numbers.one_in(2)
		TYPE_INT: return numbers.integer()
		TYPE_FLOAT: return numbers.number()
		TYPE_STRING: return texts.text()
		TYPE_STRING_NAME: return texts.name()
		TYPE_NODE_PATH: return texts.path()
		TYPE_RID: return rid_from_int64(0 if numbers.one_in(4) else numbers.bits_64())
		TYPE_OBJECT: return objects.any()
		TYPE_CALLABLE: return _callable()
		TYPE_SIGNAL: return _signal()
	return _packed(type) if type >= TYPE_PACKED_BYTE_ARRAY else _math(type)


func _math(type: int) -> Variant:
	match type:
		TYPE_VECTOR2: return _vector2()
		TYPE_VECTOR2I: return Vector2i(numbers.int_32(), numbers.int_32())
		TYPE_RECT2: return Rect2(_vector2(), _vector2())
		TYPE_RECT2I: return Rect2i(numbers.int_32(), numbers.int_32(), numbers.int_32(), numbers.int_32())
		TYPE_VECTOR3: return _vector3()
		TYPE_VECTOR3I: return Vector3i(numbers.int_32(), numbers.int_32(), numbers.int_32())
		TYPE_TRANSFORM2D: return Transform2D(_vector2(), _vector2(), _vector2())
		TYPE_VECTOR4: return _vector4()
		TYPE_VECTOR4I: return Vector4i(numbers.int_32(), numbers.int_32(), numbers.int_32(), numbers.int_32())
		TYPE_PLANE: return Plane(_vector3(), numbers.real())
		TYPE_QUATERNION: return Quaternion(numbers.real(), numbers.real(), numbers.real(), numbers.real())
		TYPE_AABB: return AABB(_vector3(), _vector3())
		TYPE_BASIS: return Basis(_vector3(), _vector3(), _vector3())
		TYPE_TRANSFORM3D: return Transform3D(Basis(_vector3(), _vector3(), _vector3()), _vector3())
		TYPE_PROJECTION: return Projection(_vector4(), _vector4(), _vector4(), _vector4())
	return _color()


func _vector2() -> Vector2:
	return Vector2(numbers.real(), numbers.real())


func _vector3() -> Vector3:
	return Vector3(numbers.real(), numbers.real(), numbers.real())


func _vector4() -> Vector4:
	return Vector4(numbers.real(), numbers.real(), numbers.real(), numbers.real())


func _color() -> Color:
	return Color(numbers.real(), numbers.real(), numbers.real(), numbers.real())


func _callable() -> Callable:
	match numbers.below(5):
		0: return Callable()
		1: return objects.live_node().get_name
		2: return func() -> int: return 1
		3: return print.bind(1, "two")
	return Callable(objects.live_node(), &"no_such_method")


func _signal() -> Signal:
	match numbers.below(4):
		0: return Signal()
		1: return objects.live_node().ready
		2: return objects.signal_of_freed()
	return Signal(objects.live_node(), texts.name())


func _packed(type: int) -> Variant:
	if type == TYPE_PACKED_STRING_ARRAY:
		var strings: PackedStringArray = []
		for index: int in _element_count(64):
			strings.append(texts.text())
		return strings
	return _packed_from_bytes(type)


## Any bytes are good elements; many zeros, because random bytes hardly ever make a small number.
func _packed_from_bytes(type: int) -> Variant:
	var element_len: int = {
		TYPE_PACKED_BYTE_ARRAY: 1, TYPE_PACKED_INT32_ARRAY: 4, TYPE_PACKED_FLOAT32_ARRAY: 4, TYPE_PACKED_VECTOR3_ARRAY: 12,
		TYPE_PACKED_COLOR_ARRAY: 16, TYPE_PACKED_VECTOR4_ARRAY: 16,
	}.get(type, 8)
	var bytes: PackedByteArray = []
	bytes.resize(_element_count(element_len) * element_len)
	for index: int in mini(bytes.size(), 64):
		bytes[index] = 0 if numbers.one_in(3) else numbers.below(256)
	match type:
		TYPE_PACKED_INT32_ARRAY: return bytes.to_int32_array()
		TYPE_PACKED_INT64_ARRAY: return bytes.to_int64_array()
		TYPE_PACKED_FLOAT32_ARRAY: return bytes.to_float32_array()
		TYPE_PACKED_FLOAT64_ARRAY: return bytes.to_float64_array()
		TYPE_PACKED_VECTOR2_ARRAY: return bytes.to_vector2_array()
		TYPE_PACKED_VECTOR3_ARRAY: return bytes.to_vector3_array()
		TYPE_PACKED_COLOR_ARRAY: return bytes.to_color_array()
		TYPE_PACKED_VECTOR4_ARRAY: return bytes.to_vector4_array()
	return bytes


func _element_count(element_len: int) -> int:
	if numbers.one_in(LONG_ARRAY_ODDS):
		return numbers.below(LONG_ARRAY_BYTES / element_len)
	return numbers.below(6) if numbers.one_in(2) else numbers.below(20)
