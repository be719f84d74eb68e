extends "res://tests/test_suite.gd"
## Limits of one call, and the list of classes and scripts of which objects may be made.

const ScriptedResource := preload("res://tests/fixtures/scripted_resource.gd")

## Values that the engine makes of bytes take at most so much memory for each.
const MAX_MEMORY_PER_BYTE := 64
## The script of the fixture is at this path.
const SCRIPT_PATH := "res://tests/fixtures/scripted_resource.gd"


func test_limits() -> Outcome:
	var value: Array = [["text"], {"a": 1}]
	# 80 bytes, 2 levels, 2 + 1 + 1 elements, 4 bytes of text.
	var bytes := FastVariant.encode(value)
	var enough := {max_bytes = bytes.size(), max_depth = 2, max_elements = 4, max_string = 4}
	check_equal(FastVariant.try_decode(bytes, enough).value, value, "at the limits")
	_check_code(bytes, enough.merged({max_bytes = bytes.size() - 4}, true), "too_many_bytes")
	_check_code(bytes, enough.merged({max_depth = 1}, true), "too_deep")
	_check_code(bytes, enough.merged({max_elements = 3}, true), "too_many_elements")
	_check_code(bytes, enough.merged({max_string = 3}, true), "text_too_long")
	check_equal(FastVariant.try_decode(bytes, {strict = true}).value, value, "strict")
	return DONE


func test_strict_limits() -> Outcome:
	var packed: PackedByteArray = []
	packed.resize(1 << 20)
	var many: Array = []
	many.resize((1 << 16) + 1)
	var deep: Array = []
	for level: int in 33:
		deep = [deep]
	_check_code(FastVariant.encode(packed), {strict = true}, "too_many_bytes")
	_check_code(FastVariant.encode(many), {strict = true}, "too_many_elements")
	_check_code(FastVariant.encode(deep), {strict = true}, "too_deep")
	_check_code(FastVariant.encode("a".repeat((1 << 16) + 1)), {strict = true}, "text_too_long")
	# A single limit goes before them.
	check(FastVariant.try_decode(FastVariant.encode(deep), {max_depth = 33, strict = true}).ok, "deeper if allowed")
	return DONE


func test_limits_hold_in_other_dialects() -> Outcome:
	var bytes := FastVariant.encode_as([[[]]], FastVariant.DIALECT_GODOT_3)
	_check_code(bytes, {dialect = FastVariant.DIALECT_GODOT_3, max_depth = 1}, "too_deep")
	check(FastVariant.try_decode(bytes, {dialect = FastVariant.DIALECT_GODOT_3, max_depth = 2}).ok, "at the limit")
	return DONE


## 4 bytes of null make 24 bytes of Array; nothing else may be made of them.
func test_memory_grows_with_the_bytes() -> Outcome:
	if not OS.is_debug_build():
		return skip("a release build does not count its memory")
	var nulls: Array = []
	nulls.resize(1 << 20)
	# Small content, so that the containers count: bytes of memory for each byte that is decoded.
	var greedy: Dictionary[String, Variant] = {"nulls": nulls, "arrays": _repeated([]), "dictionaries": _repeated({}),
			"pairs": _repeated({null: null}), "texts": _repeated("a"), "names": _repeated(^"a"), "bytes": _repeated(PackedByteArray())}
	for what in greedy:
		var bytes := FastVariant.encode(greedy[what])
		var grown := _memory_of(FastVariant.decode, bytes)
		var engine_grown := _memory_of(bytes_to_var, bytes)
		note("%s: %.1f bytes for one, %.1f in the engine" % [what, 1.0 * grown / bytes.size(), 1.0 * engine_grown / bytes.size()])
		check(grown >= bytes.size() / 4 and engine_grown >= bytes.size() / 4, "%s: memory is counted" % what)
		check(grown <= 1.1 * engine_grown + 4096, "%s: %d bytes, the engine %d" % [what, grown, engine_grown])
		check(grown <= MAX_MEMORY_PER_BYTE * bytes.size(), "%s: %d bytes of memory for %d" % [what, grown, bytes.size()])
	return DONE


