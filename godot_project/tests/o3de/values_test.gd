extends "res://tests/test_suite.gd"
## `O3deJson.store` and `load`: each kind of value with its schema, in both directions.

enum Flags { FIRE = 1, WATER = 2, AIR = 4 }

const ENGINE := { profile = "engine" }
const Nested := preload("res://tests/support/nested.gd")

var _reported: Array[String] = []


## Schema, JSON, the value that it loads to, the outcome.
func _loads() -> Array[Array]:
	return [
		[TYPE_BOOL, "\"TRUE\"", true, O3deJson.OUTCOME_SUCCESS],
		["u8", "\"0x1F\"", 31, O3deJson.OUTCOME_SUCCESS],
		["u8", "254.9", 254, O3deJson.OUTCOME_SUCCESS],
		["u8", "256", 0, O3deJson.OUTCOME_UNSUPPORTED],
		["i64", "-9223372036854775808", -9223372036854775807 - 1, O3deJson.OUTCOME_SUCCESS],
		["u64", "18446744073709551615", -1, O3deJson.OUTCOME_SUCCESS],
		["f32", "0.5", 0.5, O3deJson.OUTCOME_SUCCESS],
		[TYPE_FLOAT, "\"2.5e1x\"", 25.0, O3deJson.OUTCOME_SUCCESS],
		[TYPE_STRING, "true", "True", O3deJson.OUTCOME_SUCCESS],
		[TYPE_STRING_NAME, "\"ä\"", &"ä", O3deJson.OUTCOME_SUCCESS],
		[TYPE_NODE_PATH, "\"/root/A:position:x\"", ^"/root/A:position:x", O3deJson.OUTCOME_SUCCESS],
		["path", "\"a//b/../c\"", "a/c", O3deJson.OUTCOME_SUCCESS],
		[
			"uuid", "\"{8651b6da9792407ca46da6e2e39ca900}\"", "{8651B6DA-9792-407C-A46D-A6E2E39CA900}",
			O3deJson.OUTCOME_SUCCESS,
		],
		["bytes", "\"AP8=\"", PackedByteArray([0, 255]), O3deJson.OUTCOME_SUCCESS],
		[Flags, "[\"fire\", \"AIR\", 8]", 13, O3deJson.OUTCOME_SUCCESS],
		[TYPE_VECTOR2, "{\"y\": 2}", Vector2(0, 2), O3deJson.OUTCOME_PARTIAL_DEFAULTS],
		[TYPE_VECTOR3, "[1, \"2.5\", true, 9]", Vector3(1, 2.5, 1), O3deJson.OUTCOME_SUCCESS],
		[TYPE_VECTOR4, "[1]", Vector4(1, 0, 0, 0), O3deJson.OUTCOME_PARTIAL_DEFAULTS],
		[TYPE_VECTOR2I, "[1, 2147483648]", Vector2i.ZERO, O3deJson.OUTCOME_UNSUPPORTED],
		[TYPE_RECT2, "{\"size\": [3, 4]}", Rect2(0, 0, 3, 4), O3deJson.OUTCOME_PARTIAL_DEFAULTS],
		[TYPE_TRANSFORM2D, "{\"origin\": [3, 4]}", Transform2D(0, Vector2(3, 4)), O3deJson.OUTCOME_PARTIAL_DEFAULTS],
		[
			{ "kind": "matrix3x3", "as": TYPE_TRANSFORM2D }, "[1, 3, 5, 2, 4, 6, 0, 0, 1]",
			Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)), O3deJson.OUTCOME_SUCCESS,
		],
		[TYPE_QUATERNION, "[0, 0, 1, 0]", Quaternion(0, 0, 1, 0), O3deJson.OUTCOME_SUCCESS],
		[TYPE_PLANE, "{\"plane\": [0, 1, 0, -5]}", Plane(0, 1, 0, 5), O3deJson.OUTCOME_SUCCESS],
		[TYPE_AABB, "{\"min\": [0, 0, 0], \"max\": [1, 2, 3]}", AABB(Vector3.ZERO, Vector3(1, 2, 3)), O3deJson.OUTCOME_SUCCESS],
		[
			TYPE_BASIS, "[1, 2, 3, 4, 5, 6, 7, 8, 9]", Basis(Vector3(1, 4, 7), Vector3(2, 5, 8), Vector3(3, 6, 9)),
			O3deJson.OUTCOME_SUCCESS,
		],
		[
			TYPE_TRANSFORM3D, "[1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7]", Transform3D(Basis.IDENTITY, Vector3(5, 6, 7)),
			O3deJson.OUTCOME_SUCCESS,
		],
		[TYPE_PROJECTION, "[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]", Projection.IDENTITY, O3deJson.OUTCOME_SUCCESS],
		[TYPE_COLOR, "{\"RGB8\": [255, 0, 51]}", Color(1, 0, 0.2), O3deJson.OUTCOME_SUCCESS],
		[TYPE_COLOR, "{\"HEXA\": \"FF003380\"}", Color("ff003380"), O3deJson.OUTCOME_SUCCESS],
		[TYPE_COLOR, "[1, 0, 0]", Color.RED, O3deJson.OUTCOME_PARTIAL_DEFAULTS],
		[["i32"], "[1, \"2\", \"x\", 4]", [1, 2, 4], O3deJson.OUTCOME_UNSUPPORTED],
		[["i32", "string"], "[1, 2]", [1, "2"], O3deJson.OUTCOME_SUCCESS],
		[{ kind = "set", item = "int" }, "[3, 1, 3]", [3, 1], O3deJson.OUTCOME_UNAVAILABLE],
		[{ kind = "fixed_array", item = "int", size = 2 }, "[1, 2, 3]", [1, 2], O3deJson.OUTCOME_PARTIAL_SKIP],
		[{ kind = "fixed_vector", item = "int", capacity = 2 }, "[1, 2, 3]", [1, 2], O3deJson.OUTCOME_PARTIAL_SKIP],
		[{ kind = "map", key = "string", value = "int" }, "{\"b\": 1, \"a\": 2}", { b = 1, a = 2 }, O3deJson.OUTCOME_SUCCESS],
		[{ kind = "map", key = "int", value = "bool" }, "[{\"Key\": 1, \"Value\": true}]", { 1: true }, O3deJson.OUTCOME_SUCCESS],
		[
			{ kind = "unordered_multimap", key = "string", value = "int" }, "{\"a\": [1, 2], \"a\": [3]}", { a = [1, 2, 3] },
			O3deJson.OUTCOME_SUCCESS,
		],
		[{ hp = "u8", at = TYPE_VECTOR2I }, "{\"HP\": 3, \"at\": [1, 2]}", { hp = 3, at = Vector2i(1, 2) }, O3deJson.OUTCOME_SUCCESS],
		[null, "{\"$type\": \"Vector2\", \"Value\": [1, 2]}", Vector2(1, 2), O3deJson.OUTCOME_SUCCESS],
		["optional", "1", null, O3deJson.OUTCOME_INVALID],
		[TYPE_PACKED_INT32_ARRAY, "[1, 2]", PackedInt32Array([1, 2]), O3deJson.OUTCOME_SUCCESS],
		[TYPE_PACKED_VECTOR3_ARRAY, "[[1, 2, 3]]", PackedVector3Array([Vector3(1, 2, 3)]), O3deJson.OUTCOME_SUCCESS],
		[TYPE_PACKED_COLOR_ARRAY, "[{\"HEX\": \"00FF00\"}]", PackedColorArray([Color.GREEN]), O3deJson.OUTCOME_SUCCESS],
		[TYPE_PACKED_STRING_ARRAY, "[\"a\", 1]", PackedStringArray(["a", "1"]), O3deJson.OUTCOME_SUCCESS],
	]


