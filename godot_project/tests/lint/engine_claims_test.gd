extends "res://tests/test_suite.gd"
## What the documentation of rules says of Godot, seen in Godot. (What loads and fixes change, scripts/test/scenes/linter.sh
## compares; what untrusted files run, scripts/test/scenes/security.sh.)

const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const PATH := "user://engine_claims.tscn"
const ROOT := "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n"
const CHILD := "\n[node name=\"%s\" type=\"Node\" parent=\"%s\"]\n"


func test_tree004_a_name_with_a_colon_has_no_path() -> Outcome:
	var root := _instantiated(ROOT + CHILD % ["B:1", "."])
	check_equal(str(root.get_child(0).name), "B:1", "the name is kept")
	check(root.get_node_or_null("B:1") == null, "no path leads there")
	root.free()
	return DONE


func test_tree006_a_value_that_is_no_path_is_lost() -> Outcome:
	var text := ROOT.replace("Node\"]", "Timer\" node_paths=PackedStringArray(\"one_shot\", \"gone\")]")
	var root := _instantiated(text + "one_shot = true\n")
	var timer: Timer = root
	check(not timer.one_shot, "the value does not arrive")
	root.free()
	return DONE


func test_tree012_the_second_unique_name_is_taken_away() -> Outcome:
	var unique := "unique_name_in_owner = true\n"
	var nodes: Array[Node] = []
	var text := ROOT + CHILD % ["B", "."] + unique + CHILD % ["B", "B"] + unique
	var errors := _errors_of(func() -> void: nodes.append(_instantiated(text)))
	var root := nodes[0]
	check(root.get_node("%B") == root.get_node("B"), "the first has it")
	check(not root.get_node("B/B").unique_name_in_owner, "the second has not")
	check("already claimed" in errors or errors.is_empty(), errors)
	root.free()
	return DONE


func test_tree020_a_node_without_parent_gets_such_a_name() -> Outcome:
	if not OS.is_debug_build():
		return skip("a release build frees such nodes")
	var nodes: Array[Node] = []
	var text := ROOT + CHILD % ["B", "Gone/Inner"]
	_errors_of(func() -> void: nodes.append(_instantiated(text)))
	check_equal(str(nodes[0].get_child(0).name), "Gone_Inner#B", "name")
	nodes[0].free()
	return DONE


func test_sig004_the_first_connection_counts() -> Outcome:
	var connection := "\n[connection signal=\"ready\" from=\".\" to=\".\" method=\"get_name\"%s]\n"
	var nodes: Array[Node] = []
	var text := ROOT + connection % "" + connection % " flags=3 binds= [1]"
	var errors := _errors_of(func() -> void: nodes.append(_instantiated(text)))
	var found := nodes[0].get_signal_connection_list("ready")
	check_equal(found.size(), 1, "connections")
	var flags: int = found[0]["flags"]
	check_equal(flags & Object.CONNECT_DEFERRED, 0, "it is the first, which is not deferred")
	check("already connected" in errors or errors.is_empty(), errors)
	nodes[0].free()
	return DONE


func test_res013_what_godot_makes_of_uids() -> Outcome:
	for text: String in ["uid://My-Level", "uid://<invalid>", "b4gkfwf4i3ydl"]:
		check_equal(ResourceUID.text_to_id(text), ResourceUID.INVALID_ID, text)
	check_equal(ResourceUID.id_to_text(ResourceUID.text_to_id("uid://z")), "uid://0", "z")
	check_equal(ResourceUID.id_to_text(ResourceUID.text_to_id("uid://a9")), "uid://ba", "9")
	return DONE


func test_sty006_comments_are_not_saved() -> Outcome:
	var scene := _loaded("; first\n" + ROOT + "; second\n")
	check_equal(ResourceSaver.save(scene, PATH), OK, "saved")
	check(not FileAccess.get_file_as_string(PATH).contains(";"), "no comment is left")
	return DONE


func test_mig005_meta_of_godot_3_is_not_read() -> Outcome:
	var root := _instantiated(ROOT + "__meta__ = {\n\"speed\": 5\n}\n")
	check(root.get_meta_list().is_empty(), "no metadata")
	root.free()
	root = _instantiated(ROOT + "metadata/speed = 5\n")
	check_equal(root.get_meta("speed"), 5, "in the present form")
	root.free()
	return DONE


func _loaded(text: String) -> PackedScene:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	return ResourceLoader.load(PATH, "", ResourceLoader.CACHE_MODE_IGNORE)


func _instantiated(text: String) -> Node:
	return _loaded(text).instantiate()


## All that is logged, in one text; nothing where errors cannot be counted.
func _errors_of(action: Callable) -> String:
	if not LoggedErrors.can_be_counted():
		action.call()
		return ""
	return "\n".join(LoggedErrors.of(action))
