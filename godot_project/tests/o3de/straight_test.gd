extends "res://tests/test_suite.gd"
## What `O3deJson.load` makes straight of a text is what it makes by way of a tree, which the option `report` asks for.

const RECORD := { name = "string", hp = "u8", at = TYPE_VECTOR2, tags = ["string"], more = { on = "bool" } }

var _reports := 0


func _cases() -> Array[Array]:
	var long := "long ".repeat(100)
	return [
		[[RECORD], "[{\"name\":\"a\",\"hp\":1,\"at\":[1,2],\"tags\":[\"x\",\"y\"],\"more\":{\"on\":true}}]"],
		[[RECORD], "[{\"more\":{\"ON\":true},\"hp\":1},{},{\"name\":{}}]"],
		[[RECORD], "[{\"name\":\"a\",\"hp\":\"0x1F\",\"at\":{\"x\":1}},{\"name\":\"b\",\"unknown\":1}]"],
		[[RECORD], "[{\"name\":\"a\",\"name\":\"b\"}, {\"hp\": 300}]"],
		[{ kind = "map", key = "string", value = RECORD }, "{\"a\":{\"hp\":1},\"b\":{},\"ä\\u0000\":{\"tags\":[]}}"],
		[{ kind = "map", key = "string", value = "string" }, "{\"a\":\"b\",\"c\":\"\\ud83d\\ude00\",\"a\":\"%s\"}" % long],
		[{ kind = "map", key = "any", value = "i64" }, "{\"a\":1,\"{}\":2,\"\":3}"],
		[["string"], "[\"\",\"a\",\"a\",\"a\",\"ä\",\"\\n\",\"%s\",12,true]" % long],
		[[TYPE_STRING_NAME], "[\"\",\"a\",\"ä\"]"],
		[[["f32"]], "[[],[1,2.5,-3e2],[\"1.5\"]]"],
		[TYPE_PACKED_FLOAT64_ARRAY, "[1,2.5,-0.0,1e300]"],
		[TYPE_PACKED_FLOAT32_ARRAY, "[1,2.5,-0.0]"],
		[TYPE_PACKED_INT64_ARRAY, "[1,-9223372036854775808]"],
		[TYPE_PACKED_INT32_ARRAY, "[1,-2147483648,2147483648]"],
		[TYPE_PACKED_VECTOR2_ARRAY, "[[1,2],[3,4]]"],
		[TYPE_PACKED_VECTOR3_ARRAY, "[[1,2,3],{\"z\":1}]"],
		[TYPE_PACKED_VECTOR4_ARRAY, "[[1,2,3,4]]"],
		[TYPE_PACKED_STRING_ARRAY, "[\"\",\"a\",\"ä\",\"\\n\",\"%s\"]" % long],
		[TYPE_PACKED_STRING_ARRAY, "[]"],
		[TYPE_PACKED_BYTE_ARRAY, "\"AP8=\""],
		[[TYPE_COLOR], "[[1,0.5,0,1],[1,0.5,0],{\"HEX\":\"00FF00\"},{}]"],
		[[TYPE_RECT2], "[{\"position\":[1,2],\"size\":[3,4]}]"],
		[[TYPE_NODE_PATH], "[\"a/b:c\"]"],
		[["i32", "string"], "[1,\"a\"]"],
		[TYPE_DICTIONARY, "{\"a\":{\"$type\":\"Vector2\",\"Value\":[1,2]}}"],
		[["u8"], "[1,2"],
		[["u8"], ""],
	]


func test_both_ways_agree() -> Outcome:
	for row in _cases():
		for profile: String in ["doc", "engine"]:
			_compare(row[0], row[1], profile)
	check(_reports > 0, "what the general way reports was reported")
	note("%d texts" % (2 * _cases().size()))
	return DONE


