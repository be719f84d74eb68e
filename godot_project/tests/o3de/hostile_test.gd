extends "res://tests/test_suite.gd"
## Values that have no end and documents that ask for too much: an issue with its path, never a crash.

class Loop:
	extends Resource
	@export var inner: Array = []

	## Changes what is being read.
	@export var shrinking: Array = []:
		get:
			inner = []
			return shrinking


## Each kind of value without an end, or with one that is too far away.
func _endless() -> Dictionary[String, Variant]:
	var array: Array = []
	array.append([1, array])
	var dictionary: Dictionary = {}
	dictionary["a/b"] = dictionary
	var key: Dictionary = {}
	key[[1]] = [key]
	var deep_array: Variant = 1
	var deep_dictionary: Variant = 1
	for level: int in 20000:
		deep_array = [deep_array]
		deep_dictionary = { a = deep_dictionary }
	return { array = array, dictionary = dictionary, key = key, deep_array = deep_array, deep_dictionary = deep_dictionary }


func _all_ways(value: Variant) -> Dictionary[String, Variant]:
	var resolver := func(_name: String) -> Variant: return value
	return {
		store = O3deJson.store(value),
		store_by_schema = O3deJson.store(value, ["i32"]),
		store_without_defaults = O3deJson.store(value, null, { keep_defaults = false }),
		load = O3deJson.load(value, null),
		target = O3deJson.load("[1]", ["i32"], { target = value }),
		option_default = O3deJson.store([1], null, { default = value }),
		schema_default = O3deJson.load("1", { kind = "int", repr = "i32", default = value }),
		schema = O3deJson.load("1", value),
		field = O3deJson.load("{}", { kind = "record", fields = [{ name = "a", type = "i32", default = value }] }),
		apply_patch = O3deJson.apply_patch(value, []),
		patch = O3deJson.apply_patch({}, value),
		merge_patch = O3deJson.merge_patch({}, value),
		create_patch = O3deJson.create_patch(value, {}),
		resolve_imports = O3deJson.resolve_imports(value, resolver),
		resolver = O3deJson.resolve_imports({ "$import": "a" }, resolver),
		in_order = O3deJson.resolve_imports({ "$import": "a" }, resolver, true),
		restore_imports = O3deJson.restore_imports(value, [{ path = "", filename = "a" }], resolver),
		restore_resolver = O3deJson.restore_imports([1], [{ path = "", filename = "a" }], resolver),
		store_file = O3deJson.store_file("user://endless.json", value),
	}


func test_endless_values_are_refused() -> Outcome:
	var values := _endless()
	for name in values:
		check(_check_refused(name, _all_ways(values[name])), name + ": came to its end")
	_free(values)
	return DONE


func test_endless_values_are_refused_in_threads() -> Outcome:
	var values := _endless()
	var thread := Thread.new()
	thread.start(func() -> Array: return values.values().map(_all_ways))
	var all: Array = thread.wait_to_finish()
	check_equal(all.size(), values.size(), "the thread came to its end")
	for index: int in all.size():
		check(_check_refused("in a thread, %s" % values.keys()[index], all[index]), "came to its end")
	_free(values)
	return DONE


## A script error ends it with null, which is not true.
func _check_refused(name: String, results: Dictionary) -> bool:
	for way: String in results:
		var result: O3deJsonResult = results[way]
		check(not result.ok and result.issues.size() > 0, "%s, %s: %s" % [name, way, result.text.left(80)])
	return results.size() > 0


func _free(values: Dictionary[String, Variant]) -> void:
	for name: String in ["array", "dictionary", "key"]:
		@warning_ignore("unsafe_method_access")
		values[name].clear()


func test_the_path_leads_to_it() -> Outcome:
	var dictionary: Dictionary = {}
	dictionary["a/b"] = [dictionary]
	var result := O3deJson.store(dictionary)
	var path: String = result.issues[0].path
	check(path.begins_with("/a~1b/0/a~1b/0"), path.left(80))
	check(_said(result).contains("contains itself"), _said(result))
	result = O3deJson.load([1, { a = Vector2() }], null)
	check_equal(result.issues[0].path, "/1/a", "what is no JSON")
	dictionary.clear()
	return DONE


func test_compare_logs() -> Outcome:
	var array: Array = []
	array.append(array)
	Engine.print_error_messages = false
	check_equal(O3deJson.compare(array, array), -2, "compare")
	Engine.print_error_messages = true
	array.clear()
	return DONE


func test_a_descriptor_has_an_end() -> Outcome:
	# 2^60 parts, if nobody counts them.
	var schema: Variant = "i32"
	for level: int in 60:
		schema = [schema, schema]
	var result := O3deJson.load("1", schema)
	check(not result.ok and _said(result).contains("parts"), "a million parts: %s" % [result.issues])
	return DONE


