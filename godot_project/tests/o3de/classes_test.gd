extends "res://tests/test_suite.gd"
## Classes that are registered, and what is derived from their properties; files; patches.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const PATH := "user://o3de_test.json"


class Inner:
	extends RefCounted
	var number: int = 4
	var next: Inner


class NeedsArguments:
	extends RefCounted

	var number: int

	func _init(given: int) -> void:
		number = given

	static func create() -> NeedsArguments:
		return NeedsArguments.new(7)

	static func create_other() -> RefCounted:
		return RefCounted.new()


func _hero() -> O3deTestHero:
	var hero := O3deTestHero.new()
	hero.title = "Ada"
	hero.hp = 3
	hero.state = O3deTestHero.State.DEAD
	hero.elements = 5
	hero.rank = 5
	hero.position = Vector3(1, 2, 3)
	hero.scores = [1, 2]
	hero.states = [O3deTestHero.State.RUNNING]
	hero.stock = { "apples": 1.5 }
	hero.weapon = O3deTestSword.new()
	hero.weapon.damage = 9.0
	hero.items = [O3deTestWeapon.new(), null]
	hero.target = ^"../Door:open"
	hero.level = 4
	return hero


func _register() -> bool:
	var names := O3deJson.registered_classes()
	if not names.has("O3deTestHero"):
		return O3deJson.register_class("O3deTestHero", O3deTestHero) \
				and O3deJson.register_class("O3deTestSword", O3deTestSword, { uuid = "{8651b6da9792407ca46da6e2e39ca900}" })
	return true


func test_an_object_comes_back() -> Outcome:
	check(_register(), "registered")
	check(O3deJson.registered_classes().has("O3deTestWeapon"), "the class of a property is registered, too")
	var hero := _hero()
	var stored := O3deJson.store(hero)
	check(stored.ok, str(stored.issues))
	var tree: Dictionary = JSON.parse_string(stored.text)
	check_equal(tree.state, "DEAD", "an enum's name")
	check_equal(tree.elements, ["Fire", "Air"], "flags")
	check_equal(tree.rank, "Mid", "a hint's name")
	check_equal(tree.states, ["RUNNING"], "an array of enums")
	var weapon: Dictionary = tree.weapon
	check_equal(weapon["$type"], "O3deTestSword", "a derived class is named")
	check(not tree.has("_secret") and not tree.has("script") and not tree.has("resource_name"), "what is not stored")
	var loaded := O3deJson.load(stored.text, O3deTestHero)
	check(loaded.ok, str(loaded.issues))
	var copy: O3deTestHero = loaded.value
	check(copy != hero, "a new object")
	for property: String in ["title", "hp", "state", "elements", "rank", "position", "tint", "scores", "states", "stock", "target", "tag", "level"]:
		check_equal(copy.get(property), hero.get(property), property)
	check(copy.weapon is O3deTestSword and copy.weapon.damage == 9.0, "the weapon")
	check(copy.items.size() == 2 and copy.items[0] is O3deTestWeapon and copy.items[1] == null, "the items")
	check_equal(copy.items.get_typed_script(), O3deTestWeapon, "typed arrays stay typed")
	check_equal(copy.stock.get_typed_value_builtin(), TYPE_FLOAT, "typed dictionaries stay typed")
	check_equal(copy.secret(), 7, "what was not stored")
	return DONE


func test_defaults_are_left_out() -> Outcome:
	check(_register(), "registered")
	var hero := O3deTestHero.new()
	check_equal(O3deJson.store(hero, null, { keep_defaults = false }).text, "{}", "all defaults")
	hero.hp = 5
	hero.weapon = O3deTestWeapon.new()
	check_equal(O3deJson.store(hero, null, { keep_defaults = false, pretty = false }).text, "{\"hp\":5,\"weapon\":{}}", "one field")
	var loaded: O3deTestHero = O3deJson.load("{\"HP\": \"5\"}", O3deTestHero).value
	check_equal(loaded.hp, 5, "read in any case, from a string")
	check_equal(loaded.title, "nobody", "default")
	return DONE


func test_a_target_is_filled_in_place() -> Outcome:
	check(_register(), "registered")
	var hero := _hero()
	var weapon := hero.weapon
	var result := O3deJson.load("{\"hp\": 77, \"weapon\": {\"damage\": 2}}", O3deTestHero, { target = hero })
	check(result.ok, str(result.issues))
	check(result.value == hero, "the same object")
	check_equal(hero.hp, 77, "the field")
	check(hero.weapon == weapon, "the object in it is the same")
	check_equal(weapon.damage, 2.0, "and filled")
	check_equal(hero.title, "Ada", "what is not in the data stays")
	return DONE


