extends "res://tests/test_suite.gd"
## `SceneRefactoring` hands the refactorings of the core through to GDScript: plans, all or nothing, and back.

const FOLDER := "res://refactored"
const ENEMY := FOLDER + "/enemy.gd"
const LEVEL := FOLDER + "/level.tscn"
const BOSS := FOLDER + "/boss.gd"
const ENEMY_TEXT := """extends Node

signal hurt

@export var health: int = 1


func take_damage() -> void:
	health -= 1
	hurt.emit()
"""
const BOSS_TEXT := """extends "res://refactored/enemy.gd"


func _ready() -> void:
	get_parent().set("health", 3)
	print(name)
	print(name)
	$Body.show()
"""
const LEVEL_TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="res://refactored/boss.gd" id="1"]

[node name="Level" type="Node"]
script = ExtResource("1")
health = 7
process_priority = 1
process_physics_priority = 2

[node name="Body" type="Node2D" parent="."]

[node name="Sprite" type="Sprite2D" parent="Body"]
"""


func test_a_property() -> Outcome:
	_make()
	var refactoring := SceneRewriter.rename_property(ENEMY, "health", "max_health")
	check_equal(refactoring.error(), "", "error")
	check(refactoring.is_ok() and refactoring.is_finished() and not refactoring.is_empty(), "there is a plan")
	check(refactoring.title().contains("max_health"), refactoring.title())
	check_equal(refactoring.files(), PackedStringArray([ENEMY, LEVEL]), "files")
	check_equal(refactoring.moves(), {}, "moves")
	check_equal(refactoring.removals(), PackedStringArray(), "removals")
	var value := refactoring.places()[-1]
	check_equal([value.path, value.line, value.column], [LEVEL, 7, 1], "the place of the value")
	check_equal([value.before, value.after], ["health = 7", "max_health = 7"], "the line")
	check(value.is_optional, "it can be left out")
	check(value.describe().begins_with(LEVEL + ":7:1: "), value.describe())
	check_equal(refactoring.doubts().size(), 1, "doubts")
	check_equal(refactoring.doubts()[0].before, "get_parent().set(\"health\", 3)", "the doubtful line")
	check(refactoring.describe().contains("doubt: %s:5:" % BOSS), refactoring.describe())
	check_equal(_read(LEVEL), LEVEL_TEXT, "nothing is written yet")
	check(refactoring.apply(), refactoring.error())
	check(refactoring.is_applied(), "it is applied")
	check_equal(_read(LEVEL), LEVEL_TEXT.replace("health", "max_health"), "the scene")
	check_equal(_read(ENEMY), ENEMY_TEXT.replace("health", "max_health"), "the script")
	check_equal(_read(BOSS), BOSS_TEXT, "the doubtful script")
	check(not refactoring.apply() and not refactoring.is_ok(), "it is not applied twice")
	check(refactoring.undo(), refactoring.error())
	check_equal([_read(LEVEL), _read(ENEMY)], [LEVEL_TEXT, ENEMY_TEXT], "the files after undo")
	check(not refactoring.undo(), "it is not undone twice")
	check(refactoring.apply(), "it can be applied again: %s" % refactoring.error())
	check(refactoring.undo(), refactoring.error())
	return _done()


## What a killed process leaves is in the journal: here, it died before the last of its files was written.
func test_what_was_interrupted() -> Outcome:
	_make()
	var refactoring := SceneRewriter.rename_property(ENEMY, "health", "max_health")
	check(refactoring.apply(), refactoring.error())
	var journal := DirAccess.open("res://.godot/gdscene")
	check_equal(journal.rename("last", "pending"), OK, "the journal, as while files change")
	_write(LEVEL, LEVEL_TEXT)
	var planned := SceneRewriter.rename_node(LEVEL, "Body", "Torso")
	check(not planned.is_ok() and planned.error().contains("finish_interrupted"), "it is not planned: %s" % planned.error())
	check_equal(_read(LEVEL), LEVEL_TEXT, "planning writes nothing")
	var interrupted := SceneRewriter.finish_interrupted()
	check_equal(interrupted.title(), refactoring.title(), "what was interrupted")
	check_equal(interrupted.files(), refactoring.files(), "its files")
	check(not interrupted.is_empty(), "there is something to finish")
	check_equal(_read(LEVEL), LEVEL_TEXT, "asking writes nothing")
	check(interrupted.apply(), interrupted.error())
	check_equal(_read(LEVEL), LEVEL_TEXT.replace("health", "max_health"), "the scene, finished")
	check(SceneRewriter.finish_interrupted().is_empty(), "nothing is left to finish")
	check(interrupted.undo(), interrupted.error())
	check_equal([_read(LEVEL), _read(ENEMY)], [LEVEL_TEXT, ENEMY_TEXT], "the files after undo")
	return _done()


func test_what_is_left_out() -> Outcome:
	_make()
	var refactoring := SceneRewriter.rename_property(ENEMY, "health", "life")
	var last := refactoring.places().size() - 1
	refactoring.leave_out([last, 1000, -1])
	check(not refactoring.describe().contains(LEVEL), refactoring.describe())
	check(refactoring.apply(), refactoring.error())
	check_equal(_read(LEVEL), LEVEL_TEXT, "what is left out")
	check_equal(_read(ENEMY), ENEMY_TEXT.replace("health", "life"), "what is not")
	check(refactoring.undo(), refactoring.error())
	check_equal(_read(ENEMY), ENEMY_TEXT, "after undo")
	refactoring.leave_out([])
	check(refactoring.apply() and refactoring.undo(), refactoring.error())
	var whole := SceneRewriter.rename_node(LEVEL, "Body", "Torso")
	for place in whole.places():
		check_equal(place.is_optional, place.path == BOSS, "only scripts may keep the name of a node: %s" % place.describe())
	return _done()


func test_what_is_refused() -> Outcome:
	_make()
	check(not SceneRewriter.rename_property(ENEMY, "healt", "life").error().is_empty(), "no such variable")
	var clash := SceneRewriter.rename_property(ENEMY, "health", "take_damage")
	check(not clash.is_ok() and clash.is_empty() and clash.places().is_empty(), "a name that is taken")
	check_equal(clash.describe(), clash.error(), "the reason")
	check(not clash.apply(), "what is refused is not applied")
	check(SceneRewriter.move_files("user://a", "res://b").error().contains("res://"), "another folder")
	var late := SceneRewriter.rename_property(ENEMY, "health", "life")
	late.wait()
	_write(LEVEL, LEVEL_TEXT + "\n")
	check(not late.apply() and not late.error().is_empty(), "a file that changed since")
	check_equal(_read(ENEMY), ENEMY_TEXT, "all or nothing")
	return _done()


func test_undo_keeps_later_work() -> Outcome:
	_make()
	var first := SceneRewriter.rename_property(ENEMY, "health", "life")
	check(first.apply(), first.error())
	var second := SceneRewriter.rename_node(LEVEL, "Body", "Torso")
	check(second.apply(), second.error())
	check_equal(_read(BOSS), BOSS_TEXT.replace("Body", "Torso"), "the second")
	check(first.undo(), first.error())
	check_equal(_read(LEVEL), LEVEL_TEXT.replace("Body", "Torso"), "the first is undone, the second stays")
	check(second.undo(), second.error())
	check_equal([_read(LEVEL), _read(ENEMY), _read(BOSS)], [LEVEL_TEXT, ENEMY_TEXT, BOSS_TEXT], "all is undone")
	return _done()


func test_methods_signals_and_nodes() -> Outcome:
	_make()
	var calls: Array[Callable] = [
		func() -> SceneRefactoring: return SceneRewriter.rename_method(ENEMY, "take_damage", "damage"),
		func() -> SceneRefactoring: return SceneRewriter.rename_signal(ENEMY, "hurt", "was_hurt"),
		func() -> SceneRefactoring: return SceneRewriter.move_node(LEVEL, "Body/Sprite", "."),
		func() -> SceneRefactoring: return SceneRewriter.move_node(LEVEL, "Body/Sprite", ".", 0),
		func() -> SceneRefactoring: return SceneRewriter.rename_node(LEVEL, "Body", "Torso"),
		func() -> SceneRefactoring: return SceneRewriter.upgrade(PackedStringArray([FOLDER + "/"]), "4.4"),
	]
	for plan in calls:
		var refactoring: SceneRefactoring = plan.call()
		check(refactoring.is_ok() and not refactoring.is_empty(), "%s%s" % [refactoring.title(), refactoring.error()])
		check(refactoring.apply() and refactoring.undo(), refactoring.error())
		check_equal([_read(LEVEL), _read(ENEMY), _read(BOSS)], [LEVEL_TEXT, ENEMY_TEXT, BOSS_TEXT], refactoring.title())
	check(not SceneRewriter.rename_class("NoSuchClass", "Other").is_ok(), "a class that is not there")
	check(not SceneRewriter.upgrade([], "3.5").is_ok(), "a version that cannot be")
	return _done()


func test_files_move() -> Outcome:
	_make()
	var refactoring := SceneRewriter.move_files(ENEMY, FOLDER + "/deep/foe.gd")
	check_equal(refactoring.moves(), {ENEMY: FOLDER + "/deep/foe.gd"}, "moves")
	check(refactoring.apply(), refactoring.error())
	check_equal(_read(FOLDER + "/deep/foe.gd"), ENEMY_TEXT, "the file at its new place")
	check_equal(_read(BOSS), BOSS_TEXT.replace("refactored/enemy.gd", "refactored/deep/foe.gd"), "what extends it")
	check(not FileAccess.file_exists(ENEMY), "the old place is free")
	# The project has been read again, so that no folder goes while it is looked at.
	SceneRewriter.find_unused(FOLDER).wait()
	check(refactoring.undo(), refactoring.error())
	check_equal([_read(ENEMY), _read(BOSS)], [ENEMY_TEXT, BOSS_TEXT], "after undo")
	return _done()


## What another program has moved; the dictionary may be a typed one.
func test_moved_files_are_repaired() -> Outcome:
	_make()
	var foe := FOLDER + "/foe.gd"
	DirAccess.rename_absolute(ENEMY, foe)
	var refactoring := SceneRewriter.repair_moved({ENEMY: foe})
	check(refactoring.moves().is_empty() and not refactoring.is_empty(), refactoring.error())
	var moves: Dictionary[String, String] = {ENEMY: foe}
	refactoring = SceneRewriter.repair_moved(moves)
	check(refactoring.apply(), refactoring.error())
	check_equal(_read(BOSS), BOSS_TEXT.replace("refactored/enemy.gd", "refactored/foe.gd"), "what extends it")
	check(SceneRewriter.repair_moved(moves).is_empty(), "nothing is left")
	check(refactoring.undo(), refactoring.error())
	check_equal(_read(BOSS), BOSS_TEXT, "after undo")
	DirAccess.rename_absolute(foe, ENEMY)
	check(SceneRewriter.repair_moved(moves).error().contains("foe.gd"), "nothing is at the new path")
	return _done()


func test_unused_files() -> Outcome:
	_make()
	_write(FOLDER + "/left.tres", "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n")
	var found := SceneRewriter.find_unused(FOLDER)
	check(found.is_ok(), found.error())
	# This script names the folder, so a path in it may be put together here.
	var kept := found.kept().filter(func(file: Dictionary) -> bool: return file["path"] == FOLDER + "/left.tres")
	check(kept.size() == 1 and kept[0]["kind"] == "resource" and kept[0]["size"] == 51, "kept: %s" % [found.kept()])
	check(kept.size() == 1 and str(kept[0]["reason"]).contains("scene_refactoring_test.gd"), "the reason: %s" % [kept])
	var copy := "res://left_over.tres"
	_write(copy, "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n")
	var of_project := SceneRewriter.find_unused("res://")
	DirAccess.remove_absolute(copy)
	check(of_project.unused().size() + of_project.kept().size() > 2, of_project.error())
	check(SceneRewriter.find_unused("res://no_such_folder").is_empty(), "nothing in another folder")
	var pruned := SceneRewriter.prune([FOLDER + "/left.tres"])
	check_equal(pruned.removals(), PackedStringArray([FOLDER + "/left.tres"]), pruned.error())
	check(pruned.apply(), pruned.error())
	check(not FileAccess.file_exists(FOLDER + "/left.tres"), "it is gone")
	check(pruned.undo(), pruned.error())
	check(FileAccess.file_exists(FOLDER + "/left.tres"), "it is back")
	return _done()


func test_resources() -> Outcome:
	_make()
	# No script asks for this property: it might change one of the two.
	var material := "[sub_resource type=\"PhysicsMaterial\" id=\"%s\"]\nfriction = 0.5\n\n"
	var text := "[gd_scene format=3]\n\n" + material % "a" + material % "b" \
			+ "[node name=\"A\" type=\"StaticBody2D\"]\nphysics_material_override = SubResource(\"a\")\n\n" \
			+ "[node name=\"B\" type=\"StaticBody2D\" parent=\".\"]\nphysics_material_override = SubResource(\"b\")\n"
	_write(LEVEL, text)
	var calls: Array[Callable] = [
		func() -> SceneRefactoring: return SceneRewriter.dedupe(LEVEL),
		func() -> SceneRefactoring: return SceneRewriter.extract(LEVEL, "a", FOLDER + "/material.tres"),
	]
	for plan in calls:
		var refactoring: SceneRefactoring = plan.call()
		check(refactoring.is_ok() and not refactoring.is_empty(), "%s%s" % [refactoring.title(), refactoring.error()])
		check(refactoring.apply(), refactoring.error())
		check(_read(LEVEL) != text, "the scene has changed")
		if not FileAccess.file_exists(FOLDER + "/material.tres"):
			check(refactoring.undo(), refactoring.error())
			check_equal(_read(LEVEL), text, "after undo")
	var id := RegEx.create_from_string("ext_resource .*id=\"([^\"]+)\"").search(_read(LEVEL)).get_string(1)
	var inlined := SceneRewriter.inline(LEVEL, id, true)
	check(inlined.apply(), inlined.error())
	check(not FileAccess.file_exists(FOLDER + "/material.tres"), "the file is gone")
	check(not _read(LEVEL).contains("ext_resource"), _read(LEVEL))
	return _done()


func test_in_the_background() -> Outcome:
	_make()
	var refactoring := SceneRewriter.rename_property(ENEMY, "health", "life")
	var ends: Array[int] = []
	refactoring.finished.connect(func() -> void: ends.append(1))
	refactoring.wait()
	refactoring.poll()
	check_equal(ends, [1] as Array[int], "finished is emitted once")
	var cancelled := SceneRewriter.rename_property(ENEMY, "health", "life")
	cancelled.cancel()
	check(cancelled.is_finished(), "a cancelled one has finished")
	# Nothing waits for one that is dropped.
	SceneRewriter.rename_property(ENEMY, "health", "life").poll()
	return _done()


func test_from_another_thread() -> Outcome:
	_make()
	var titles: PackedStringArray = []
	var errors: PackedStringArray = []
	var thread := Thread.new()
	thread.start(func() -> void:
		var refactoring := SceneRewriter.rename_property(ENEMY, "health", "life")
		titles.append(refactoring.title())
		if not refactoring.apply() or not refactoring.undo():
			errors.append(refactoring.error()))
	thread.wait_to_finish()
	check(titles.size() == 1 and titles[0].contains("life"), "titles: %s" % titles)
	check_equal(errors, PackedStringArray(), "errors")
	check_equal(_read(LEVEL), LEVEL_TEXT, "there and back")
	return _done()


func _make() -> void:
	_remove()
	_write(ENEMY, ENEMY_TEXT)
	_write(BOSS, BOSS_TEXT)
	_write(LEVEL, LEVEL_TEXT)


func _done() -> Outcome:
	_remove()
	return DONE


func _remove() -> void:
	if not DirAccess.dir_exists_absolute(FOLDER):
		return
	for folder: String in [FOLDER + "/deep", FOLDER]:
		for file in DirAccess.get_files_at(folder) if DirAccess.dir_exists_absolute(folder) else PackedStringArray():
			DirAccess.remove_absolute(folder.path_join(file))
		DirAccess.remove_absolute(folder)


func _write(path: String, text: String) -> void:
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()


func _read(path: String) -> String:
	return FileAccess.get_file_as_string(path)
