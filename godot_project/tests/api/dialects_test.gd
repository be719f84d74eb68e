extends "res://tests/test_suite.gd"
## Values in the formats of other engines and of the documentation.

const Oracle := preload("res://tests/support/oracle.gd")
const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const ValueGenerator := preload("res://tests/support/value_generator.gd")

const NAMES: Dictionary[int, String] = {
	FastVariant.DIALECT_GODOT_4: "GODOT_4",
	FastVariant.DIALECT_GODOT_4_3: "GODOT_4_3",
	FastVariant.DIALECT_GODOT_4_0: "GODOT_4_0",
	FastVariant.DIALECT_GODOT_3: "GODOT_3",
	FastVariant.DIALECT_GODOT_2: "GODOT_2",
	FastVariant.DIALECT_DOCS_3_0: "DOCS_3_0",
	FastVariant.DIALECT_DOCS_4_2: "DOCS_4_2",
}
## What every dialect holds.
const COMMON: Array = [null, true, -7, 1.5, "text", Vector2(1, 2), Rect2(1, 2, 3, 4), Vector3(1, 2, 3), Color.RED, ^"/root/a:b", {"a": [1]},
		[{}, []]]


func test_names() -> Outcome:
	for dialect in NAMES:
		check_equal(FastVariant.dialect_name(dialect), NAMES[dialect], "name of %d" % dialect)
	check_equal(FastVariant.dialect_name(NAMES.size()), "", "a name that does not exist")
	check_equal(FastVariant.dialect_name(-1), "", "a negative number")
	return DONE


func test_what_all_hold() -> Outcome:
	for dialect in NAMES:
		for value: Variant in COMMON + [COMMON]:
			var bytes := FastVariant.encode_as(value, dialect)
			check(not bytes.is_empty() and bytes.size() % 4 == 0, "%s in %s" % [value, NAMES[dialect]])
			check_equal(FastVariant.decode_as(bytes, dialect), value, "%s in %s" % [value, NAMES[dialect]])
			check(FastVariant.detect_dialect(bytes).has(dialect), "%s is found as %s" % [value, NAMES[dialect]])
	return DONE


## In Godot 3 dictionaries are different keys. It wrote these bytes for `{{}: 1, {}: 2}`.
func test_keys_that_are_the_same_in_godot_4() -> Outcome:
	var bytes := ("12000000020000001200000000000000020000000100000012000000000000000200000002000000").hex_decode()
	var result := FastVariant.try_decode(bytes, {dialect = FastVariant.DIALECT_GODOT_3})
	check_equal(result.error, "equal_keys", result.message)
	var lossy := FastVariant.try_decode(bytes, {dialect = FastVariant.DIALECT_GODOT_3, lossy = true})
	check_equal(lossy.value, {{}: 2}, "the last value")
	return DONE


func test_bytes_of_godot_3() -> Outcome:
	# As Godot 3.6.2 writes them.
	var rows: Dictionary[String, Variant] = {
		"020001000000008000000000": 2147483648,
		"030001009a9999999999b93f": 0.1,
		"0f0000000200008001000000010000000400000" + "0726f6f74020000006162000001000000" + "63000000": ^"/root/ab:c",
		"12000000010000000400000001000000610000000200000001000000": {"a": 1},
		"1400000003000000" + "01020300": PackedByteArray([1, 2, 3]),
		"150000000200000001000000ffffffff": PackedInt32Array([1, -1]),
		"170000000200000002000000610000000400000062636400": PackedStringArray(["a", "bcd"]),
	}
	for hex in rows:
		check_equal(FastVariant.encode_as(rows[hex], FastVariant.DIALECT_GODOT_3).hex_encode(), hex, "encoded")
		check_equal(FastVariant.decode_as(hex.hex_decode(), FastVariant.DIALECT_GODOT_3), rows[hex], "decoded")
	return DONE


func test_lossy() -> Outcome:
	var value: Array = [Vector2i(1, 2), Vector4(1, 2, 3, 4), &"name", PackedInt64Array([1 << 40])]
	var near: Array = [Vector2(1, 2), Quaternion(1, 2, 3, 4), "name", [1 << 40]]
	var bytes := FastVariant.encode_as(value, FastVariant.DIALECT_GODOT_3, {lossy = true})
	check_equal(FastVariant.decode_as(bytes, FastVariant.DIALECT_GODOT_3), near, "brought near")
	var typed: Array[int] = [1]
	bytes = FastVariant.encode_as(typed, FastVariant.DIALECT_GODOT_4_0, {lossy = true})
	var untyped: Array = FastVariant.decode(bytes)
	check(not untyped.is_typed() and untyped == [1], "an array loses its type")
	return DONE