func test_only_registered_classes_are_made() -> Outcome:
	check(_register(), "registered")
	for type: String in ["Node", "res://tests/o3de/sword.gd", "Sprite2D", "GDScript", "Object", "O3deTestHero"]:
		var result := O3deJson.load("{\"weapon\": {\"$type\": \"%s\"}}" % type, O3deTestHero)
		check(not result.ok, type)
		check_equal(result.issues[0].path, "/weapon/$type", type)
		check_equal(result.value.weapon, null, type)
	check(O3deJson.register_alias("Game::Sword", "O3deTestSword"), "alias")
	for type: String in ["o3detestsword", "Game::Sword", "{8651B6DA-9792-407C-A46D-A6E2E39CA900} Other"]:
		var result := O3deJson.load("{\"weapon\": {\"$type\": \"%s\"}}" % type, O3deTestHero)
		check(result.ok and result.value.weapon is O3deTestSword, "%s: %s" % [type, result.issues])
	var unregistered := O3deJson.store({ a = Resource.new() })
	check_equal(unregistered.outcome, O3deJson.OUTCOME_UNSUPPORTED, "an object of another class")
	check_equal(unregistered.issues[0].path, "/a", "its place")
	check(str(unregistered.issues[0].message).contains("not registered"), str(unregistered.issues))
	return DONE


func test_inner_and_engine_classes() -> Outcome:
	check(O3deJson.register_class("Inner", Inner), "an inner class")
	var first := Inner.new()
	first.next = Inner.new()
	first.next.number = 5
	var text := O3deJson.store(first, null, { pretty = false }).text
	check_equal(text, "{\"number\":4,\"next\":{\"$type\":\"Inner\",\"number\":5,\"next\":null}}", "nested")
	var loaded: Inner = O3deJson.load(text, Inner).value
	check_equal(loaded.next.number, 5, "loaded")
	first.next.next = first
	var circle := O3deJson.store(first)
	check(not circle.ok and str(circle.issues[0].message).contains("contains itself"), str(circle.issues))
	first.next.next = null
	check(O3deJson.register_class("Gradient", "Gradient"), "an engine class")
	var gradient := Gradient.new()
	gradient.offsets = PackedFloat32Array([0.0, 0.5, 1.0])
	gradient.colors = PackedColorArray([Color.RED, Color.GREEN, Color.BLUE])
	gradient.interpolation_mode = Gradient.GRADIENT_INTERPOLATE_CUBIC
	var stored := O3deJson.store(gradient)
	check(stored.text.contains("\"GRADIENT_INTERPOLATE_CUBIC\"") or stored.text.contains("\"Cubic\""), stored.text)
	var copy: Gradient = O3deJson.load(stored.text, "Gradient").value
	check_equal(copy.colors, gradient.colors, "colors")
	check_equal(copy.interpolation_mode, gradient.interpolation_mode, "mode")
	for name: String in ["Inner", "Gradient"]:
		check(O3deJson.unregister(name), name)
		check(not O3deJson.unregister(name), name + " twice")
	return DONE


func test_a_factory_gives_the_arguments() -> Outcome:
	check(O3deJson.register_class("NeedsArguments", NeedsArguments, { factory = NeedsArguments.create }), "registered")
	var text := "[{\"number\": 4}, {}]"
	var loaded: Array = O3deJson.load(text, [NeedsArguments]).value
	check_equal(loaded.size(), 2, "both are made")
	var first: NeedsArguments = loaded[0]
	var second: NeedsArguments = loaded[1]
	check_equal([first.number, second.number], [4, 7], "what was loaded, and what the factory gives")
	check_equal(O3deJson.store(second, null, { profile = "engine" }).text, "{}", "what the factory gives is the default")
	check(O3deJson.unregister("NeedsArguments"), "unregistered")
	return DONE