func test_objects_without_an_end() -> Outcome:
	check(O3deJson.register_class("HostileLoop", Loop), "registered")
	var nested := Loop.new()
	var outer := nested
	for level: int in 100:
		var next := Loop.new()
		# Arrays between the objects count, too.
		outer.inner = [[[[next]]]]
		outer = next
	var result := O3deJson.store(nested)
	check(not result.ok, "objects and arrays by turns")
	outer.inner = [nested]
	check(not O3deJson.store(nested).ok, "an object in itself")
	outer.inner = []
	var shrinking := Loop.new()
	shrinking.inner = range(1000)
	shrinking.shrinking = [1]
	check(O3deJson.store(shrinking).ok, "a getter that changes the object: %s" % [O3deJson.store(shrinking).issues])
	O3deJson.unregister("HostileLoop")
	return DONE


func test_patches_are_counted() -> Outcome:
	var copies: Array = range(27).map(func(n: int) -> Dictionary: return { op = "copy", from = "", path = "/k%d" % n })
	_check_limit(O3deJson.apply_patch({ a = 1 }, copies), "max_values")
	_check_limit(O3deJson.apply_patch({ a = 1 }, copies.slice(0, 3), { max_values = 3 }), "max_values")
	check(O3deJson.apply_patch({ a = 1 }, copies.slice(0, 3)).ok, "few copies")
	var deeper: Array = range(400).map(func(_n: int) -> Dictionary: return { op = "copy", from = "", path = "/k" })
	_check_limit(O3deJson.apply_patch({ a = 1 }, deeper), "256")
	_check_limit(O3deJson.apply_patch({ a = 1 }, deeper, { max_depth = 9 }), "9")
	return DONE


func test_imports_are_counted() -> Outcome:
	var calls: Array[String] = []
	var resolver := func(name: String) -> Variant:
		calls.append(name)
		if name.length() >= 12:
			return 1
		return range(10).map(func(n: int) -> Dictionary: return { "$import": "%s/%d" % [name, n] })
	for in_order: bool in [false, true]:
		calls.clear()
		_check_limit(O3deJson.resolve_imports({ "$import": "a" }, resolver, in_order), "max_imports")
		check_equal(calls.size(), 10000, "calls")
		calls.clear()
		_check_limit(O3deJson.resolve_imports({ "$import": "a" }, resolver, in_order, { max_imports = 7 }), "max_imports")
		check_equal(calls.size(), 7, "calls")
	return DONE


func _check_limit(result: O3deJsonResult, words: String) -> void:
	check(not result.ok and result.outcome == O3deJson.OUTCOME_CATASTROPHIC, "refused")
	check(result.issues.size() == 1 and _said(result).contains(words), str(result.issues))


## Nothing that a call is given or that it calls may take it down.
func test_odd_calls() -> Outcome:
	for odd: Dictionary in [{ max_values = -1 }, { max_values = 1.5 }, { max_imports = "1" }, { max_depth = 257 },
			{ max_bytes = -1 }, { max_values = null }, { [] : 1 }, { 1 : 1 }]:
		check(not O3deJson.load("1", "i32", odd).ok, str(odd))
	check(O3deJson.apply_patch("1", "[]", { max_values = 9223372036854775807, max_bytes = 9223372036854775807 }).ok, "huge")
	for text: String in ["[".repeat(5000000), "{\"a\":".repeat(1000000), "9".repeat(10000000), "1" + "0".repeat(400),
			"\"\\ud800\"", "\"\\udc00\\ud800\"", "NaN", "-Infinity", "[1e999]", "/*"]:
		check(not O3deJson.load(text, "i64").ok, text.left(20))
	var fraction: float = O3deJson.load("0." + "1".repeat(10000000), "f64").value
	check(is_equal_approx(fraction, 1.0 / 9.0), "a long fraction")
	check(O3deJson.load("-9223372036854775808", "i64").ok, "the smallest integer")
	check(not O3deJson.load("-9223372036854775809", "i64").ok, "one less")
	check(not O3deJson.store([NAN, INF, Callable(), RID()]).ok, "values without JSON")
	# A callback that calls again.
	var report := func(_message: String, code: int, _path: String) -> int:
		O3deJson.load("[\"x\"]", ["i32"])
		return code
	check(not O3deJson.load("[\"x\"]", ["i32"], { report = report }).ok, "a report that loads")
	var resolver := func(_name: String) -> Variant:
		return O3deJson.load("[1]", ["i32"]).value
	check_equal(O3deJson.resolve_imports({ "$import": "a" }, resolver, false, { pretty = false }).text, "[1]", "a resolver that loads")
	return DONE


