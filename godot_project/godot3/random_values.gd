extends Reference
# Random values of every type of Godot 3.6, with a preference for borders.

const INTS := [0, 1, -1, 127, 255, 2147483647, 2147483648, -2147483648, -2147483649, 9223372036854775807]
const FLOATS := [0.0, -0.0, 0.1, 1.5, -1.0, 16777217.0, 1e300, -1e-300, INF, -INF, NAN]
const CHARS := "abcXYZ019 _/:.-äß日本€\n\t\"\\"
const MAX_COUNT := 5

var _rng := RandomNumberGenerator.new()
var _nodes := []


func _init(rng_seed: int) -> void:
	_rng.seed = rng_seed


# A value that nests at most `levels` deep.
func any(levels: int):
	var type := _rng.randi_range(0, TYPE_MAX - 1)
	if levels > 0 and _one_in(4):
		type = TYPE_DICTIONARY if _one_in(2) else TYPE_ARRAY
	elif levels == 0 and type in [TYPE_DICTIONARY, TYPE_ARRAY]:
		type = TYPE_STRING
	match type:
		TYPE_NIL: return null
		TYPE_BOOL: return _one_in(2)
		TYPE_INT: return integer()
		TYPE_REAL: return number()
		TYPE_STRING: return text()
		TYPE_NODE_PATH: return _path()
		TYPE_RID: return RID()
		TYPE_OBJECT: return _object()
		TYPE_DICTIONARY: return _dictionary(levels)
		TYPE_ARRAY: return _array(levels)
	return _pool(type) if type >= TYPE_RAW_ARRAY else _math(type)


func integer() -> int:
	if _one_in(3):
		return INTS[_rng.randi_range(0, INTS.size() - 1)]
	if _one_in(2):
		return _rng.randi_range(-1000, 1000)
	return (_rng.randi() << 32) | _rng.randi()


func number() -> float:
	if _one_in(3):
		return FLOATS[_rng.randi_range(0, FLOATS.size() - 1)]
	if _one_in(2):
		return _rng.randi_range(-1000, 1000) / 8.0
	return _rng.randf_range(-1e9, 1e9)


func text() -> String:
	var result := ""
	for _index in _rng.randi_range(0, 3 * MAX_COUNT):
		result += CHARS[_rng.randi_range(0, CHARS.length() - 1)]
	return result


# Godot complains about empty names between colons.
func _path() -> NodePath:
	var path := text().replace(":", ".")
	for _index in _count() / 2:
		path += ":" + text().replace(":", ".") + "x"
	return NodePath(path)


# Nodes live until the end; their ids are what is encoded.
func free_objects() -> void:
	for node in _nodes:
		node.free()


func _one_in(count: int) -> bool:
	return _rng.randi_range(1, count) == 1


func _count() -> int:
	return _rng.randi_range(0, MAX_COUNT)


func _object() -> Object:
	if _one_in(3):
		return null
	if _nodes.size() < 50:
		_nodes.append(Node.new())
	return _nodes[_rng.randi_range(0, _nodes.size() - 1)]


func _dictionary(levels: int) -> Dictionary:
	var result := {}
	for _index in _count():
		# No containers: two that hold the same are two keys here, and one key in Godot 4.
		result[any(0)] = any(levels - 1)
	return result


func _array(levels: int) -> Array:
	var result := []
	for _index in _count():
		result.append(any(levels - 1))
	return result


func _vector2() -> Vector2:
	return Vector2(number(), number())


func _vector3() -> Vector3:
	return Vector3(number(), number(), number())


func _color() -> Color:
	return Color(number(), number(), number(), number())


func _math(type: int):
	match type:
		TYPE_VECTOR2: return _vector2()
		TYPE_RECT2: return Rect2(_vector2(), _vector2())
		TYPE_VECTOR3: return _vector3()
		TYPE_TRANSFORM2D: return Transform2D(_vector2(), _vector2(), _vector2())
		TYPE_PLANE: return Plane(number(), number(), number(), number())
		TYPE_QUAT: return Quat(number(), number(), number(), number())
		TYPE_AABB: return AABB(_vector3(), _vector3())
		TYPE_BASIS: return Basis(_vector3(), _vector3(), _vector3())
		TYPE_TRANSFORM: return Transform(_vector3(), _vector3(), _vector3(), _vector3())
	return _color()


func _pool(type: int):
	var elements := []
	for _index in _count():
		match type:
			TYPE_RAW_ARRAY: elements.append(_rng.randi_range(0, 255))
			TYPE_INT_ARRAY: elements.append(_rng.randi() - 2147483648)
			TYPE_REAL_ARRAY: elements.append(number())
			TYPE_STRING_ARRAY: elements.append(text())
			TYPE_VECTOR2_ARRAY: elements.append(_vector2())
			TYPE_VECTOR3_ARRAY: elements.append(_vector3())
			_: elements.append(_color())
	match type:
		TYPE_RAW_ARRAY: return PoolByteArray(elements)
		TYPE_INT_ARRAY: return PoolIntArray(elements)
		TYPE_REAL_ARRAY: return PoolRealArray(elements)
		TYPE_STRING_ARRAY: return PoolStringArray(elements)
		TYPE_VECTOR2_ARRAY: return PoolVector2Array(elements)
		TYPE_VECTOR3_ARRAY: return PoolVector3Array(elements)
	return PoolColorArray(elements)
