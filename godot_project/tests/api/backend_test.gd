extends "res://tests/test_suite.gd"
## Which ways to the engine's memory are in use. Without this, tests of the direct ways could run on the portable ones.

const FORCED_BY := "FAST_VARIANT_PORTABLE"
const TABLE_SIZES_OFF_BY := "FAST_VARIANT_NO_TABLE_SIZES"
const WAYS: PackedStringArray = ["variants", "strings", "packed_arrays", "unfilled_arrays", "arrays", "dictionaries", "table_sizes", "calls"]


func test_ways() -> Outcome:
	var expected := "portable" if OS.has_environment(FORCED_BY) else "direct"
	var backend := FastVariant.backend()
	check_equal(backend.size(), WAYS.size(), "ways")
	for way: String in WAYS:
		var is_off: bool = way == "table_sizes" and OS.has_environment(TABLE_SIZES_OFF_BY)
		check_equal(backend[way], "portable" if is_off else expected, way)
	return DONE