func _memory_of(decode: Callable, bytes: PackedByteArray) -> int:
	var before := OS.get_static_memory_usage()
	var decoded: Variant = decode.call(bytes)
	var grown := OS.get_static_memory_usage() - before
	check(decoded != null, "a value")
	return grown


func test_a_promise_costs_nothing() -> Outcome:
	if not OS.is_debug_build():
		return skip("a release build does not count its memory")
	for type: int in [TYPE_STRING, TYPE_ARRAY, TYPE_DICTIONARY, TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_STRING_ARRAY,
			TYPE_PACKED_VECTOR3_ARRAY, TYPE_NODE_PATH]:
		var bytes := PackedByteArray([type, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0])
		var peak := OS.get_static_memory_peak_usage()
		check(not FastVariant.try_decode(bytes).ok, "type %d" % type)
		check(OS.get_static_memory_peak_usage() - peak < 100_000, "type %d takes no memory" % type)
	return DONE


func test_objects_must_be_listed() -> Outcome:
	var bytes := FastVariant.encode_with_objects([Resource.new()])
	_check_code(bytes, {}, "objects_not_allowed")
	_check_code(bytes, {allow_objects = true}, "class_not_allowed")
	_check_code(bytes, {allow_objects = true, classes = ["Node"]}, "class_not_allowed")
	_check_code(bytes, {allow_objects = false, classes = ["Resource"]}, "objects_not_allowed")
	for classes: Variant in [["Resource"], PackedStringArray(["Node", "Resource"]), ["Res*"], ["*"]]:
		check(FastVariant.try_decode(bytes, {allow_objects = true, classes = classes}).ok, "%s" % [classes])
	var result := FastVariant.try_decode(bytes, {allow_objects = true})
	check_equal(result.path, "[0]", "path")
	check(result.message.contains("\"Resource\""), "the message names the class: %s" % result.message)
	return DONE


func test_scripts_must_be_listed() -> Outcome:
	var bytes := FastVariant.encode_with_objects(ScriptedResource.new())
	var classes := ["Resource"]
	_check_code(bytes, {allow_objects = true, classes = classes}, "script_not_allowed")
	_check_code(bytes, {allow_objects = true, classes = classes, scripts = ["res://tests/fixtures/other.gd"]}, "script_not_allowed")
	for scripts: Array in [[SCRIPT_PATH], ["res://tests/*"], ["*"]]:
		var result := FastVariant.try_decode(bytes, {allow_objects = true, classes = classes, scripts = scripts})
		check(result.ok and result.value is ScriptedResource, "%s: %s" % [scripts, result.message])
	return DONE


func test_a_script_that_is_not_listed_is_not_loaded() -> Outcome:
	# Written now, so that it cannot have been loaded before. It would say so itself if it were loaded.
	var typed: PackedByteArray = var_to_bytes(Array([], TYPE_OBJECT, &"Resource", null))
	check(FastVariant.try_decode(typed).ok, "an array typed by a class")
	var bytes := PackedByteArray([TYPE_ARRAY, 0, 3, 0])
	bytes.append_array(var_to_bytes("res://tests/fixtures/scripted_node.gd").slice(4))
	bytes.append_array([0, 0, 0, 0])
	_check_code(bytes, {allow_objects = true, classes = ["*"]}, "script_not_allowed")
	check(FastVariant.try_decode(bytes, {allow_objects = true, scripts = ["res://tests/fixtures/*"]}).ok, "if it is listed")
	return DONE


func _repeated(value: Variant) -> Array:
	var result: Array = []
	for index: int in 50_000:
		result.append(value)
	return result


func _check_code(bytes: PackedByteArray, call_options: Dictionary, code: String) -> void:
	var result := FastVariant.try_decode(bytes, call_options)
	check_equal(result.error, code, "error with %s" % call_options)
	check(not result.ok and result.value == null, "no value with %s" % call_options)
