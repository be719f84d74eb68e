extends "res://tests/test_suite.gd"
## Wrong arguments of all methods of all classes: FastVariant says what is wrong, and the caller's function goes on.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")

const CLASSES: Array[StringName] = [
	&"FastVariant", &"FastVariantSchema", &"VariantView", &"VariantStream", &"O3deJson", &"SceneLinter", &"SceneLintJob", &"SceneRewriter",
	&"SceneSafety", &"SceneDiagnostic",
]
## What says in itself that a call cannot be served, so that nothing is logged.
const RESULTS: Array[StringName] = [
	&"FastVariantResult", &"FastVariantSchema", &"VariantView", &"O3deJsonResult", &"SceneRewriteResult", &"SceneRefactoring", &"SceneSafety",
]
## What gdext says of arguments that do not fit, and the engine of its answer.
const NOT_OURS: PackedStringArray = ["godot-rust", "call error code", "panicked"]
## What has an effect that lasts.
const LEFT_OUT: Array[StringName] = [&"register_class", &"unregister_class", &"clear_classes"]

const PATH := "user://fast_variant_arguments_test.bin"


func test_all_methods() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot 4.5 or newer is needed to count logged errors")
	var count := 0
	for class_title in CLASSES:
		for method: Dictionary in ClassDB.class_get_method_list(class_title, true):
			var method_name: StringName = method.name
			if method_name not in LEFT_OUT and not method_name.begins_with("_iter"):
				count += _try_method(class_title, method)
	note("%d calls" % count)
	check(count > 500, "there are methods with arguments")
	DirAccess.remove_absolute(PATH)
	return DONE


func test_what_is_said() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot 4.5 or newer is needed to count logged errors")
	var nothing: Variant = null
	var no_file: FileAccess = null
	var mixed: Variant = [FastVariant.encode(7), 1]
	var text: Variant = "text"
	var node := Node.new()
	# In an array: a lambda does not capture a freed object.
	var no_files: Array = [node]
	_check_says(func() -> Variant: return FastVariant.decode(nothing), null,
			"FastVariant.decode: the argument `bytes` is null, expected PackedByteArray")
	_check_says(func() -> Variant: return FastVariant.decode(text), null,
			"FastVariant.decode: the argument `bytes` is of type String, expected PackedByteArray")
	_check_says(func() -> Variant: return FastVariant.store(no_file, 1), false,
			"FastVariant.store: the file is null; FileAccess.get_open_error() returns the reason")
	_check_says(func() -> Variant: return FastVariant.store(nothing, 1), false,
			"FastVariant.store: the file is null; FileAccess.get_open_error() returns the reason")
	_check_says(func() -> Variant: return FastVariant.load(no_file), null,
			"FastVariant.load: the file is null; FileAccess.get_open_error() returns the reason")
	_check_says(func() -> Variant: return FastVariant.load(no_files[0]), null,
			"FastVariant.load: the argument `file` is an object of the class Node, expected FileAccess")
	_check_says(func() -> Variant: return FastVariant.encode_rpc(1, 2, nothing), PackedByteArray(),
			"FastVariant.encode_rpc: the argument `arguments` is null, expected Array")
	_check_says(func() -> Variant: return SceneLinter.explain(nothing), "",
			"SceneLinter.explain: the argument `code` is null, expected String")
	var batch: Array = mixed
	for decode: Callable in [func() -> Variant: return FastVariant.decode_batch(mixed), func() -> Variant: return FastVariant.decode_batch(batch)]:
		_check_says(decode, [7, null], "FastVariant.decode_batch: entry 1: it has the type int; expected PackedByteArray")
	node.free()
	_check_says(func() -> Variant: return FastVariant.load(no_files[0]), null,
			"FastVariant.load: the argument `file` is a freed object, expected FileAccess")
	return DONE


func test_results_say_it_themselves() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot 4.5 or newer is needed to count logged errors")
	var nothing: Variant = null
	var no_file: FileAccess = null
	var bytes := FastVariant.encode(7)
	var logged := LoggedErrors.of(func() -> void:
		for result: FastVariantResult in [
			FastVariant.try_decode(nothing), FastVariant.try_decode(bytes, nothing), FastVariant.decode_at(bytes, nothing),
			FastVariant.try_load(no_file), FastVariant.try_load(nothing), FastVariant.save_file(nothing, 1),
			FastVariant.save_file("", 1), FastVariant.load_file(nothing), FastVariant.view(nothing).get_failure(),
			FastVariant.view(bytes, nothing).get_failure(), FastVariant.try_decode_rpc(nothing),
			FastVariant.try_decode_rpc(bytes, nothing),
		]:
			check_equal(result.error, "invalid_argument", result.message)
			check(not result.ok and result.value == null, "no value: %s" % result.message)
		check(not O3deJson.load("1", TYPE_INT, nothing).ok, "O3deJson.load")
		check(not O3deJson.parse("1", nothing).ok and not O3deJson.stringify(1, nothing).ok, "O3deJson.parse")
		check(not SceneLinter.is_safe_to_load(nothing).is_safe, "is_safe_to_load")
		check(not SceneRewriter.format(nothing, "res://a.tscn").error.is_empty(), "format"))
	check_equal(logged, PackedStringArray(), "logged")
	return DONE


## As the engine's own methods do.
func test_what_can_be_converted() -> Outcome:
	var bytes := FastVariant.encode(7)
	var number: Variant = 0.0
	var code: Variant = &"REF001"
	var packets: Array = [bytes, bytes]
	check_equal(FastVariant.decode_at(bytes, number).value, 7, "a float as an int")
	check(SceneLinter.explain(code).begins_with("# REF001"), "a StringName as a String")
	check_equal(FastVariant.decode_batch(packets), [7, 7], "an array without a type")
	return DONE


