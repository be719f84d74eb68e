extends "res://tests/test_suite.gd"
## What the tests against the engine's own streams share.

const Oracle := preload("res://tests/support/oracle.gd")
const SameValue := preload("res://tests/support/same_value.gd")
const ValueGenerator := preload("res://tests/support/value_generator.gd")


func _check_same(expected: Variant, actual: Variant) -> void:
	check_equal(SameValue.difference(expected, actual), "", "difference")
	check(Oracle.encode_again(expected) == Oracle.encode_again(actual), "the same bytes again")


## The engine has something to say about some of the names and keys that are made up.
func _any(generator: ValueGenerator) -> Variant:
	Engine.print_error_messages = false
	var value: Variant = generator.any()
	Engine.print_error_messages = true
	return value