func test_each_kind_is_loaded() -> Outcome:
	for row in _loads():
		var what := "%s from %s" % [row[0], row[1]]
		var result := O3deJson.load(row[1], row[0])
		check_equal(result.value, row[2], what)
		check_equal(result.outcome, row[3], what + ", outcome")
		check_equal(result.ok, result.issues.is_empty(), what + ", ok")
		check(not result.ok or result.processing == O3deJson.PROCESSING_COMPLETED, what + ", completed")
	note("%d loads" % _loads().size())
	return DONE


func test_each_type_comes_back() -> Outcome:
	var values: Array = [
		true, -5, 0.1, "text", Vector2(1, 2), Vector2i(1, 2), Rect2(1, 2, 3, 4), Rect2i(1, 2, 3, 4), Vector3(1, 2, 3),
		Vector3i(1, 2, 3), Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)), Vector4(1, 2, 3, 4), Vector4i(1, 2, 3, 4),
		Plane(1, 2, 3, 4), Quaternion(1, 2, 3, 4), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		Transform3D(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(1, 2, 3)),
		Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16)),
		Color(0.5, 0.25, 0, 0.125), &"name", ^"a/b:c", { "a": 1, "b": [null, 2.0] }, [1, "two", Vector3i(1, 2, 3)],
		PackedByteArray([1, 255]), PackedInt32Array([1, -2]), PackedInt64Array([1 << 62]), PackedFloat32Array([0.5]),
		PackedFloat64Array([0.1]), PackedStringArray(["a", ""]), PackedVector2Array([Vector2(1, 2)]),
		PackedVector3Array([Vector3(1, 2, 3)]), PackedColorArray([Color.RED]), PackedVector4Array([Vector4(1, 2, 3, 4)]),
	]
	for value: Variant in values:
		var stored := O3deJson.store(value)
		check(stored.ok, "%s: %s" % [describe(value), stored.issues])
		check_equal(stored.value, stored.text, "the value of a store is its text")
		check_equal(O3deJson.load(stored.text, typeof(value)).value, value, stored.text)
		# The same where nothing says what it is.
		var any := O3deJson.store(value, "any")
		check_equal(O3deJson.load(any.text, null).value, value, any.text)
	for value: Variant in [RID(), print, tree_exited_signal()]:
		var refused := O3deJson.store(value)
		check_equal(refused.outcome, O3deJson.OUTCOME_UNSUPPORTED, describe(value))
		check(not refused.ok and refused.issues.size() == 1, describe(value))
	note("%d values" % values.size())
	return DONE


