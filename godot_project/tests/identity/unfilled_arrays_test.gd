extends "res://tests/test_suite.gd"
## What is encoded into arrays that the engine has not filled: whatever stood in the memory before, our bytes are the
## engine's.

const Hex := preload("res://tests/support/hex.gd")
const Oracle := preload("res://tests/support/oracle.gd")

const PACKED_TYPES: Array[Variant.Type] = [TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY,
	TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY, TYPE_PACKED_VECTOR2_ARRAY, TYPE_PACKED_VECTOR3_ARRAY,
	TYPE_PACKED_COLOR_ARRAY, TYPE_PACKED_VECTOR4_ARRAY]
## Bytes of an element, in the order of the types.
const ELEMENT_SIZES: PackedInt32Array = [1, 4, 8, 4, 8, 8, 12, 16, 16]
## From these lengths on, in bytes, arrays are copied by the library, into one that was asked for in another way, and by several
## threads.
const LIMITS: PackedInt32Array = [1 << 10, 1 << 14, 1 << 22]
## Units from which on texts are cut, and from which on they are written past the cache.
const TEXT_LIMITS: PackedInt32Array = [1 << 14, 1 << 17, 1 << 21]
const SCRIPTS: PackedStringArray = ["a", "é", "日", "😀"]


func test_packed_arrays() -> Outcome:
	var random := RandomNumberGenerator.new()
	random.seed = options.rng_seed
	for index: int in PACKED_TYPES.size():
		for limit in LIMITS:
			for more: int in range(-2, 3):
				var count := limit / ELEMENT_SIZES[index] + more
				var elements := _random_bytes(random, count * ELEMENT_SIZES[index])
				_compare(_packed_array(PACKED_TYPES[index], count, elements), "%d of %s" % [count, type_string(PACKED_TYPES[index])])
	return DONE


func test_texts() -> Outcome:
	for limit in TEXT_LIMITS:
		for script: String in SCRIPTS:
			for more: int in range(-2, 3):
				_compare(script.repeat(limit + more), "%d times %s" % [limit + more, script])
			# Seen only at the end.
			_compare("a".repeat(limit + 1) + script, "%s behind %d" % [script, limit + 1])
	return DONE


func test_values() -> Outcome:
	for count: int in [1500, 5000, 30_000]:
		var records: Array = []
		var strings: PackedStringArray = []
		var entries: Dictionary = {}
		for number: int in count:
			records.append({"number": number, "name": "record %d" % number, "place": Vector3(number, 0, 0)})
			strings.append("ä".repeat(number % 20) + str(number))
			entries[str(number)] = number
		_compare(records, "%d records" % count)
		_compare(strings, "%d strings" % count)
		_compare(entries, "%d entries" % count)
		_compare([records, strings, entries, "日".repeat(count)], "all of them, %d each" % count)
	return DONE


## The length is reckoned from a few elements.
func test_misleading_samples() -> Outcome:
	var records: Array = []
	var entries: Dictionary = {}
	for number: int in 10_000:
		records.append({"number": number, "text": "x".repeat(number / 20)})
		entries[number] = "y".repeat(1 if number < 100 else 300)
	_compare(records, "longer and longer records")
	_compare(entries, "short entries first")
	records.reverse()
	_compare(records, "shorter and shorter records")
	records[0] = {"blob": "z".repeat(8 << 20)}
	_compare(records, "one long text among records")
	return DONE


func _compare(value: Variant, what: String) -> void:
	var bytes := Oracle.encode(value)
	for length: int in [bytes.size(), 2 * bytes.size()]:
		_spoil(length)
		var ours := FastVariant.encode(value)
		if bytes != ours:
			fail("%s: %s" % [what, Hex.difference(bytes, ours)])


## Leaves something in the memory that comes next.
func _spoil(length: int) -> void:
	var garbage := PackedByteArray()
	garbage.resize(length)
	garbage.fill(0xAB)


## Through the engine's decoder.
func _packed_array(type: Variant.Type, count: int, elements: PackedByteArray) -> Variant:
	var bytes := PackedByteArray()
	bytes.resize(8)
	bytes.encode_u32(0, type)
	bytes.encode_u32(4, count)
	bytes.append_array(elements)
	bytes.resize((bytes.size() + 3) / 4 * 4)
	return bytes_to_var(bytes)


func _random_bytes(random: RandomNumberGenerator, length: int) -> PackedByteArray:
	const BLOCK := 1009
	var bytes := PackedByteArray()
	for index: int in BLOCK:
		bytes.append(random.randi() % 256)
	while bytes.size() < length:
		bytes.append_array(bytes)
	return bytes.slice(0, length)
