extends "res://tests/test_suite.gd"
## `SceneRewriter.edit()`: what operations make of a scene is what Godot saves, and loads.

const FOLDER := "res://edited"
const LEVEL := FOLDER + "/level.tscn"
const HERO := FOLDER + "/hero.gd"
const LEVEL_TEXT := """[gd_scene format=3 uid="uid://cqq2j4h8p6vy1"]

[node name="Level" type="Node2D" unique_id=11]

[node name="Hero" type="CharacterBody2D" parent="." unique_id=12]
"""
const HERO_TEXT := """extends CharacterBody2D

@export var speed := 100.0
@export var texts: Array[String] = []
@export var shapes: Array[Shape2D] = []


func _on_timeout() -> void:
	speed += 1.0
"""


func test_a_scene() -> Outcome:
	_make()
	var circle := CircleShape2D.new()
	circle.radius = 3.0
	ResourceSaver.save(circle, FOLDER + "/circle.tres")
	var edit := SceneRewriter.edit(LEVEL, [
		{"op": "attach", "node": "Hero", "script": HERO},
		{"op": "set", "at": "Hero:position", "value": Vector2(10, 20)},
		{"op": "set", "at": "Hero:speed", "value": 7.5},
		{"op": "set", "at": "Hero:texts", "value": ["a", "b"]},
		{"op": "set", "at": "Hero:shapes", "value": [load(FOLDER + "/circle.tres"), {"new": "RectangleShape2D"}]},
		{"op": "add", "node": ^"Hero/Timer", "type": &"Timer", "properties": {"wait_time": 0.5, "autostart": true}},
		{"op": "connect", "signal": "timeout", "from": "Hero/Timer", "to": "Hero", "method": "_on_timeout"},
		{"op": "group", "node": "Hero", "add": PackedStringArray(["heroes"])},
	])
	check_equal(edit.error(), "", "error")
	check_equal(edit.files(), PackedStringArray([LEVEL]), "files")
	check_equal(edit.title(), "8 edits", "title")
	check_equal(_read(LEVEL), LEVEL_TEXT, "nothing is written yet")
	check(edit.apply(), edit.error())
	var text := _read(LEVEL)
	_check_loaded()
	check(edit.undo(), edit.error())
	check_equal(_read(LEVEL), LEVEL_TEXT, "after undo")
	check(text != LEVEL_TEXT, "it was changed")
	return _done()


func test_json_and_texts() -> Outcome:
	_make()
	var line := '{"op": "set", "at": "Hero:position", "value": [1, 2]}'
	var changed := LEVEL_TEXT + "position = Vector2(1, 2)\n"
	var of_text := SceneRewriter.edit_text(LEVEL_TEXT, LEVEL, line)
	check_equal([of_text.text, of_text.error], [changed, ""], "JSON")
	var of_value := SceneRewriter.edit_text(LEVEL_TEXT, LEVEL, {"op": "set", "at": "Hero:position", "value": Vector2(1, 2)})
	check_equal([of_value.text, of_value.error], [changed, ""], "a dictionary")
	check_equal(_read(LEVEL), LEVEL_TEXT, "nothing is written")
	var made := SceneRewriter.edit("", {"op": "new", "file": FOLDER + "/made.tscn", "type": "Area2D"})
	check(made.apply(), made.error())
	check((load(FOLDER + "/made.tscn") as PackedScene).can_instantiate(), "a new scene loads")
	check(made.undo(), made.error())
	check(not FileAccess.file_exists(FOLDER + "/made.tscn"), "it is gone")
	return _done()