## What the first issue says.
func _said(result: O3deJsonResult) -> String:
	return result.issues[0].message if result.issues.size() > 0 else ""


## Texts of one hash: "a~" and "b]" have the same.
func _colliding_texts(count: int) -> Array:
	return range(count).map(func(number: int) -> String:
		var text := ""
		for bit: int in 15:
			text += "a~" if (number >> bit) & 1 else "b]"
		return text)


## Without a limit the engine takes n² steps for n keys of one hash.
func test_keys_that_collide() -> Outcome:
	var texts := _colliding_texts(20000)
	var map := "{%s}" % ",".join(texts.map(func(text: String) -> String: return '"%s":1' % text))
	var list := JSON.stringify(texts)
	var name := { "kind": "string", "as": TYPE_STRING_NAME }
	var by_key := { kind = "map", key = "string", value = "i64" }
	for case: Array in [
		[map, by_key, {}, ""],
		[map, { kind = "unordered_map", key = "string", value = "i64" }, {}, ""],
		[map, by_key, { target = { x = 1 } }, ""],
		[map, { kind = "map", key = name, value = "i64" }, {}, ""],
		['{"a/b": [%s]}' % map, { kind = "map", key = "string", value = [by_key] }, {}, "/a~1b/0"],
		['{"a": {"$type": "Dictionary", "Value": %s}}' % map.replace(":1", ':{"$type":"int","Value":1}'), { kind = "map", key = "string", value = "any" }, {}, "/a"],
		[list, [name], {}, null],
		[list, [{ "kind": "string", "as": TYPE_NODE_PATH }], {}, null],
	]:
		var result := O3deJson.load(case[0], case[1], case[2])
		var what := "%s %s" % [case[1], case[2]]
		check(not result.ok and result.value == null, what)
		if not check_equal(result.issues.size(), 1, what):
			continue
		check(_said(result).contains("collide"), "%s: %s" % [what, _said(result)])
		if case[3] != null:
			check_equal(result.issues[0].path, case[3], what)
	var plain := O3deJson.parse('[{"a": %s}]' % map)
	check(not plain.ok and _said(plain).contains("collide"), "any JSON")
	check_equal(plain.issues[0].path, "/0/a", "any JSON")
	var usual := "{%s}" % ",".join(range(20000).map(func(number: int) -> String: return '"player_%d":1' % number))
	var loaded: Dictionary = O3deJson.load(usual, by_key).value
	check_equal(loaded.size(), 20000, "keys that games have")
	var some := "{%s}" % ",".join(_colliding_texts(500).map(func(text: String) -> String: return '"%s":1' % text))
	check_equal(O3deJson.load(some, by_key).issues.size(), 1, "some")
	loaded = O3deJson.load(some, by_key, { max_collisions = 1000 }).value
	check_equal(loaded.size(), 500, "a higher limit")
	return DONE


## The engine's JSON gives U+FFFD: what opens files takes a NUL for the end of the name.
func test_nul_is_no_part_of_a_text() -> Outcome:
	var escaped := "evil.gd" + "\\u0000" + ".sav"
	Engine.print_error_messages = false
	var expected: String = JSON.parse_string('"%s"' % escaped)
	Engine.print_error_messages = true
	check_equal(expected.unicode_at(7), 0xFFFD, "the engine's")
	for case: Array in [
		['"%s"', "string", [expected]],
		['"%s"', { "kind": "string", "as": TYPE_STRING_NAME }, [StringName(expected)]],
		['"%s"', "path", [expected]],
		['["%s"]', { "kind": "array", "item": "string", "as": TYPE_PACKED_STRING_ARRAY }, [PackedStringArray([expected])]],
		['{"%s": 1}', { kind = "map", key = "string", value = "i64" }, [{ expected: 1 }]],
		['{"$type": "String", "Value": "%s"}', "any", [expected]],
	]:
		for json: Variant in [case[0] % escaped, str(case[0] % escaped).to_utf8_buffer()]:
			var value: Variant = O3deJson.load(json, case[1]).value
			check_equal([value], case[2], str(case[1]))
	var patched := O3deJson.merge_patch("{}", '{"a": "%s"}' % escaped)
	check_equal(JSON.parse_string(patched.text), { a = expected }, "a patch")
	var names: Array = []
	O3deJson.resolve_imports('{"$import": "%s"}' % escaped, func(name: String) -> Variant: names.append(name); return {})
	check_equal(names, [expected], "an import")
	check(not O3deJson.load(PackedByteArray([34, 97, 0, 98, 34]), "string").ok, "a NUL as it is")
	return DONE
