extends "res://tests/test_suite.gd"
## `SceneLinter.is_safe_to_load`: files that run code when they are loaded are not safe, and neither is what names them.

## Beside the project, in the repository. What Godot does with them is seen in scripts/test/scenes/security.sh.
const FIXTURES := "../rust/godot-tscn/fixtures/security"
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


func test_budget() -> Outcome:
	var path := _written("two.tscn", EMPTY + "\n[node name=\"A\" type=\"Node\" parent=\".\"]\n")
	check(SceneLinter.is_safe_to_load(path, {"budget": {"nodes": 2}}).is_safe, "two nodes of two")
	check_equal(_codes(SceneLinter.is_safe_to_load(path, {"budget": {"nodes": 1}})), ["SEC012"], "two nodes of one")
	for budget: Variant in [{"node": 1}, {"nodes": -1}, {"nodes": "1"}, 5]:
		check_equal(_codes(SceneLinter.is_safe_to_load(path, {"budget": budget})), ["OPTION"], "the budget %s" % [budget])
	return DONE


func test_trial() -> Outcome:
	var nodes := PackedStringArray()
	for number in 6000:
		nodes.append("\n[node name=\"N%d\" type=\"Sprite2D\" parent=\".\"]\n" % number)
	var path := _written("many.tscn", EMPTY + "".join(nodes))
	var safety := SceneLinter.is_safe_to_load(path, {"budget": {"nodes": 10000}})
	check(safety.is_safe, "many nodes: %s" % [_codes(safety)])
	var trial := safety.try_run({"seconds": 60, "megabytes": 1024})
	if not trial.tried:
		check(not trial.passed and not str(trial.error).is_empty(), "why there is no trial")
		check(OS.get_name() != "Linux", "on Linux there is a trial: %s" % trial)
		return skip(str(trial.error))
	check(trial.passed and trial.error == "" and trial.seconds > 0.0, "with enough of all: %s" % trial)
	trial = safety.try_run({"seconds": 60, "megabytes": 2})
	check(trial.tried and not trial.passed and str(trial.error).contains("2 megabytes"), "too little memory: %s" % trial)
	trial = safety.try_run({"seconds": 0.001, "megabytes": 1024})
	check(trial.tried and not trial.passed and str(trial.error).contains("more than"), "too little time: %s" % trial)
	return DONE


func test_trials_that_cannot_be() -> Outcome:
	var safe := SceneLinter.is_safe_to_load(_written("empty.tscn", EMPTY))
	var unsafe := SceneLinter.is_safe_to_load(_written("scripted.tscn", SCRIPTED))
	for trial: Dictionary in [safe.try_run({"second": 1}), safe.try_run({"seconds": -1.0}), unsafe.try_run()]:
		check(not trial.passed and not trial.tried and not str(trial.error).is_empty(), "no trial: %s" % trial)
	return DONE


func test_circles() -> Outcome:
	var first := _written("first.tscn", INSTANCE % (FOLDER + "second.tscn"))
	var second := _written("second.tscn", INSTANCE % (FOLDER + "first.tscn"))
	var safety := SceneLinter.is_safe_to_load(first, {"paths": [FOLDER]})
	check_equal(_codes(safety), ["LIMIT"], "scenes that instance each other")
	check_equal(safety.files, PackedStringArray([first, second]), "files")
	return DONE


func test_files_are_weighed_together() -> Outcome:
	for level in 6:
		var text := EMPTY
		if level < 5:
			text = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"%slaugh_%d.tscn\" id=\"1\"]\n\n[node name=\"Root\" type=\"Node\"]\n" % [FOLDER, level + 1]
			for child in 10:
				text += "\n[node name=\"C%d\" parent=\".\" instance=ExtResource(\"1\")]\n" % child
		_written("laugh_%d.tscn" % level, text)
	check(SceneLinter.is_safe_to_load(FOLDER + "laugh_3.tscn", {"paths": [FOLDER]}).is_safe, "a hundred nodes")
	check_equal(_codes(SceneLinter.is_safe_to_load(FOLDER + "laugh_0.tscn", {"paths": [FOLDER]})), ["LIMIT"], "a hundred thousand")
	return DONE


