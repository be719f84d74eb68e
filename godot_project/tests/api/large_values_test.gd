extends "res://tests/test_suite.gd"
## Values of many megabytes.

const MEGABYTE := 1 << 20


func test_64_megabytes_of_floats() -> Outcome:
	var floats: PackedFloat32Array = []
	floats.resize(16 * MEGABYTE)
	floats.fill(1.25)
	floats[0] = -0.0
	floats[-1] = INF
	return _round_trip(floats)


func test_packed_arrays() -> Outcome:
	var bytes: PackedByteArray = []
	bytes.resize(8 * MEGABYTE + 16)
	for index: int in 1000:
		bytes[index * 8191] = index
	for packed: Variant in [
		bytes, bytes.slice(3), bytes.to_int32_array(), bytes.to_int64_array(), bytes.to_float32_array(),
		bytes.to_float64_array(), bytes.to_vector2_array(), bytes.slice(0, 12 * 600_000).to_vector3_array(),
		bytes.to_vector4_array(), bytes.to_color_array(),
	]:
		_round_trip(packed)
	return DONE


func test_long_texts() -> Outcome:
	for part: String in ["plain ascii text ", "日本語のテキスト", "mixed Grüße 😀 ", "\u0080"]:
		_round_trip(part.repeat(300_000))
		_round_trip(StringName(part.repeat(3000)))
	return DONE


func test_many_elements() -> Outcome:
	var numbers: Array = range(500_000)
	var texts: Array = []
	var entries := {}
	for index: int in 100_000:
		texts.append("text %d" % index)
		entries["key %d" % index] = index
	_round_trip(numbers)
	_round_trip(texts)
	_round_trip(PackedStringArray(texts))
	_round_trip(entries)
	return _round_trip([numbers, texts, entries])


func _round_trip(value: Variant) -> Outcome:
	var what := type_string(typeof(value))
	var bytes := FastVariant.encode(value)
	check(bytes == var_to_bytes(value), "%s: bytes" % what)
	check_equal(FastVariant.encoded_size(value), bytes.size(), "%s: encoded_size" % what)
	check(FastVariant.decode(bytes) == bytes_to_var(bytes), "%s: decoded" % what)
	return DONE