func test_what_cannot_be_registered() -> Outcome:
	check(_register(), "registered")
	if not LoggedErrors.can_be_counted():
		return skip("Godot < 4.5 cannot count errors")
	var fails: Array[Callable] = [
		func() -> bool: return O3deJson.register_class("NeedsArguments", NeedsArguments),
		func() -> bool: return O3deJson.register_class("Nothing", NeedsArguments, { factory = func() -> Object: return null }),
		func() -> bool: return O3deJson.register_class("Nothing", NeedsArguments, { factory = NeedsArguments.create_other }),
		func() -> bool: return O3deJson.register_class("Nothing", NeedsArguments, { factory = 5 }),
		func() -> bool: return O3deJson.register_class("Nothing", "Gradient", { factory = NeedsArguments.create }),
		func() -> bool: return O3deJson.register_class("O3deTestHero", O3deTestHero),
		func() -> bool: return O3deJson.register_class("", Inner),
		func() -> bool: return O3deJson.register_class("Nothing", "NoSuchClass"),
		func() -> bool: return O3deJson.register_class("Nothing", 5),
		func() -> bool: return O3deJson.register_class("Nothing", Inner, { uuid = "no" }),
		func() -> bool: return O3deJson.register_class("Nothing", Inner, { properties = ["no"] }),
		func() -> bool: return O3deJson.register_alias("A", "NoSuchClass"),
		func() -> bool: return O3deJson.register_enum("E", { A = "b" }),
		func() -> bool: return O3deJson.register_enum("E", { A = 1 }, "u9"),
		func() -> bool: return O3deJson.unregister("O3deTestWeapon"),
	]
	var done := { count = 0 }
	var errors := LoggedErrors.of(func() -> void:
		for failing: Callable in fails:
			done.count += int(not failing.call()))
	check_equal(done.count, fails.size(), "calls that say no")
	check_equal(errors.size(), fails.size(), str(errors))
	return DONE


## The message says what the target is, and not that its class is unknown.
func test_wrong_targets() -> Outcome:
	check(_register(), "registered")
	var freed := Node.new()
	freed.free()
	for row: Array in [[Resource.new(), "a Resource of no registered class"], [null, "null"], [freed, "null, or an object that was freed"],
			[O3deTestSword.new(), "an object of `O3deTestSword`"], [7, "of type int"]]:
		var result := O3deJson.load("{}", O3deTestHero, { target = row[0] })
		check(not result.ok, row[1])
		check_equal(result.issues[0].message, "the option `target` is %s; expected an object of `O3deTestHero`" % row[1], row[1])
	var hero := O3deTestHero.new()
	check(O3deJson.load("{}", O3deTestHero, { target = hero }).value == hero, "one that fits")
	return DONE


func test_files() -> Outcome:
	check(_register(), "registered")
	var hero := _hero()
	check(O3deJson.store_file(PATH, hero).ok, "stored")
	var tree: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(PATH))
	check_equal(tree.keys(), ["Type", "Version", "ClassName", "ClassData"], "the wrapper")
	check_equal(tree.ClassName, "O3deTestHero", "the class")
	for schema: Variant in [null, O3deTestHero, "O3deTestHero"]:
		var loaded := O3deJson.load_file(PATH, schema)
		check(loaded.ok and loaded.value.title == "Ada", str(loaded.issues))
	var target := O3deTestHero.new()
	var filled := O3deJson.load_file(PATH, O3deTestHero, { target = target })
	check(filled.value == target and target.title == "Ada", "a target: %s" % str(filled.issues))
	check(O3deJson.store_file(PATH, Vector3(1, 2, 3)).ok, "another value")
	check_equal(O3deJson.load_file(PATH).value, Vector3(1, 2, 3), "comes back")
	check(not O3deJson.load_file(PATH, O3deTestHero).ok, "another class")
	_write("{\"Type\": \"JsonSerialization\", \"ClassName\": \"O3deTestHero\", \"ClassData\": {\"hpp\": 1}}")
	var unknown := O3deJson.load_file(PATH)
	check(not unknown.ok, "an unknown member fails a file")
	check_equal(unknown.issues[0].path, "/ClassData/hpp", "its place")
	_write("[1, 2]")
	check_equal(O3deJson.load_file(PATH, ["u8"]).value, [1, 2], "without a wrapper")
	check(not O3deJson.load_file(PATH).ok, "without anything that says what it is")
	_write("[1,\n")
	check_equal(O3deJson.load_file(PATH, ["u8"]).issues[0].line, 2, "no JSON")
	DirAccess.remove_absolute(ProjectSettings.globalize_path(PATH))
	check_equal(O3deJson.load_file(PATH, ["u8"]).outcome, O3deJson.OUTCOME_CATASTROPHIC, "no file")
	check_equal(O3deJson.store_file("user://no/such/folder.json", 1).outcome, O3deJson.OUTCOME_CATASTROPHIC, "no folder")
	return DONE