func tree_exited_signal() -> Signal:
	return (Engine.get_main_loop() as SceneTree).root.tree_exited


func test_options() -> Outcome:
	var schema := { a = "int", tint = TYPE_COLOR }
	var value := { a = 0, tint = Color.BLACK }
	check_equal(O3deJson.store(value, schema, { pretty = false }).text, "{\"a\":0,\"tint\":[0.0,0.0,0.0,1.0]}", "kept")
	check_equal(O3deJson.store(value, schema, ENGINE).text, "{}", "stripped")
	check_equal(O3deJson.store({ a = 1, tint = Color.BLACK }, schema, { default = value, pretty = false }).text, "{\"a\":1}", "default")
	check_equal(O3deJson.load("{\"a\": 2}", schema, { target = { a = 1, tint = Color.RED } }).value, { a = 2, tint = Color.RED }, "target")
	check_equal(O3deJson.load("[3]", ["int"], { target = [1, 2] }).value, [1, 2, 3], "appended")
	check_equal(O3deJson.load("[3]", ["int"], { target = [1, 2], clear_containers = true }).value, [3], "cleared")
	check_equal(O3deJson.load("[1, 0, 0, 1]", TYPE_COLOR, ENGINE).outcome, O3deJson.OUTCOME_UNSUPPORTED, "the engine's colors")
	for given: Dictionary in [{ profil = "doc" }, { profile = "docs" }, { pretty = 1 }, { max_depth = 1000 }, { report = 5 }]:
		var result := O3deJson.load("1", TYPE_INT, given)
		check_equal(result.outcome, O3deJson.OUTCOME_INVALID, str(given))
		check_equal(result.value, null, str(given))
		check_equal(result.issues.size(), 1, str(given))
	return DONE


func test_reports() -> Outcome:
	_reported.clear()
	var result := O3deJson.load("[1, \"x\", {\"y\": 2}]", ["u8"], { report = _report })
	check_equal(_reported, ["/1", "/2"] as Array[String], "paths")
	check_equal(result.value, [1], "value")
	check_equal(result.outcome, O3deJson.OUTCOME_CATASTROPHIC, "the code that was given back")
	check_equal(result.issues.size(), 2, "issues")
	return DONE


func _report(message: String, code: int, path: String) -> int:
	check(not message.is_empty(), "message")
	check_equal(code >> 16, O3deJson.OUTCOME_UNSUPPORTED, "code")
	_reported.append(path)
	if path == "/2":
		return O3deJson.OUTCOME_CATASTROPHIC << 16 | O3deJson.PROCESSING_HALTED << 8 | O3deJson.TASK_READ_FIELD
	return code