## Long arrays of numbers are read in parts by several threads, each to its place in the engine's array.
func test_long_arrays_of_numbers() -> Outcome:
	var whole: PackedStringArray = []
	var fractions: PackedStringArray = []
	for index: int in 120_000:
		whole.append(str(index * 7919 - 400_000_000))
		fractions.append("%d.%d" % [index, index * 31])
	var texts := {
		TYPE_PACKED_INT32_ARRAY: whole, TYPE_PACKED_INT64_ARRAY: whole,
		TYPE_PACKED_FLOAT32_ARRAY: fractions, TYPE_PACKED_FLOAT64_ARRAY: fractions }
	for type: int in texts:
		var numbers: PackedStringArray = texts[type]
		for last: String in ["7", "\"8\"", "9999999999", "1,,2"]:
			numbers[numbers.size() - 1] = last
			var text := "[%s]" % ",".join(numbers)
			var general := O3deJson.load(text, type, { report = _report })
			var straight := O3deJson.load(text, type)
			check_equal(var_to_bytes(straight.value), var_to_bytes(general.value), "%d, %s" % [type, last])
			check_equal(straight.outcome, general.outcome, "%d, %s, outcome" % [type, last])
			check_equal(straight.issues, general.issues, "%d, %s, issues" % [type, last])
			check(straight.ok or last != "7", "%d is read" % type)
	return DONE


func _compare(schema: Variant, text: String, profile: String) -> void:
	var general := O3deJson.load(text, schema, { profile = profile, report = _report })
	for json: Variant in [text, text.to_utf8_buffer()]:
		var straight := O3deJson.load(json, schema, { profile = profile })
		check_equal(var_to_str(straight.value), var_to_str(general.value), text)
		check_equal(var_to_bytes(straight.value), var_to_bytes(general.value), text + ", bytes")
		check_equal(straight.task, general.task, text + ", task")
		check_equal(straight.outcome, general.outcome, text + ", outcome")
		check_equal(straight.processing, general.processing, text + ", processing")
		check_equal(straight.issues, general.issues, text + ", issues")


func _report(_message: String, code: int, _path: String) -> int:
	_reports += 1
	return code


## What is made is a value like any other: it can be changed, and what it shares with others stays as it is.
func test_what_is_made_can_be_changed() -> Outcome:
	var text := "[{\"name\":\"key\",\"tags\":[\"key\"]},{\"name\":\"key\",\"tags\":[]}]"
	var records: Array = O3deJson.load(text, [RECORD]).value
	var first: Dictionary = records[0]
	first["name"] += "s"
	first["added"] = 1
	var tags: Array = first["tags"]
	tags.append(3)
	records.append("end")
	check_equal(first["name"], "keys", "a text grows")
	check_equal(records[1]["name"], "key", "the same text elsewhere stays")
	check_equal(tags, ["key", 3], "an array grows")
	check_equal(records.size(), 3, "the outer array grows")
	var again: Array = O3deJson.load(text, [RECORD]).value
	check_equal(again[0], { name = "key", hp = 0, at = Vector2.ZERO, tags = ["key"], more = { on = false } }, "loaded again")
	var strings: PackedStringArray = O3deJson.load("[\"a\",\"b\"]", TYPE_PACKED_STRING_ARRAY).value
	strings[0] += "c"
	strings.append("d")
	check_equal(strings, PackedStringArray(["ac", "b", "d"]), "a packed array grows")
	return DONE


## Objects are made after the whole text was read, once each.
func test_objects_are_made_once() -> Outcome:
	var script := GDScript.new()
	script.source_code = "extends RefCounted\nstatic var made := 0\nvar hp := 1\nfunc _init() -> void:\n\tmade += 1\n"
	check_equal(script.reload(), OK, "the script")
	check(O3deJson.register_class("O3deTestCounted", script), "registered")
	for text: String in ["[{\"hp\":2},{\"hp\":3}]", "[{\"hp\":2},{\"hp\":\"x\"}]", "[{\"hp\":2}, 5"]:
		script.set("made", 0)
		var result := O3deJson.load(text, [{ "kind": "class", "class": "O3deTestCounted" }])
		var values: Array = result.value if result.value is Array else []
		check_equal(script.get("made"), values.size(), text)
	O3deJson.unregister("O3deTestCounted")
	return DONE