func _write(text: String) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_string(text)


func test_patches() -> Outcome:
	var old := "{\"hp\": 1, \"list\": [1, 2, 3]}"
	var new := "{\"hp\": 2, \"list\": [1, 5], \"name\": \"Ada\"}"
	var patch := O3deJson.create_patch(old, new)
	check(patch.ok, str(patch.issues))
	var patched := O3deJson.apply_patch(old, patch.text)
	check_equal(O3deJson.compare(patched.text, new), 0, patched.text)
	var merge := O3deJson.create_patch(old, new, "merge_patch", { pretty = false })
	check_equal(merge.text, "{\"hp\":2,\"list\":[1,5],\"name\":\"Ada\"}", "merge patch")
	check_equal(O3deJson.compare(O3deJson.merge_patch(old, merge.text).text, new), 0, "merged")
	check_equal(O3deJson.merge_patch(old, "{\"list\": null}", { pretty = false }).text, "{\"hp\":1}", "removed")
	var failed := O3deJson.apply_patch(old, "[{\"op\": \"test\", \"path\": \"/hp\", \"value\": 9}]")
	check_equal(failed.outcome, O3deJson.OUTCOME_TEST_FAILED, "test")
	check_equal(failed.issues[0].path, "/0/value", "its place")
	check_equal(failed.text, "", "no document")
	check_equal(O3deJson.create_patch(old, "{\"hp\": null}", "merge_patch").outcome, O3deJson.OUTCOME_UNSUPPORTED, "null")
	check_equal(O3deJson.create_patch(old, new, "diff").outcome, O3deJson.OUTCOME_INVALID, "no such kind")
	check_equal(O3deJson.apply_patch("{", "[]").outcome, O3deJson.OUTCOME_INVALID, "no JSON")
	check_equal(O3deJson.compare("[1]", "[1.0]"), 0, "equal")
	check_equal(O3deJson.compare("null", "1"), -1, "less")
	check_equal(O3deJson.compare("\"b\"", "\"a\""), 1, "more")
	return DONE


func test_imports() -> Outcome:
	var files := { "base": "{\"a\": 1, \"b\": 2}", "p.jsonpatch": "[{\"op\": \"remove\", \"path\": \"/a\"}]", "me": "{\"$import\": \"me\"}" }
	var resolver := func(name: String) -> Variant: return files.get(name)
	var compact := { pretty = false }
	check_equal(O3deJson.resolve_imports("[{\"$import\": \"base\"}]", resolver, false, compact).text, "[{\"a\":1,\"b\":2}]", "whole")
	var ordered := "{\"$import\": \"base\", \"$import\": \"p.jsonpatch\", \"b\": 3}"
	check_equal(O3deJson.resolve_imports(ordered, resolver, true, compact).text, "{\"b\":3}", "in order")
	var whole := O3deJson.resolve_imports("{\"x\": {\"$import\": \"base\"}, \"y\": [{\"$import\": \"base\"}]}", resolver, false, compact)
	check_equal(whole.imports, [{ path = "/x", filename = "base" }, { path = "/y/0", filename = "base" }], "what was imported")
	var changed := O3deJson.merge_patch(whole.text, "{\"x\": {\"b\": 3}}", compact)
	var restored := O3deJson.restore_imports(changed.text, whole.imports, resolver, compact)
	var expected := "{\"x\":{\"$import\":{\"filename\":\"base\",\"patch\":{\"b\":3}}},\"y\":[{\"$import\":\"base\"}]}"
	check_equal(restored.text, expected, "restored: %s" % [restored.issues])
	var nowhere := O3deJson.restore_imports("{}", whole.imports, resolver)
	check_equal(nowhere.outcome, O3deJson.OUTCOME_MISSING, "nothing is there")
	check(not O3deJson.restore_imports("{}", [{ path = 1 }], resolver).ok, "no import")
	for text: String in ["{\"$import\": \"none\"}", "{\"$import\": \"me\"}"]:
		check_equal(O3deJson.resolve_imports(text, resolver).outcome, O3deJson.OUTCOME_CATASTROPHIC, text)
	return DONE
