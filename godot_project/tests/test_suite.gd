extends RefCounted
## Base of all test suites: one script, one thing tested. Every method whose name starts with `test_` is a test.
##
## A test ends with `return DONE`. GDScript gives up a function silently at a runtime error, and the caller goes on
## with null: so a test has passed only if DONE came back *and* no check failed. (The compiler sees to it that no path
## ends without a return.)

enum Outcome { ABORTED, DONE, SKIPPED }

const DONE := Outcome.DONE
## How many failures of one test are shown; the rest is counted.
const SHOWN_FAILURES := 3

var options: Options
var failure_count: int = 0
var failures: PackedStringArray = []
var skip_reason: String = ""
## Printed below the test's line, whether it passed or not.
var notes: PackedStringArray = []


## What the command line can change.
class Options:
	extends RefCounted
	var rng_seed: int
	## How many values, and how many byte strings, are compared with the engine.
	var count: int


func start_test() -> void:
	failure_count = 0
	failures.clear()
	skip_reason = ""
	notes.clear()


func fail(message: String) -> void:
	failure_count += 1
	if failures.size() < SHOWN_FAILURES:
		failures.append(message)


func skip(reason: String) -> Outcome:
	skip_reason = reason
	return Outcome.SKIPPED


func note(message: String) -> void:
	notes.append(message)


func check(condition: bool, what: String) -> bool:
	if not condition:
		fail(what)
	return condition


func check_equal(actual: Variant, expected: Variant, what: String) -> bool:
	if typeof(actual) == typeof(expected) and actual == expected:
		return true
	fail("%s: expected %s, got %s" % [what, describe(expected), describe(actual)])
	return false


## A value's type and content, cut to a readable length.
static func describe(value: Variant) -> String:
	var content := var_to_str(value) if typeof(value) == TYPE_STRING else str(value)
	return "%s (%s)" % [content.left(200), type_string(typeof(value))]