func test_double_precision() -> Outcome:
	var wide := {double_precision = true}
	for dialect: int in [FastVariant.DIALECT_GODOT_4, FastVariant.DIALECT_DOCS_3_0, FastVariant.DIALECT_DOCS_4_2]:
		var bytes := FastVariant.encode_as(Vector3(1, 2, 3), dialect, wide)
		check_equal(bytes.size(), 4 + 24, "size in %s" % NAMES[dialect])
		check_equal(FastVariant.decode_as(bytes, dialect, wide), Vector3(1, 2, 3), NAMES[dialect])
	# The flag is understood by the engine, too.
	check_equal(bytes_to_var(FastVariant.encode_as(Vector3(1, 2, 3), FastVariant.DIALECT_GODOT_4, wide)), Vector3(1, 2, 3), "engine")
	return DONE


## What the writer that works from a table makes of the engine's values, the engine reads back: vectors are wide here, so
## that it is used for Godot 4's own format, too.
func test_engine_reads_what_the_table_wrote() -> Outcome:
	var generator := ValueGenerator.new(options.rng_seed, false)
	var count := options.count / 10
	for index: int in count:
		# Muted, because the engine prints what it thinks of odd node paths.
		Engine.print_error_messages = false
		var value: Variant = generator.any()
		Engine.print_error_messages = true
		# A NaN may lose bits on its way through 64 bits.
		if str(value).contains("nan"):
			continue
		var bytes := FastVariant.encode_as(value, FastVariant.DIALECT_GODOT_4, {double_precision = true})
		var expected := Oracle.encode_again(bytes_to_var(var_to_bytes(value)))
		if not check(Oracle.encode_again(bytes_to_var(bytes)) == expected, "value %d: %s" % [index, describe(value)]):
			break
	generator.free_objects()
	note("%d values" % count)
	return DONE


func test_failures() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("needs Logger, which is new in Godot 4.5")
	var logged := LoggedErrors.of(func() -> void:
		var bytes := FastVariant.encode_as([{"pos": Vector4.ONE}], FastVariant.DIALECT_GODOT_3)
		check_equal(bytes, PackedByteArray(), "nothing is encoded"))
	check_equal(logged.size(), 1, "one line")
	check("".join(logged).contains("GODOT_3 cannot store this Vector4: it does not have this type (at [0][\"pos\"])"), "%s" % [logged])
	var godot_3 := FastVariant.DIALECT_GODOT_3
	var wrong: Dictionary[String, Callable] = {
		"an unknown dialect": func() -> Variant: return FastVariant.encode_as(1, 99),
		"a negative dialect": func() -> Variant: return FastVariant.decode_as(PackedByteArray(), -1),
		"an unknown option": func() -> Variant: return FastVariant.encode_as(1, godot_3, {loosy = true}),
		"an option of another dialect": func() -> Variant:
			return FastVariant.encode_as(Vector2.ONE, godot_3, {double_precision = true}),
		"an unknown type": func() -> Variant: return FastVariant.decode_as(PackedByteArray([27, 0, 0, 0]), godot_3),
		"an offset behind the end": func() -> Variant:
			return FastVariant.decode_as(PackedByteArray([0, 0, 0, 0]), godot_3, {offset = 5}),
	}
	for what: String in wrong:
		logged = LoggedErrors.of(func() -> void: wrong[what].call())
		check_equal(logged.size(), 1, "%s logs one line: %s" % [what, logged])
		check("".join(logged).contains("FastVariant."), "%s: %s" % [what, logged])
	var result := FastVariant.try_decode(PackedByteArray([27, 0, 0, 0]), {dialect = FastVariant.DIALECT_GODOT_3})
	check_equal(result.error, "unknown_type", "error of try_decode")
	return DONE


func test_detection() -> Outcome:
	check_equal(FastVariant.detect_dialect(PackedByteArray()), [] as Array[int], "no bytes")
	check_equal(FastVariant.detect_dialect(PackedByteArray([99, 0, 0, 0])), [] as Array[int], "no type")
	var typed: Array[int] = [1]
	check_equal(FastVariant.detect_dialect(var_to_bytes(typed)),
			[FastVariant.DIALECT_GODOT_4, FastVariant.DIALECT_GODOT_4_3] as Array[int], "a typed array")
	check_equal(FastVariant.detect_dialect("13000000010000000200000001000000".hex_decode()),
			[FastVariant.DIALECT_GODOT_3, FastVariant.DIALECT_DOCS_4_2] as Array[int], "an array of Godot 3")
	return DONE
