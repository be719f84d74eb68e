extends "res://tests/test_suite.gd"
## `salvage` gives what is whole in damaged bytes and files, and what is not, with its place.

const PATH := "user://fast_variant_salvage_test.bin"
const WHOLE := {"name": "Ada", "items": ["sword", Vector3(1, 2, 3), {"hp": 7}], "ids": [1, 2, 3], "last": "end"}


func test_each_prefix() -> Outcome:
	var bytes := FastVariant.encode(WHOLE)
	var seen := {}
	for size in bytes.size():
		var result := FastVariant.try_decode(bytes.slice(0, size), {salvage = true})
		check(not result.ok and not result.issues.is_empty(), "cut at %d" % size)
		if result.value is Dictionary:
			var value: Dictionary = result.value
			check(value.size() <= WHOLE.size(), "entries")
			check_equal(value.keys(), WHOLE.keys().slice(0, value.size()), "keys in order")
			for key: String in value:
				if value[key] == WHOLE[key]:
					seen[key] = true
				else:
					check_equal(key, value.keys().back(), "only the last is a part")
					check(value[key] is Array, str(value))
	check_equal(seen.keys(), ["name", "items", "ids"], "whole entries")
	var intact := FastVariant.try_decode(bytes, {salvage = true})
	check(intact.ok and intact.issues.is_empty() and intact.value == WHOLE, "intact")
	return DONE


func test_issues() -> Outcome:
	var bytes := FastVariant.encode([1, "broken", {"a": "broken", "b": 2}])
	for at in bytes.size():
		if bytes[at] == "k".unicode_at(0):
			bytes[at] = 0xFF
	var result := FastVariant.try_decode(bytes, {salvage = true})
	check_equal(result.value, [1, {"b": 2}], "what is whole")
	check_equal(result.error, "invalid_utf8", "the first fault")
	check_equal(result.issues.map(func(issue: Dictionary) -> String: return issue.path), ["[1]", "[2][\"a\"]"], "paths")
	for issue: Dictionary in result.issues:
		check_equal(issue.keys(), ["offset", "path", "error", "message"], "an issue")
		check_equal(bytes[issue.offset], 0xFF, "its place")
	check_equal(FastVariant.try_decode(bytes).value, null, "without the option")
	check(FastVariant.try_decode(bytes).issues.is_empty(), "without the option")
	return DONE


func test_objects() -> Outcome:
	var bytes := FastVariant.encode_with_objects([1, Resource.new(), 2])
	var result := FastVariant.try_decode(bytes, {salvage = true})
	check_equal(result.value, [1, 2], "without the object")
	check_equal(result.issues[0].error, "objects_not_allowed", "the issue")
	result = FastVariant.try_decode(bytes.slice(0, -4), {salvage = true, allow_objects = true, classes = ["Resource"]})
	var with_object: Array = result.value
	check(with_object.size() == 2 and with_object[1] is Resource, "a listed class")
	result = FastVariant.try_decode(bytes.slice(0, -4), {salvage = true, allow_objects = true, classes = ["Node"]})
	check_equal(result.value, [1], "another class is listed")
	return DONE


func test_typed_containers() -> Outcome:
	var typed: Array[String] = ["a", "broken", "c"]
	var bytes := FastVariant.encode(typed)
	for at in bytes.size():
		if bytes[at] == "k".unicode_at(0):
			bytes[at] = 0xFF
	var result := FastVariant.try_decode(bytes, {salvage = true})
	check_equal(result.value, ["a", "c"], "what is whole")
	var list: Array = result.value
	check_equal(list.get_typed_builtin(), TYPE_STRING, "typed")
	return DONE


func test_saved_files() -> Outcome:
	for compress: bool in [false, true]:
		check(FastVariant.save_file(PATH, WHOLE, {compress = compress}).ok, "saved")
		var bytes := FileAccess.get_file_as_bytes(PATH)
		_write(bytes.slice(0, -8))
		var result := FastVariant.load_file(PATH, {salvage = true})
		check(not result.ok and result.error == "unexpected_end", result.error)
		if not compress:
			check_equal(result.value, {"name": "Ada", "items": WHOLE.items, "ids": [1, 2, 3]}, "a file that ends early")
			check_equal(result.issues[0].path, '["last"]', str(result.issues))
		check_equal(FastVariant.load_file(PATH).value, null, "without the option")
	check(FastVariant.save_file(PATH, WHOLE).ok, "saved")
	var flipped := FileAccess.get_file_as_bytes(PATH)
	flipped[flipped.size() - 4] ^= 1
	_write(flipped)
	var changed := FastVariant.load_file(PATH, {salvage = true})
	check(not changed.ok and changed.error == "damaged" and changed.message.contains("checksum"), changed.message)
	check_equal(changed.value.items, WHOLE.items, "what was read, though a letter is another one")
	for other: FastVariantResult in [FastVariant.load_file("user://there_is_none.bin", {salvage = true}), FastVariant.load_file(PATH, {salvage = 1})]:
		check(not other.ok and other.value == null and other.issues.is_empty(), other.error)
	DirAccess.remove_absolute(PATH)
	return DONE


func test_other_calls_refuse_it() -> Outcome:
	var asked := {salvage = true}
	check_equal(FastVariant.view(PackedByteArray(), asked).get_failure().error, "invalid_option", "a view")
	check_equal(FastVariant.try_decode(PackedByteArray(), {salvage = true, dialect = FastVariant.DIALECT_GODOT_3}).error, "invalid_option", "a dialect")
	return DONE


func test_hostile_bytes() -> Outcome:
	var bytes := FastVariant.encode([WHOLE, WHOLE, [PackedStringArray(["a", "b"]), PackedVector3Array([Vector3.ONE]), ^"a/b:c"]])
	var random := RandomNumberGenerator.new()
	random.seed = options.rng_seed
	# Godot logs each element that a typed array with a damaged type does not take.
	printerr("[expected errors")
	for turn in 3000:
		var damaged := bytes.duplicate()
		for flip in 1 + turn % 3:
			damaged[random.randi() % damaged.size()] ^= 1 << random.randi() % 8
		var result := FastVariant.try_decode(damaged, {salvage = true, strict = turn % 2 == 0})
		check(result.ok == result.issues.is_empty(), result.message)
	printerr("expected errors]")
	return DONE


func _write(bytes: PackedByteArray) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()