func test_issues_have_places() -> Outcome:
	var result := O3deJson.load("{\"list\": [{\"a/b\": 1}, {\"a/b\": \"no\"}], \"more\": 1}", { list = [{ "a/b": "u8" }] })
	check_equal(result.issues.map(func(issue: Dictionary) -> String: return issue.path), ["/list/1/a~1b", "/more"], "paths")
	check_equal(result.issues[0].outcome, O3deJson.OUTCOME_UNSUPPORTED, "first")
	check_equal(result.issues[1].outcome, O3deJson.OUTCOME_SKIPPED, "second")
	check_equal(result.processing, O3deJson.PROCESSING_PARTIAL_ALTER, "processing")
	return DONE


func test_trees_of_the_engines_json() -> Outcome:
	var tree: Variant = JSON.parse_string("{\"hp\": 3, \"flags\": [1, \"WATER\"]}")
	check_equal(O3deJson.load(tree, { hp = "u8", flags = Flags }).value, { hp = 3, flags = 3 }, "whole floats are integers")
	check_equal(O3deJson.load("[1]".to_utf8_buffer(), ["int"]).value, [1], "bytes")
	return DONE


func test_schemas() -> Outcome:
	check_equal(O3deJson.schema_of(["u8"]), { kind = "array", item = { kind = "int", repr = "u8" } }, "array")
	check_equal(O3deJson.schema_of(Flags).values, { FIRE = 1, WATER = 2, AIR = 4 }, "enum")
	check_equal(O3deJson.enumeration(Flags, "u8").underlying, "u8", "underlying")
	check_equal(O3deJson.store(3, O3deJson.enumeration(Flags, "u8"), { pretty = false }).text, "[\"FIRE\",\"WATER\"]", "flags")
	for ty: int in 39:
		check_equal(O3deJson.schema_of(O3deJson.schema_of(ty)), O3deJson.schema_of(ty), type_string(ty))
	check(O3deJson.register_enum("Weather", { SUN = 0, RAIN = 1 }, "u8"), "register_enum")
	check_equal(O3deJson.load("\"rain\"", "Weather").value, 1, "a registered enum")
	check_equal(O3deJson.load("[\"Rain\"]", ["Weather"]).value, [1], "inside")
	check(O3deJson.unregister("Weather"), "unregister")
	for schema: Variant in ["Weather", [], 99, { Mixed = 1, case = 2 }, { kind = "array" }, { kind = "int", repr = "u7" }, Vector2.ONE]:
		var result := O3deJson.load("1", schema)
		check_equal(result.outcome, O3deJson.OUTCOME_INVALID, str(schema))
		check(result.issues.size() == 1 and not result.ok, str(schema))
	check_equal(O3deJson.new_uuid().length(), 38, "uuid")
	check_equal(O3deJson.load(JSON.stringify(O3deJson.new_uuid()), "uuid").outcome, O3deJson.OUTCOME_SUCCESS, "uuid")
	return DONE


## What O3DE's codes call completed, though a part of the document is not in the value.
func test_what_is_lost_is_not_ok() -> Outcome:
	var any := { kind = "map", key = "string", value = "any" }
	for row: Array in [
		['{"inv": {"$type": "Gone", "hp": 3}}', any, "/inv"], ['{"port": 8080}', null, ""],
		['{"hp": 1, "mana": 2}', { hp = "i32" }, "/mana"], ['{"a": 1}', TYPE_VECTOR2, ""],
		["[1, 2, 3]", { kind = "fixed_array", item = "int", size = 2 }, ""],
	]:
		var result := O3deJson.load(row[0], row[1])
		check_equal(result.processing, O3deJson.PROCESSING_COMPLETED, row[0])
		check(not result.ok, row[0])
		check_equal(result.issues.map(func(issue: Dictionary) -> String: return issue.path), [row[2]], row[0])
	var accept := func(_message: String, _code: int, _path: String) -> int: return 0x01_01_05
	check(O3deJson.load('{"hp": 1, "mana": 2}', { hp = "i32" }, { report = accept }).ok, "a report that accepts it")
	check(O3deJson.load("{}", { hp = "i32" }).ok, "defaults are no loss")
	return DONE


