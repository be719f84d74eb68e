extends "res://tests/test_suite.gd"
## Which ways to the engine's memory are in use. Without this, tests of the direct ways could run on the portable ones.

const FORCED_BY := "FAST_VARIANT_PORTABLE"
const WAYS: PackedStringArray = ["variants", "strings", "packed_arrays", "unfilled_arrays", "arrays", "dictionaries", "table_sizes", "calls"]


func test_ways() -> Outcome:
	var expected := "portable" if OS.has_environment(FORCED_BY) else "direct"
	var backend := FastVariant.backend()
	check_equal(backend.size(), WAYS.size(), "ways")
	for way: String in WAYS:
		check_equal(backend[way], expected, way)
	return DONE
