extends "res://tests/test_suite.gd"
## The limit of nesting lies where the engine's lies, in both directions, and nothing crashes beyond it.

const Hex := preload("res://tests/support/hex.gd")
const Nested := preload("res://tests/support/nested.gd")
const Oracle := preload("res://tests/support/oracle.gd")
const SameValue := preload("res://tests/support/same_value.gd")

## `Variant::MAX_RECURSION_DEPTH`
const LIMIT := 1024
const AROUND_LIMIT: Array[int] = [LIMIT - 2, LIMIT - 1, LIMIT, LIMIT + 1, LIMIT + 2, LIMIT + 3]


func test_nested_arrays() -> Outcome:
	for depth in AROUND_LIMIT:
		for innermost: Variant in [null, 1, [], {}, "text", [[], 1]]:
			_compare(Nested.arrays(depth, innermost), "%d arrays around %s" % [depth, innermost])
		_compare(Nested.typed_arrays(depth), "%d typed arrays" % depth)
	check(not Oracle.encode(Nested.arrays(LIMIT, [])).is_empty(), "the last depth that works was tried")
	check(Oracle.encode(Nested.arrays(LIMIT, [1])).is_empty(), "the first depth that fails was tried")
	return DONE


func test_nested_dictionaries() -> Outcome:
	for depth in AROUND_LIMIT:
		for innermost: Variant in [null, 1, [], {}]:
			_compare(Nested.dictionaries(depth, innermost), "%d dictionaries around %s" % [depth, innermost])
		_compare([{"key": Nested.arrays(depth - 3, 1)}, Nested.dictionaries(depth - 2, [2])], "mixed, depth %d" % depth)
	return DONE


## A key is hashed, for which the engine has a limit of its own: it complains and goes on.
func test_nested_keys() -> Outcome:
	for depth: int in [50, 98, 99, 100, 101, 102, 300]:
		Engine.print_error_messages = false
		var value := {Nested.arrays(depth, 1): depth}
		_compare(value, "a key of %d arrays" % depth)
	return DONE


func test_nested_objects() -> Outcome:
	for depth: int in [1, 10, LIMIT - 3, LIMIT - 2, LIMIT - 1, LIMIT, LIMIT + 1]:
		var value := Nested.objects(depth)
		var bytes := Oracle.encode_with_objects(value)
		Engine.print_error_messages = false
		check_equal(FastVariant.encode_with_objects(value), bytes, "%d objects" % depth)
		var decoded: Variant = FastVariant.decode_with_objects(bytes)
		Engine.print_error_messages = true
		check_equal(Oracle.encode_with_objects(decoded), Oracle.encode_with_objects(Oracle.decode_with_objects(bytes)),
				"%d objects decoded" % depth)
	return DONE


func test_bytes_that_nest_deeply() -> Outcome:
	for depth: int in AROUND_LIMIT + [2000, 50_000]:
		var bytes := Nested.array_bytes(depth)
		var result := FastVariant.try_decode(bytes)
		check_equal(result.ok, Oracle.accepted_size(bytes, false) > 0, "%d arrays accepted" % depth)
		if not result.ok:
			check_equal(result.error, "too_deep", "error for %d arrays" % depth)
	return DONE


func test_values_that_contain_themselves() -> Outcome:
	var array: Array = [1]
	array.append(array)
	_compare(array, "an array in itself")
	var dictionary := {"a": 1}
	dictionary["self"] = dictionary
	_compare(dictionary, "a dictionary in itself")
	var first: Array = []
	var second: Dictionary = {"first": first}
	first.append(second)
	first.append(second)
	_compare(first, "an array twice in itself")
	# They hold each other: nobody else would free them.
	array.clear()
	dictionary.clear()
	first.clear()
	return DONE


## Muted on both sides: the engine prints a line for each level, we one.
func _compare(value: Variant, what: String) -> void:
	var bytes := Oracle.encode(value)
	Engine.print_error_messages = false
	var encoded := FastVariant.encode(value)
	Engine.print_error_messages = true
	if bytes != encoded:
		fail("%s: %s" % [what, Hex.difference(bytes, encoded)])
	if bytes.is_empty():
		return
	var expected: Variant = Oracle.decode(bytes)
	Engine.print_error_messages = false
	var actual: Variant = FastVariant.decode(bytes)
	var difference := SameValue.difference(expected, actual)
	Engine.print_error_messages = true
	check(difference.is_empty(), "%s decoded: %s" % [what, difference])
	check_equal(Oracle.encode(actual), bytes, "%s decoded and encoded again" % what)
