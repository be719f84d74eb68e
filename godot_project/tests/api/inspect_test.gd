extends "res://tests/test_suite.gd"
## `FastVariant.inspect`: what the engine encodes is listed, whole or broken.

const Oracle := preload("res://tests/support/oracle.gd")
const ValueGenerator := preload("res://tests/support/value_generator.gd")


func test_a_listing() -> Outcome:
	check_equal(FastVariant.inspect(var_to_bytes({"pos": Vector2(1, 2)})), """\
00000000  1b000000 01000000                    Dictionary, 1 entry
00000008  04000000 03000000 706f7300             [key 0] String "pos"
00000014  05000000 0000803f 00000040             ["pos"] Vector2(1, 2)
""", "of a Dictionary")
	return DONE


func test_broken_bytes() -> Outcome:
	var listing := FastVariant.inspect(var_to_bytes([1, "two"]).slice(0, 26))
	check(listing.contains("[0] int 1\n"), "what is whole: %s" % listing)
	check(listing.ends_with("[1] error: unexpected end: 4 bytes needed, 2 left (at byte 24)\n"), listing)
	check(FastVariant.inspect([]).contains("error: unexpected end"), "no bytes")
	return DONE


func test_dialects() -> Outcome:
	var bytes := "07000000000000000000803f00000040".hex_decode()
	check(FastVariant.inspect(bytes).contains("error: unexpected end"), "Godot 4 would read a Rect2")
	var listing := FastVariant.inspect(bytes, 1, FastVariant.DIALECT_GODOT_3)
	check(listing.contains("Vector3(0, 1, 2)"), "Godot 3: %s" % listing)
	return DONE


func test_rows_can_be_limited() -> Outcome:
	var bytes := var_to_bytes(range(5000))
	check_equal(FastVariant.inspect(bytes).count("\n"), 1001, "lines by default")
	check_equal(FastVariant.inspect(bytes, 3).count("\n"), 4, "lines of 3 rows")
	check_equal(FastVariant.inspect(bytes, 10_000).count("\n"), 5001, "lines of all rows")
	check_equal(FastVariant.inspect(bytes, -1).count("\n"), 1, "lines of no rows")
	return DONE


## Every type, with objects and their properties: nothing that the engine writes is an error.
func test_all_that_the_engine_encodes() -> Outcome:
	var generator := ValueGenerator.new(options.rng_seed)
	var count := maxi(options.count / 30, 1)
	for index: int in count:
		Engine.print_error_messages = false
		var value: Variant = generator.any()
		Engine.print_error_messages = true
		for bytes: PackedByteArray in [Oracle.encode(value), Oracle.encode_with_objects(value)]:
			if bytes.is_empty():
				continue
			var listing := FastVariant.inspect(bytes, 1_000_000)
			check(not listing.contains(" error: "), listing)
			var first := listing.get_slice("\n", 0)
			check(first.contains(type_string(bytes[0])), "the type of %s" % first)
	generator.free_objects()
	note("%d values" % count)
	return DONE