func test_what_is_refused() -> Outcome:
	_make()
	_check_refused({"op": "set", "at": "Hreo:position", "value": Vector2(1, 2)}, "did you mean `Hero`?")
	_check_refused({"op": "set", "at": "Hero:position", "value": "sideways"}, "is not a valid value")
	_check_refused({"op": "set", "at": "Hero:position", "value": Node}, "an object can be a value only")
	_check_refused({"op": "sett"}, "did you mean `set`?")
	_check_refused(["set"], "operations must be")
	_check_refused([[{"op": "set"}]], "an operation must be a Dictionary")
	_check_refused(3, "operations must be")
	_check_refused("{", "not valid JSON")
	var nodes: Array[Node] = [Node.new()]
	nodes[0].free()
	_check_refused({"op": "set", "at": "Hero:position", "value": nodes[0]}, "an object can be a value only")
	_check_refused({"op": nodes, "at": "Hero:position"}, "cannot be of the type")
	_check_refused({"op": "set", "at": "Hero:position", "value": _check_refused}, "it is Callable")
	var endless: Array = []
	endless.append(endless)
	_check_refused(endless, "an operation must be a Dictionary")
	_check_refused({"op": "set", "at": "Hero:position", "value": endless}, "nested too deep")
	endless.clear()
	var other := SceneRewriter.edit_text(LEVEL_TEXT, LEVEL, {"op": "set", "file": HERO, "at": "A:b", "value": 1})
	check(other.error.contains("only `%s`" % LEVEL) and not other.is_changed, other.error)
	_write(LEVEL, LEVEL_TEXT + "[node name=")
	_check_refused({"op": "set", "at": "Hero:position", "value": Vector2(1, 2)}, "line 6")
	var outside := SceneRewriter.edit("user://a.tscn", {"op": "remove", "node": "A"})
	check(outside.error().contains("is not a path in the project"), outside.error())
	return _done()


func _check_refused(operations: Variant, reason: String) -> void:
	var before := _read(LEVEL)
	var edit := SceneRewriter.edit(LEVEL, operations)
	check(edit.error().contains(reason), edit.error())
	check(not edit.is_ok() and not edit.apply(), "it is not done: %s" % reason)
	check_equal(_read(LEVEL), before, "the file is untouched: %s" % reason)


## That Godot builds what was asked for, and saves the text as it is.
func _check_loaded() -> void:
	var scene: PackedScene = ResourceLoader.load(LEVEL, "", ResourceLoader.CACHE_MODE_IGNORE)
	var root := scene.instantiate(PackedScene.GEN_EDIT_STATE_MAIN)
	var hero: Node = root.get_node("Hero")
	check_equal(hero.get("position"), Vector2(10, 20), "position")
	check_equal(hero.get("speed"), 7.5, "speed")
	check_equal(hero.get("texts"), ["a", "b"] as Array[String], "texts")
	var shapes: Array = hero.get("shapes")
	check_equal(shapes.map(func(shape: Shape2D) -> String: return shape.get_class()), ["CircleShape2D", "RectangleShape2D"], "shapes")
	var timer: Timer = hero.get_node("Timer")
	check(timer.timeout.is_connected(Callable(hero, "_on_timeout")), "the connection")
	check(hero.is_in_group(&"heroes"), "the group")
	var packed := PackedScene.new()
	packed.pack(root)
	root.free()
	var text := _read(LEVEL)
	ResourceSaver.save(packed, LEVEL)
	# Outside of the editor Godot gives no uid.
	check_equal(_read(LEVEL).replace("format=3]", "format=3 uid=\"uid://cqq2j4h8p6vy1\"]"), text, "what Godot saves")
	_write(LEVEL, text)


func _make() -> void:
	_remove()
	_write(HERO, HERO_TEXT)
	_write(LEVEL, LEVEL_TEXT)


func _done() -> Outcome:
	_remove()
	return DONE


func _remove() -> void:
	if DirAccess.dir_exists_absolute(FOLDER):
		for file in DirAccess.get_files_at(FOLDER):
			DirAccess.remove_absolute(FOLDER.path_join(file))
		DirAccess.remove_absolute(FOLDER)


func _write(path: String, text: String) -> void:
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()


func _read(path: String) -> String:
	return FileAccess.get_file_as_string(path)
