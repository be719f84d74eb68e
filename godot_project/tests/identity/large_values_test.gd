extends "res://tests/test_suite.gd"
## Arrays and dictionaries with thousands of elements: what comes out is what the engine decodes, and broken bytes are refused
## where it refuses them. With a limit, however high, elements are counted, and nothing else changes.

const ByteStrings := preload("res://tests/support/byte_strings.gd")
const Hex := preload("res://tests/support/hex.gd")
const Nested := preload("res://tests/support/nested.gd")
const Oracle := preload("res://tests/support/oracle.gd")

const LIMITED: Dictionary[String, int] = {"max_elements": 1 << 40}
const COUNT := 12_000
## Large values take a while.
const SHARE := 400
## With fewer values, it may be chance that one verdict is rare.
const ENOUGH := 100
const WORDS: PackedStringArray = ["", "a", "name", "position", "äöü", "日本語", "\u0001", "a rather long text that comes now and then"]

var _random := RandomNumberGenerator.new()
var _accepted: int = 0
var _refused: int = 0


func test_values() -> Outcome:
	_random.seed = options.rng_seed
	var values: Dictionary[String, Variant] = {
		"Strings": _array(_text), "StringNames": _array(func() -> StringName: return StringName(_text())),
		"records": _array(_record), "Arrays": _array(_small_array), "PackedStringArray": PackedStringArray(_array(_text)),
		"paths among Strings": _array(_text_or_path),
		"anything": _array(_anything), "typed Strings": Array(_array(_text), TYPE_STRING, &"", null),
		"typed records": Array(_array(_record), TYPE_DICTIONARY, &"", null),
		"typed Arrays": Array(_array(_small_array), TYPE_ARRAY, &"", null),
		"Dictionary of numbers": _dictionary(_text, func(index: int) -> Variant: return index),
		"Dictionary of records": _dictionary(_text, func(_index: int) -> Variant: return _record()),
		"Dictionary by number": _dictionary(func() -> Variant: return _random.randi(), func(_index: int) -> Variant: return _text()),
		"Dictionary of anything": _dictionary(_anything, func(_index: int) -> Variant: return _anything()),
		"typed Dictionary": Dictionary(
			_dictionary(_text, func(_index: int) -> Variant: return _record()), TYPE_STRING, &"", null, TYPE_DICTIONARY, &"", null)}
	for title: String in values:
		_compare(Oracle.encode(values[title]), title)
	_compare(Oracle.encode(values), "all of them")
	check_equal(_refused, 0, "refused")
	return DONE


## The engine converts some elements of another type, and drops others.
func test_typed_with_others_among_them() -> Outcome:
	_random.seed = options.rng_seed
	for declared: Variant.Type in [TYPE_STRING, TYPE_STRING_NAME, TYPE_DICTIONARY, TYPE_PACKED_STRING_ARRAY]:
		var bytes := Oracle.encode(Array([], declared, &"", null))
		bytes.encode_u32(bytes.size() - 4, COUNT)
		for index: int in COUNT:
			var element: Variant = _of_type(declared)
			if index % 100 > 97:
				element = _anything()
			bytes.append_array(var_to_bytes(element))
		_compare(bytes, "Array[%s]" % type_string(declared))
	return DONE


## One element is broken, or is not, wherever it stands.
func test_damaged_bytes() -> Outcome:
	_random.seed = options.rng_seed
	var byte_strings := ByteStrings.new(options.rng_seed, false)
	var good: PackedByteArray = []
	var starts: PackedInt32Array = []
	for index: int in COUNT:
		starts.append(good.size())
		good.append_array(var_to_bytes(_text()) if index % 3 != 0 else var_to_bytes(_record()))
	var head := var_to_bytes([])
	head.encode_u32(head.size() - 4, COUNT + 1)
	var count := maxi(options.count / SHARE, 20)
	for number: int in count:
		var place := starts[_random.randi() % starts.size()]
		_compare(head + good.slice(0, place) + byte_strings.next() + good.slice(place), "byte string %d" % number)
		if failure_count > 0:
			break
	byte_strings.free_objects()
	note("%d byte strings, %d of them accepted" % [count, _accepted])
	if failure_count == 0:
		check(count < ENOUGH or (_accepted > count / 8 and _refused > count / 8), "both verdicts are frequent")
	return DONE


## Keys that come again, and broken ones.
func test_damaged_dictionaries() -> Outcome:
	_random.seed = options.rng_seed
	var byte_strings := ByteStrings.new(options.rng_seed + 1, false)
	var good: PackedByteArray = []
	var starts: PackedInt32Array = []
	for index: int in COUNT:
		starts.append(good.size())
		good.append_array(var_to_bytes("key %d" % (_random.randi() % (COUNT / 2))))
		starts.append(good.size())
		good.append_array(var_to_bytes(_text()) if index % 3 != 0 else var_to_bytes(_record()))
	var head := var_to_bytes({})
	head.encode_u32(head.size() - 4, COUNT)
	_compare(head + good, "keys that come again")
	head.encode_u32(head.size() - 4, COUNT + 1)
	for number: int in maxi(options.count / SHARE, 20):
		var place := starts[_random.randi() % starts.size()]
		var bytes := byte_strings.next() + byte_strings.next()
		_compare(head + good.slice(0, place) + bytes + good.slice(place), "byte strings %d" % number)
		if failure_count > 0:
			break
	byte_strings.free_objects()
	if failure_count == 0:
		check(_accepted > 0 and _refused > 0, "both verdicts came")
	return DONE


