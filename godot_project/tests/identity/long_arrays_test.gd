extends "res://tests/test_suite.gd"
## Long arrays of bare numbers and vectors, which are written and read in runs: our bytes are the engine's, and so is what
## we decode from them. Stretches of one type change within and between the runs.

const Hex := preload("res://tests/support/hex.gd")
const Oracle := preload("res://tests/support/oracle.gd")

const TYPES: Array[Variant.Type] = [TYPE_NIL, TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_STRING, TYPE_VECTOR2, TYPE_VECTOR3,
	TYPE_VECTOR3I, TYPE_COLOR, TYPE_TRANSFORM3D, TYPE_DICTIONARY]
## Around the length of a run, and long enough for another way than through the buffer.
const LENGTHS: PackedInt32Array = [1, 63, 64, 65, 128, 200, 20_000]

var _random := RandomNumberGenerator.new()


func test_one_type() -> Outcome:
	_random.seed = options.rng_seed
	for type in TYPES:
		for length in LENGTHS:
			_compare(_stretch(type, length), "%d of type %s" % [length, type_string(type)])
	return DONE


func test_stretches_of_types() -> Outcome:
	_random.seed = options.rng_seed
	for number: int in 200:
		var array: Array = []
		for stretch: int in _random.randi_range(1, 6):
			array.append_array(_stretch(TYPES[_random.randi() % TYPES.size()], _random.randi_range(1, 140)))
		_compare(array, "array number %d of seed %d" % [number, options.rng_seed])
	return DONE


func test_typed() -> Outcome:
	_random.seed = options.rng_seed
	for type in TYPES:
		if type == TYPE_NIL:
			continue
		for length in LENGTHS:
			var array := Array(_stretch(type, length), type, &"", null)
			_compare(array, "%d of Array[%s]" % [length, type_string(type)])
	return DONE


## Bytes of a typed array with elements of other types among them: the engine converts some, and drops others.
func test_typed_with_others_among_them() -> Outcome:
	_random.seed = options.rng_seed
	for declared: Variant.Type in [TYPE_INT, TYPE_FLOAT, TYPE_COLOR]:
		var head := var_to_bytes(Array([], declared, &"", null))
		for number: int in 60:
			var elements := _stretch(declared, 70) + _stretch(TYPES[_random.randi() % TYPES.size()], 3) + _stretch(declared, 130)
			head.encode_u32(head.size() - 4, elements.size())
			var bytes := head.duplicate()
			for element: Variant in elements:
				bytes.append_array(var_to_bytes(element))
			Engine.print_error_messages = false
			var expected: Variant = bytes_to_var(bytes)
			var actual: Variant = FastVariant.decode(bytes)
			Engine.print_error_messages = true
			_check_same(expected, actual, "Array[%s] number %d" % [type_string(declared), number])
	return DONE


func _compare(value: Array, what: String) -> void:
	var bytes := Oracle.encode(value)
	var ours := FastVariant.encode(value)
	if bytes != ours:
		fail("%s: %s" % [what, Hex.difference(bytes, ours)])
	check_equal(FastVariant.encoded_size(value), bytes.size(), what)
	_check_same(bytes_to_var(bytes), FastVariant.decode(bytes), what)
	for cut: int in [1, 4, 5, 8, 700]:
		if cut < bytes.size():
			var part := bytes.slice(0, bytes.size() - cut)
			check(not FastVariant.try_decode(part).ok, "%s: %d bytes are missing" % [what, cut])


## To the bit: also where a comparison sees no difference, or sees one where NaNs are.
func _check_same(expected: Variant, actual: Variant, what: String) -> void:
	check_equal(typeof(actual), typeof(expected), what)
	if var_to_bytes(expected) != var_to_bytes(actual):
		fail("%s: %s" % [what, Hex.difference(var_to_bytes(expected), var_to_bytes(actual))])


func _stretch(type: Variant.Type, length: int) -> Array:
	var array: Array = []
	array.resize(length)
	for index: int in length:
		array[index] = _element(type)
	return array


func _element(type: Variant.Type) -> Variant:
	match type:
		TYPE_BOOL:
			return _random.randi() % 2 == 0
		TYPE_INT:
			return _integer()
		TYPE_FLOAT:
			return _number()
		TYPE_STRING:
			return "text %d" % (_random.randi() % 100)
		TYPE_VECTOR2:
			return Vector2(_number(), _number())
		TYPE_VECTOR3:
			return Vector3(_number(), _number(), _number())
		TYPE_VECTOR3I:
			return Vector3i(_random.randi(), 2, 3)
		TYPE_COLOR:
			return Color(_number(), _random.randf(), 0.5, 1.0)
		TYPE_TRANSFORM3D:
			return Transform3D(Basis.from_euler(Vector3(_number(), 1, 2)), Vector3(_number(), 0, -1))
		TYPE_DICTIONARY:
			return {"key": _random.randi() % 10}
	return null


func _integer() -> int:
	return [_random.randi() % 100 - 50, _random.randi() << _random.randi_range(0, 40)][_random.randi() % 2]


func _number() -> float:
	var numbers: PackedFloat64Array = [_random.randf(), _random.randi() % 100 * 0.5, NAN, INF, -0.0, 1e300]
	return numbers[_random.randi() % numbers.size()]