## They come from scripts with types, and gdext takes none of them for a dictionary without.
func test_typed_dictionaries() -> Outcome:
	var bytes := FastVariant.encode([7])
	var strict: Dictionary[String, bool] = {"strict": true}
	var numbers: Dictionary[StringName, int] = {&"FIRE": 1, &"WATER": 2}
	var imports: Array[Dictionary] = [{"path": "", "filename": "a.json"} as Dictionary[String, String]]
	check_equal(FastVariant.try_decode(bytes, strict).value, [7], "try_decode")
	check_equal(FastVariant.view(bytes, strict).get_value(0), 7, "view")
	var stream := VariantStream.new()
	stream.options = strict
	check_equal(stream.options, {"strict": true}, "options of a stream")
	check(not stream.options.is_typed(), "they are kept without types")
	check(O3deJson.register_enum("Elements", numbers), "register_enum")
	check(O3deJson.unregister("Elements"), "unregister")
	check_equal(O3deJson.enumeration(numbers).size(), O3deJson.enumeration({"FIRE": 1, "WATER": 2}).size(), "enumeration")
	var nowhere := func(_name: String) -> Variant: return null
	check(O3deJson.restore_imports("{}", imports, nowhere) != null, "restore_imports")
	return DONE


## The engine says it, as of its own methods.
func test_wrong_counts() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot 4.5 or newer is needed to count logged errors")
	for arguments: Array in [[], [1, 2, 3, 4, 5, 6]]:
		var errors := LoggedErrors.of(func() -> void:
			ClassDB.callv(&"class_call_static", [&"FastVariant", &"decode_at"] + arguments))
		_check_ours(errors, "%d arguments" % arguments.size())
		check_equal(errors.size(), 1, "errors for %d arguments" % arguments.size())
	return DONE


## Each argument in turn is wrong in each way; how many calls that makes.
func _try_method(class_title: StringName, method: Dictionary) -> int:
	var parameters: Array = method.args
	var count := 0
	for index: int in parameters.size():
		for wrong: Variant in _wrong_values():
			var arguments: Array = parameters.map(_right_value)
			arguments[index] = wrong
			_try(class_title, method, arguments)
			count += 1
	return count


func _try(class_title: StringName, method: Dictionary, arguments: Array) -> void:
	var method_name: StringName = method.name
	var returned: Array = []
	var errors := LoggedErrors.of(func() -> void:
		if method.flags & METHOD_FLAG_STATIC:
			returned.append(ClassDB.callv(&"class_call_static", [class_title, method_name] + arguments))
		else:
			returned.append(_instance(class_title).callv(method_name, arguments)))
	var what := "%s.%s(%s)" % [class_title, method_name, ", ".join(arguments.map(describe))]
	_check_ours(errors, what)
	var return_info: Dictionary = method.return
	var return_class: StringName = return_info.class_name
	if return_class in RESULTS and not class_title == &"SceneSafety":
		check(not returned.is_empty() and returned[0] is Object or class_title == &"VariantView", "%s returns one" % what)
	elif not returned.is_empty() and return_info.type != TYPE_NIL:
		check_equal(typeof(returned[0]) in [return_info.type, TYPE_NIL], true, "the type of %s" % what)
	for value: Variant in arguments:
		if is_instance_valid(value) and value is Node:
			var node: Node = value
			node.free()


func _check_ours(errors: PackedStringArray, what: String) -> void:
	for error in errors:
		for words in NOT_OURS:
			check(not error.contains(words), "%s: %s" % [what, error])


func _check_says(action: Callable, expected: Variant, message: String) -> void:
	var returned: Array = []
	var errors := LoggedErrors.of(func() -> void: returned.append(action.call()))
	check_equal(errors.size(), 1, "errors: %s" % "; ".join(errors))
	check("".join(errors).contains(message), "`%s` in %s" % [message, errors])
	check_equal(returned, [expected], "what is returned with %s" % message)


func _instance(class_title: StringName) -> Object:
	match class_title:
		&"VariantView":
			return FastVariant.view(FastVariant.encode([1]))
		&"FastVariantSchema":
			return FastVariantSchema.of([TYPE_INT])
		&"VariantStream":
			return VariantStream.new()
		&"SceneSafety":
			return SceneLinter.is_safe_to_load("user://nowhere.tscn")
		&"SceneLintJob":
			return SceneLinter.lint_paths([])
	return SceneLinter.lint_text("nonsense", "res://a.tscn")[0]


func _right_value(parameter: Dictionary) -> Variant:
	match parameter.type:
		TYPE_STRING:
			return PATH
		TYPE_INT:
			return 0
		TYPE_PACKED_BYTE_ARRAY:
			return FastVariant.encode(7)
		TYPE_CALLABLE:
			return func(_text: Variant) -> Variant: return null
		TYPE_ARRAY, TYPE_DICTIONARY, TYPE_BOOL, TYPE_PACKED_STRING_ARRAY:
			return type_convert(null, parameter.type)
	return null


func _wrong_values() -> Array:
	var freed := Node.new()
	var callable := Callable(freed, &"queue_free")
	freed.free()
	var typed: Array[int] = [1]
	var typed_dictionary: Dictionary[String, int] = {"a": 1}
	return [typed_dictionary, null, true, -1, 1 << 40, 2.5, NAN, ^"nowhere/a.bin", Vector2.ONE, freed, Node.new(), RefCounted.new(), callable,
		Callable(), [null], typed, {1: 2}, PackedByteArray([255]), PackedInt32Array([1])]
