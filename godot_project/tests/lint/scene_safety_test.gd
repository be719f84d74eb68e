extends "res://tests/test_suite.gd"
## `SceneLinter.is_safe_to_load`: files that run code when they are loaded are not safe, and neither is what names them.

## Beside the project, in the repository. What Godot does with them is seen in scripts/test_security.sh.
const FIXTURES := "../rust/tscn/fixtures/security"
const FOLDER := "user://safety/"
const EMPTY := """[gd_scene format=3]

[node name="Root" type="Node2D"]
"""
const INSTANCE := """[gd_scene format=3]

[ext_resource type="PackedScene" path="%s" id="1"]

[node name="Root" type="Node2D"]

[node name="Child" parent="." instance=ExtResource("1")]
"""
const SCRIPTED := """[gd_scene format=3]

[sub_resource type="GDScript" id="1"]
script/source = "extends Node2D"

[node name="Root" type="Node2D"]
script = SubResource("1")
"""


func test_fixtures() -> Outcome:
	var folder := ProjectSettings.globalize_path("res://").path_join(FIXTURES).simplify_path()
	if not DirAccess.dir_exists_absolute(folder):
		return skip("the repository is not there")
	var files := DirAccess.get_files_at(folder)
	check(files.size() > 0, "there are files")
	for file in files:
		var text := FileAccess.get_file_as_string(folder.path_join(file))
		var expected := text.get_slice("\n", 0).get_slice(" FINDS ", 1).split(", ")
		var safety := SceneLinter.is_safe_to_load(_written(file, text))
		check(not safety.is_safe, "%s is not safe" % file)
		for code in expected:
			check(_codes(safety).has(code), "%s has %s: %s" % [file, code, _codes(safety)])
		for reason in safety.reasons:
			check(reason.line >= 1 and reason.column >= 1 and not reason.path.is_empty(), "%s: a place" % file)
	return DONE


func test_what_is_safe() -> Outcome:
	var path := _written("empty.tscn", EMPTY)
	var safety := SceneLinter.is_safe_to_load(path)
	check(safety.is_safe, "an empty scene: %s" % [_codes(safety)])
	check_equal(safety.files, PackedStringArray([path]), "files")
	check_equal(safety.reasons.size(), 0, "reasons")
	return DONE


func test_circles_end() -> Outcome:
	var first := _written("first.tscn", INSTANCE % (FOLDER + "second.tscn"))
	var second := _written("second.tscn", INSTANCE % (FOLDER + "first.tscn"))
	var safety := SceneLinter.is_safe_to_load(first, {"paths": [FOLDER]})
	check(safety.is_safe, "scenes that name each other: %s" % [_codes(safety)])
	check_equal(safety.files, PackedStringArray([first, second]), "files")
	return DONE


func test_what_is_named_is_judged() -> Outcome:
	var last := _written("scripted.tscn", SCRIPTED)
	_written("middle.tscn", INSTANCE % last)
	var safety := SceneLinter.is_safe_to_load(_written("outer.tscn", INSTANCE % (FOLDER + "middle.tscn")), {"paths": [FOLDER]})
	check(not safety.is_safe, "a script two files away")
	check(_codes(safety).has("SEC001"), "the script is the reason: %s" % [_codes(safety)])
	check_equal(safety.files.size(), 3, "files")
	for reason in safety.reasons:
		check_equal(reason.path, last, "where it is")
	return DONE


func test_what_cannot_be_judged() -> Outcome:
	check_equal(_codes(SceneLinter.is_safe_to_load(FOLDER + "none.tscn")), ["FILE"], "no file")
	check_equal(_codes(SceneLinter.is_safe_to_load(_written("a.gd", "extends Node\n"))), ["FILE"], "a script")
	check_equal(_codes(SceneLinter.is_safe_to_load(_written("a.scn", "RSRC"))), ["FILE"], "a binary scene")
	var named := SceneLinter.is_safe_to_load(_written("b.tscn", INSTANCE % (FOLDER + "a.scn")), {"paths": [FOLDER]})
	check_equal(_codes(named), ["FILE"], "a binary scene that is named")
	check_equal(named.reasons[0].line, 3, "the line that names it")
	var path := _written("remapped.tscn", EMPTY)
	_written("remapped.tscn.remap", "[remap]\n\npath=\"user://safety/scripted.tscn\"\n")
	check_equal(_codes(SceneLinter.is_safe_to_load(path)), ["FILE"], "a file that stands for another one")
	return DONE


func test_options() -> Outcome:
	var path := _written("empty.tscn", EMPTY)
	check(SceneLinter.is_safe_to_load(path, {"classes": ["Node2D"]}).is_safe, "a class that is allowed")
	check_equal(_codes(SceneLinter.is_safe_to_load(path, {"classes": ["Node3D"]})), ["SEC008"], "one that is not")
	check_equal(_codes(SceneLinter.is_safe_to_load(path, {"max_files": 0})), ["LIMIT"], "too many files")
	check_equal(_codes(SceneLinter.is_safe_to_load(path, {"max_bytes": 10})), ["LIMIT"], "too many bytes")
	check_equal(_codes(SceneLinter.is_safe_to_load(path, {"clases": []})), ["OPTION"], "an unknown option")
	check_equal(_codes(SceneLinter.is_safe_to_load(path, {"classes": 1})), ["OPTION"], "an option of another type")
	var own := INSTANCE % "res://main.tscn"
	var safety := SceneLinter.is_safe_to_load(_written("own.tscn", own), {"paths": ["res://main.tscn"]})
	check(safety.is_safe, "a listed scene of the game: %s" % [_codes(safety)])
	return DONE


func _written(name: String, text: String) -> String:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var path := FOLDER + name
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	return path


func _codes(safety: SceneSafety) -> Array:
	return safety.reasons.map(func(reason: SceneDiagnostic) -> String: return reason.code)