## What is loaded is what was judged, and nothing of it is left behind.
func test_load() -> Outcome:
	_written("inner.tscn", EMPTY)
	_written("gradient.tres", "[gd_resource type=\"Gradient\" format=3]\n\n[resource]\noffsets = PackedFloat32Array(0, 0.25)\n")
	var text := INSTANCE % (FOLDER + "inner.tscn")
	text = text.replace("id=\"1\"]", "id=\"1\"]\n[ext_resource type=\"Gradient\" path=\"%sgradient.tres\" id=\"2\"]" % FOLDER)
	text = text.replace("type=\"Node2D\"]", "type=\"Node2D\"]\nmetadata/gradient = ExtResource(\"2\")")
	var path := _written("level.tscn", text)
	var safety := SceneLinter.is_safe_to_load(path, {"paths": [FOLDER]})
	check(safety.is_safe, "safe: %s" % [_codes(safety)])
	_written("inner.tscn", SCRIPTED)
	_written("gradient.tres", "[gd_resource type=\"Gradient\" format=3]\n\n[resource]\noffsets = PackedFloat32Array(0, 0.75)\n")
	_written("level.tscn", SCRIPTED)
	var level := safety.load() as PackedScene
	check(level != null, "a scene")
	if level == null:
		return DONE
	check_equal(level.resource_path, "", "the path")
	var root := level.instantiate()
	var child := root.get_node("Child")
	check_equal(child.get_script(), null, "the script that came later")
	check_equal(root.scene_file_path + child.scene_file_path, "", "paths of scenes")
	var gradient: Gradient = root.get_meta("gradient")
	check_equal(gradient.offsets, PackedFloat32Array([0, 0.25]), "the gradient that was judged")
	check_equal(gradient.resource_path, "", "its path")
	var copy := child.duplicate()
	check(copy != null, "a duplicate")
	copy.free()
	root.free()
	for folder in DirAccess.get_directories_at("user://"):
		check(not folder.begins_with(".fast_variant"), "%s is left behind" % folder)
	return DONE


## What a process that was killed has left. One that goes on keeps its own.
func test_private_copies_that_were_left() -> Outcome:
	var user := DirAccess.open("user://")
	for age: String in ["2 hours ago", "now"]:
		var name := ".fast_variant_judged_%s" % age.md5_text().left(6)
		user.make_dir(name)
		FileAccess.open("user://%s/0.tscn" % name, FileAccess.WRITE).store_string(EMPTY)
		var place := ProjectSettings.globalize_path("user://" + name)
		if OS.execute("touch", ["-d", age, place]) != 0:
			return skip("there is no `touch`")
		check(SceneLinter.load_if_safe(_written("empty.tscn", EMPTY)) is PackedScene, "a safe scene")
		check_equal(user.dir_exists(name), age == "now", "the folder of " + age)
		user.remove(name.path_join("0.tscn"))
		user.remove(name)
	return DONE


func test_load_if_safe() -> Outcome:
	check(SceneLinter.load_if_safe(_written("empty.tscn", EMPTY)) is PackedScene, "a safe scene")
	check_equal(SceneLinter.load_if_safe(_written("scripted.tscn", SCRIPTED)), null, "one with a script")
	check_equal(SceneLinter.load_if_safe(FOLDER + "none.tscn"), null, "one that is not there")
	var path := _written("threaded.tscn", EMPTY)
	var loaded: Array[Resource] = []
	var thread := Thread.new()
	thread.start(func() -> void: loaded.append(SceneLinter.load_if_safe(path)))
	thread.wait_to_finish()
	check(loaded[0] is PackedScene, "on another thread")
	var calls: Array[int] = []
	var cancelled := func() -> bool:
		calls.append(1)
		return true
	check_equal(_codes(SceneLinter.is_safe_to_load(path, {"cancelled": cancelled})), ["CANCELLED"], "a cancelled call")
	check_equal(calls.size(), 1, "calls")
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
	_written("b.png", "")
	var picture := EMPTY.replace("[node", "[ext_resource type=\"Texture2D\" path=\"%sb.png\" id=\"1\"]\n\n[node" % FOLDER)
	check_equal(_codes(SceneLinter.is_safe_to_load(_written("c.tscn", picture), {"paths": [FOLDER]})), ["FILE"], "a picture that is not imported")
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
	check_equal(_codes(SceneLinter.is_safe_to_load(path, {"cancelled": Callable()})), ["OPTION"], "a Callable of nothing")
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