func test_types_inside_of_containers_come_back() -> Outcome:
	var floats: Array[float] = [1.0, 2.5]
	var names: Array[StringName] = [&"a"]
	var lists: Array[Array] = [[1], []]
	var empty: Array[Vector3i] = []
	var counts: Dictionary[StringName, int] = { &"k": 1 }
	var keyed: Dictionary[int, Variant] = { 1: "one", 2: floats }
	var value := { "floats": floats, "names": names, "lists": lists, "empty": empty, "counts": counts, "keyed": keyed, 5: &"v" }
	for case: Array in [[value, TYPE_DICTIONARY], [[value, floats, counts], TYPE_ARRAY]]:
		var stored := O3deJson.store(case[0])
		check(stored.ok, str(stored.issues))
		var loaded := O3deJson.load(stored.text, case[1])
		check(loaded.ok, str(loaded.issues))
		check_equal(var_to_str(loaded.value), var_to_str(case[0]), stored.text)
	for named: Dictionary in [{ "a": 1 }, { &"a": 1 }]:
		var text := O3deJson.store(named, null, { pretty = false }).text
		check_equal(text, '{"a":{"$type":"int","Value":1}}', "names are one key")
		check_equal(O3deJson.load(text, TYPE_DICTIONARY).value, named, text)
	for wrong: String in ["Array[]", "Array[Nope]", "Array[int", "Array[Array[int]]", "Dictionary[int]", "Dictionary[int, Nope]", "Set[int]"]:
		var result := O3deJson.load('{"$type": "%s", "Value": []}' % wrong, null)
		check(not result.ok and result.value == null, wrong)
	return DONE


func test_any_json() -> Outcome:
	var text := '{"port": 8080, "big": 9007199254740993, "n": {"a": [1, 2.5, null, -0.0, 1e3]}, "least": -9223372036854775808, "s": "ä\\n"}'
	var value := {
		"port": 8080, "big": 9007199254740993, "n": { "a": [1, 2.5, null, -0.0, 1000.0] }, "least": -9223372036854775807 - 1, "s": "ä\n",
	}
	for json: Variant in [text, StringName(text), text.to_utf8_buffer(), "\ufeff" + text]:
		var result := O3deJson.parse(json)
		check(result.ok, str(result.issues))
		check_equal(var_to_str(result.value), var_to_str(value), "the value")
	for pretty: bool in [false, true]:
		var written := O3deJson.stringify(value, { pretty = pretty })
		check(written.ok, str(written.issues))
		check_equal(var_to_str(O3deJson.parse(written.text).value), var_to_str(value), written.text)
	check_equal(O3deJson.stringify({ a = 1.0, b = 1 }, { pretty = false }).text, '{"a":1.0,"b":1}', "floats and integers")
	check_equal(O3deJson.parse('{"a": 1, "b": 2, "a": 3}').value, { "a": 3, "b": 2 }, "a name that comes twice")
	var twice: Dictionary = O3deJson.parse('{"a": 1, "b": 2, "a": 3}').value
	check_equal(twice.keys(), ["a", "b"], "its place")
	var huge := O3deJson.parse('{"a": [18446744073709551615]}')
	check_equal(huge.value, { "a": [18446744073709551615.0] }, "beyond 63 bits")
	check(not huge.ok and huge.issues[0].path == "/a/0", str(huge.issues))
	for schema: Variant in [null, ["f64"], TYPE_VECTOR2, "color"]:
		for lost: String in ["99999999999999999999", "-9223372036854775809", "18446744073709551617"]:
			var list := "[1, 0,\n  %s, 0]" % lost
			var result := O3deJson.parse(list) if schema == null else O3deJson.load(list.replace("1, 0,", "1,") if schema is int else list, schema)
			check(not result.ok and result.issues.size() == 1, str(result.issues))
			check_equal([result.issues[0].line, result.issues[0].column], [2, 3], str(result.issues))
			check_equal(type_string(typeof(result.value)), ["Array", "Array", "Vector2", "Color"][[null, ["f64"], TYPE_VECTOR2, "color"].find(schema)], list)
	check(O3deJson.parse("[1000000000000000000000, 9223372036854775808]").ok, "exactly floats")
	check_equal(O3deJson.merge_patch('{"a": 99999999999999999999}', '{"b": 1}', { pretty = false }).text, '{"a":99999999999999999999,"b":1}', "patched")
	for row: Array in [["[1,\n  2", 2, 4], ["{'a': 1}", 1, 2], ["", 1, 1], ["[".repeat(300), 1, 257], ["[1] 2", 1, 5]]:
		var result := O3deJson.parse(row[0])
		check(not result.ok and result.value == null, row[0])
		check_equal([result.issues[0].line, result.issues[0].column], [row[1], row[2]], row[0])
	for row: Array in [[Vector2.ONE, ""], [{ "a": [NAN] }, "/a/0"], [{ 1: 2 }, ""], [[Node], "/0"]]:
		var result := O3deJson.stringify(row[0])
		check(not result.ok and result.text.is_empty(), str(row[0]))
		check_equal(result.issues[0].path, row[1], result.issues[0].message)
	for option: Dictionary in [{ target = {} }, { default = {} }, { report = func() -> void: pass }, { other = 1 }]:
		check(not O3deJson.parse("1", option).ok and not O3deJson.stringify(1, option).ok, str(option))
	check_equal(O3deJson.parse(JSON.parse_string("[1, 1.5]")).value, [1, 1.5], "a tree of the engine's")
	return DONE


