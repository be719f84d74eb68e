extends SceneTree
## Writes values as this engine turns them into text, for the tests of the crate `tscn`.
##
##   godot --headless -s res://tools/write_values.gd -- FILE
##
## Each line holds a value's bytes (`var_to_bytes`) and its text (`var_to_str`), both hexadecimal, with a tab between.

const GoldenValues := preload("res://tools/golden_values.gd")

const SUCCESS := "values: WRITTEN"
const COUNT := 3000
const SEED := 4

var _random := RandomNumberGenerator.new()
var _values: Array = []
var _keys: Array = []
var _lines: PackedStringArray = []


func _init() -> void:
	_random.seed = SEED
	for row: Array in GoldenValues.values():
		var value: Variant = row[1]
		# Bytes do not hold everything: objects, typed arrays of them, a byte order mark at the start of a text.
		if var_to_str(bytes_to_var(var_to_bytes(value))) == var_to_str(value) and _is_sortable(value):
			_values.append(value)
			_append(value)
	_keys = [null, true, false, INF, -INF, 0.5, -3, 7, 1 << 40, "", "b", &"a", "B", "\u00e9", "\U01F600", &"z'", "a\"b"]
	for index in COUNT:
		_append(_container(3))
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	file.store_string("\n".join(_lines) + "\n")
	file.close()
	print(SUCCESS)
	quit()


## Whether the engine's order of all keys depends on nothing but the keys: it has no order for NaN and for many types, and
## none for StringNames among types whose number is between those of String and StringName.
func _is_sortable(value: Variant) -> bool:
	var parts: Array = []
	if value is Array:
		parts = value
	elif value is Dictionary:
		var dictionary: Dictionary = value
		parts = dictionary.values()
		var types := dictionary.keys().map(func(key: Variant) -> int: return typeof(key))
		if types.any(func(type: int) -> bool: return type > TYPE_STRING and type != TYPE_STRING_NAME):
			return false
		if dictionary.keys().any(func(key: Variant) -> bool: return is_same(key, NAN)):
			return false
	return parts.all(_is_sortable)


func _append(value: Variant) -> void:
	_lines.append(var_to_bytes(value).hex_encode() + "\t" + var_to_str(value).to_utf8_buffer().hex_encode())


func _container(depth: int) -> Variant:
	if _random.randi() % 2 == 0:
		var array: Array = []
		for index in _random.randi() % 5:
			array.append(_value(depth))
		return array
	var dictionary := {}
	for index in _random.randi() % 9:
		dictionary[_keys[_random.randi() % _keys.size()]] = _value(depth)
	return dictionary


func _value(depth: int) -> Variant:
	if depth > 0 and _random.randi() % 3 == 0:
		return _container(depth - 1)
	if _random.randi() % 3 == 0:
		return _random.randfn() * pow(10.0, _random.randi_range(-12, 12))
	return _values[_random.randi() % _values.size()]
