extends "res://tests/test_suite.gd"
## The same result in whatever way a method is called: the engine calls the busiest ones without gdext in between, and
## picks another function for typed calls than for untyped ones.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const CLASS := &"FastVariant"
const VALUES: Array = [null, true, 7, 1.5, "text", "", &"name", ^"a/b", Vector3(1, 2, 3), [1, [2]], {"a": {1: 2}}]


func test_typed_and_untyped() -> Outcome:
	for value: Variant in VALUES:
		var bytes := FastVariant.encode(value)
		check_equal(bytes, var_to_bytes(value), "encoded %s" % [value])
		var untyped: Variant = bytes
		var decoded_typed: Variant = FastVariant.decode(bytes)
		var decoded_untyped: Variant = FastVariant.decode(untyped)
		check_equal(decoded_typed, value, "typed")
		check_equal(decoded_untyped, value, "untyped")
	return DONE


func test_by_name() -> Outcome:
	for value: Variant in VALUES:
		var bytes: Variant = ClassDB.class_call_static(CLASS, &"encode", value)
		check_equal(bytes, var_to_bytes(value), "encoded %s" % [value])
		check_equal(ClassDB.class_call_static(CLASS, &"decode", bytes), value, "decoded")
	return DONE


func test_results_replace_what_was_there() -> Outcome:
	var result: Variant = "something to be freed"
	result = FastVariant.encode([1, 2])
	result = FastVariant.decode(result)
	check_equal(result, [1, 2], "decoded over its own bytes")
	var bytes := FastVariant.encode("first")
	var kept := bytes
	bytes = FastVariant.encode(bytes)
	check_equal(FastVariant.decode(kept), "first", "the earlier bytes are as they were")
	check_equal(FastVariant.decode(bytes), kept, "encoded over itself")
	return DONE


func test_wrong_arguments() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot before 4.5 cannot count errors")
	var wrong: Dictionary[String, Callable] = {
		"too few": func() -> Variant: return ClassDB.class_call_static(CLASS, &"encode"),
		"too many": func() -> Variant: return ClassDB.class_call_static(CLASS, &"encode", 1, 2),
		"of another type": func() -> Variant: return ClassDB.class_call_static(CLASS, &"decode", Vector2.ONE),
	}
	for what: String in wrong:
		var results: Array = []
		var errors := LoggedErrors.of(func() -> void: results.append(wrong[what].call()))
		# Of counts, the engine says it, but not in release builds.
		check(not errors.is_empty() or (what.begins_with("too ") and not OS.is_debug_build()), "%s: an error is logged" % what)
		check_equal(results, [null], what)
	return DONE
