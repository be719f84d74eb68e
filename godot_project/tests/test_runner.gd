extends RefCounted
## Runs the test suites inside the engine and prints one line for each test.
##
##   godot --headless --path godot_project -- --run-tests [--filter TEXT] [--seed N] [--count N] [--one-in N]
##
## `--filter` keeps the tests whose `suite/name` contains TEXT, or one of several texts with commas between, and none of those behind a `-`; `--count` is the number of values, and of byte strings,
## that are compared with the engine. `--one-in N` runs one of N tests of each suite, and at least one; the seed chooses.

const CommandLine := preload("res://command_line.gd")
const TestSuite := preload("res://tests/test_suite.gd")
const Suites := preload("res://tests/suites.gd")

## The last line of a run without failures. That it is missing shows a crash, or a script that could not be loaded.
const SUCCESS := "fast_variant engine tests: SUCCESS"
const DEFAULT_SEED := 20_260_101
const DEFAULT_COUNT := 60_000

var _options := TestSuite.Options.new()
var _one_in: int
var _filters: PackedStringArray
var _passed: int = 0
var _failed: int = 0
var _skipped: int = 0


func _init(command_line: CommandLine) -> void:
	_filters = command_line.text("--filter", "").split(",", false)
	_options.rng_seed = command_line.number("--seed", DEFAULT_SEED)
	_options.count = command_line.number("--count", DEFAULT_COUNT)
	_one_in = command_line.number("--one-in", 1)


func run() -> bool:
	print("Godot %s, %s; seed %d, count %d" % [
		Engine.get_version_info().string, "editor binary" if OS.has_feature("editor") else "exported build",
		_options.rng_seed, _options.count])
	var suites := Suites.here()
	for suite_name: String in suites:
		_run_suite(suite_name, suites[suite_name])
	print("%d passed, %d failed, %d skipped" % [_passed, _failed, _skipped])
	var success := _failed == 0 and _passed > 0
	if success:
		print(SUCCESS)
	elif _passed + _failed + _skipped == 0:
		print("No test's name contains `%s`." % "`, `".join(_filters))
	return success


func _run_suite(suite_name: String, script: GDScript) -> void:
	if not script.can_instantiate():
		_failed += 1
		print("FAIL  %s: the script cannot be compiled" % suite_name)
		return
	var wanted: Array[String] = []
	for method: Dictionary in script.get_script_method_list():
		var method_name: String = method.name
		if method_name.begins_with("test_") and _is_wanted(_test_name(suite_name, method_name)):
			wanted.append(method_name)
	var first := posmod(hash(suite_name) + _options.rng_seed, mini(_one_in, maxi(wanted.size(), 1)))
	for index in range(first, wanted.size(), _one_in):
		_run_test(script, wanted[index], _test_name(suite_name, wanted[index]))


func _test_name(suite_name: String, method_name: String) -> String:
	return "%s/%s" % [suite_name, method_name.trim_prefix("test_")]


func _is_wanted(test_name: String) -> bool:
	var is_wanted := _filters.is_empty()
	for text in _filters:
		if text.begins_with("-") and test_name.contains(text.substr(1)):
			return false
		is_wanted = is_wanted or test_name.contains(text)
	return is_wanted


func _run_test(script: GDScript, method: String, test_name: String) -> void:
	var suite: TestSuite = script.new()
	suite.options = _options
	suite.start_test()
	var start := Time.get_ticks_msec()
	var result: Variant = suite.call(method)
	# A test that was given up between muting and unmuting must not mute the others.
	Engine.print_error_messages = true
	var outcome: int = result if typeof(result) == TYPE_INT else TestSuite.Outcome.ABORTED
	_report(suite, outcome, test_name, Time.get_ticks_msec() - start)


func _report(suite: TestSuite, outcome: int, test_name: String, elapsed_ms: int) -> void:
	var timed := "%-58s %6d ms" % [test_name, elapsed_ms]
	if suite.failure_count > 0:
		_failed += 1
		print("FAIL  ", timed)
	elif outcome == TestSuite.Outcome.ABORTED:
		_failed += 1
		print("FAIL  ", timed, "\n      ended early: a script error")
	elif outcome == TestSuite.Outcome.SKIPPED:
		_skipped += 1
		print("skip  ", timed, "\n      ", suite.skip_reason)
	else:
		_passed += 1
		print("ok    ", timed)
	for message in suite.failures:
		print("      ", message.replace("\n", "\n      "))
	if suite.failure_count > suite.failures.size():
		print("      … and %d more" % (suite.failure_count - suite.failures.size()))
	for message in suite.notes:
		print("      ", message.replace("\n", "\n      "))