func test_hostile_text() -> Outcome:
	var rows: Array[Array] = [
		["", 1, 1], ["[1,\n  2", 2, 4], ["[1,]", 1, 4], ["{\"a\": 1}\n}", 2, 1], ["\"\\ud800\"", 1, 2], ["NaN", 1, 1],
		["[1, 1e999]", 1, 5], ["[".repeat(100000), 1, 257], ["{\"a\":".repeat(300), 1, 1281], ["/* open", 1, 1],
	]
	for row in rows:
		var text: String = row[0]
		var result := O3deJson.load(text, null)
		check_equal(result.outcome, O3deJson.OUTCOME_INVALID, text.left(20))
		if check_equal(result.issues.size(), 1, text.left(20)):
			check_equal(result.issues[0].line, row[1], text.left(20) + " line")
			check_equal(result.issues[0].column, row[2], "%s column: %s" % [text.left(20), result.issues[0].message])
	var not_utf8 := O3deJson.load(PackedByteArray([0x5b, 0x0a, 0x22, 0xff]), null)
	check_equal([not_utf8.issues[0].line, not_utf8.issues[0].column], [2, 2], "not UTF-8")
	check_equal(O3deJson.load("[1, 2]", ["int"], { max_bytes = 3 }).outcome, O3deJson.OUTCOME_INVALID, "max_bytes")
	check_equal(O3deJson.load("[[1]]", [["int"]], { max_depth = 1 }).outcome, O3deJson.OUTCOME_INVALID, "max_depth")
	check_equal(O3deJson.load("{\"a\": 1, \"a\": 2}", { kind = "map", key = "string", value = "int" }).value, { a = 2 }, "twice")
	check_equal(O3deJson.load("123456789012345678901234567890", "i64").outcome, O3deJson.OUTCOME_UNSUPPORTED, "a huge number")
	for number: float in [NAN, INF, -INF]:
		check_equal(O3deJson.store([number]).issues[0].path, "/0/Value", "no JSON for %s" % number)
	var many := O3deJson.load("[%s1]" % "\"x\",".repeat(5000), ["int"])
	check_equal(many.value, [1], "the good one")
	check_equal(many.issues.size(), 1001, "issues end")
	var deep: Variant = []
	for level: int in 300:
		deep = [deep]
	check_equal(O3deJson.store(deep).outcome, O3deJson.OUTCOME_INVALID, "too deep to store")
	check_equal(O3deJson.load(deep, null).outcome, O3deJson.OUTCOME_INVALID, "a tree that is too deep")
	return DONE


func test_worker_threads() -> Outcome:
	var expected := {}
	for index: int in 100:
		expected[str(index)] = [index, Vector3(index, 0, 1), &"name"]
	var finished := {}
	var mutex := Mutex.new()
	var work := func(task: int) -> void:
		var text := O3deJson.store(expected).text
		var same: bool = O3deJson.load(text, TYPE_DICTIONARY).value == expected
		mutex.lock()
		finished[task] = same
		mutex.unlock()
	var group := WorkerThreadPool.add_group_task(work, 16)
	WorkerThreadPool.wait_for_group_task_completion(group)
	check_equal(finished.size(), 16, "tasks that came to their end")
	check(not finished.values().has(false), "results that differ")
	return DONE