## Containers in containers, each of which promises many: nobody looks into all of them again at every level.
func test_nested_promises() -> Outcome:
	for type: Variant.Type in [TYPE_ARRAY, TYPE_DICTIONARY]:
		var level := PackedByteArray([type, 0, 0, 0, 0, 8, 0, 0])
		var bytes: PackedByteArray = []
		for depth: int in 1000:
			bytes.append_array(level)
			if type == TYPE_DICTIONARY:
				bytes.append_array(var_to_bytes(""))
		for index: int in 50_000:
			bytes.append_array(var_to_bytes("text"))
		_compare(bytes, "nested %ss" % type_string(type))
		_compare(Nested.promises(type, 1000, 1 << 20), "nested %ss that promise all there is" % type_string(type))
	return DONE


func test_damaged_packed_strings() -> Outcome:
	_random.seed = options.rng_seed
	var good := var_to_bytes(PackedStringArray(_array(_text)))
	for number: int in maxi(options.count / SHARE, 20):
		var bytes := good.duplicate()
		bytes[_random.randi_range(8, good.size() - 1)] = _random.randi() % 256
		_compare(bytes, "bytes number %d" % number)
	for part: int in 20:
		_compare(good.slice(0, _random.randi_range(0, good.size())), "part number %d" % part)
	check(_refused > 0 and _accepted > 0, "both verdicts came")
	return DONE


func _compare(bytes: PackedByteArray, what: String) -> void:
	var expected: Variant = Oracle.decode(bytes)
	var is_accepted := Oracle.accepted_size(bytes, false) > 0
	# Muted, because elements that do not fit into their typed container are dropped with a word.
	Engine.print_error_messages = false
	var plain := FastVariant.try_decode(bytes)
	var limited := FastVariant.try_decode(bytes, LIMITED)
	Engine.print_error_messages = true
	_accepted += int(is_accepted)
	_refused += int(not is_accepted)
	var has_other_types: bool = plain.error == "wrong_element_type"
	if not check_equal(plain.ok, is_accepted and not has_other_types, what + ": accepted"):
		return
	for property: String in ["ok", "error", "message", "path", "offset", "bytes_read"]:
		check_equal(plain.get(property), limited.get(property), "%s: %s" % [what, property])
	if is_accepted:
		var wanted := Oracle.encode_again(expected)
		for found: Variant in [_decode_quietly(bytes)] if has_other_types else [plain.value, limited.value]:
			var actual := Oracle.encode_again(found)
			if wanted != actual:
				fail("%s: %s" % [what, Hex.difference(wanted, actual)])


func _decode_quietly(bytes: PackedByteArray) -> Variant:
	Engine.print_error_messages = false
	var value: Variant = FastVariant.decode(bytes)
	Engine.print_error_messages = true
	return value


func _array(element: Callable) -> Array:
	var array: Array = []
	for index: int in COUNT:
		array.append(element.call())
	return array


func _dictionary(key: Callable, value: Callable) -> Dictionary:
	var dictionary: Dictionary = {}
	for index: int in COUNT:
		dictionary[key.call()] = value.call(index)
	return dictionary


func _text() -> String:
	var word := WORDS[_random.randi() % WORDS.size()]
	return word if _random.randf() < 0.5 else "%s %d" % [word, _random.randi()]


func _text_or_path() -> Variant:
	if _random.randf() < 0.1:
		return NodePath(_text())
	return _text()


func _record() -> Dictionary:
	return {"id": _random.randi(), "name": _text(), "tags": _small_array(), &"hp": _random.randf()}


func _small_array() -> Array:
	var array: Array = []
	for index: int in _random.randi() % 4:
		array.append(_anything())
	return array


func _of_type(type: Variant.Type) -> Variant:
	match type:
		TYPE_STRING: return _text()
		TYPE_STRING_NAME: return StringName(_text())
		TYPE_DICTIONARY: return _record()
	return PackedStringArray([_text()])


func _anything() -> Variant:
	match _random.randi() % 9:
		0: return _random.randi()
		1: return _random.randf()
		2: return _text()
		3: return NodePath(_text())
		4: return StringName(_text())
		5: return Transform3D(Basis(), Vector3(_random.randf(), 1, 2))
		6: return PackedStringArray([_text(), _text()])
		7: return {_text(): _random.randi()}
	return null
