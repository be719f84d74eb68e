@tool
extends "../suite.gd"
## Conflicts that `gdscene merge` left in scenes, resources and the project's settings are settled in a window.

const Action := ProblemsMenu.Action
const Conflict := preload("res://addons/fast_variant/editor/conflict.gd")
const Conflicts := preload("res://addons/fast_variant/editor/conflicts.gd")
const ConflictsWindow := preload("res://addons/fast_variant/editor/conflicts_window.gd")
const ProblemsMenu := preload("res://addons/fast_variant/editor/problems_menu.gd")

const FOLDER := "res://zone_of_merges"
const SCENE := FOLDER + "/arena.tscn"
const PLACES := FOLDER + "/shelf.tscn"
const RESOURCE := FOLDER + "/round.tres"
const SETTINGS := "res://project.godot"

## As the merge writes it. `%` stands for the metadata of each node.
const SCENE_TEXT := """[gd_scene format=3]

[ext_resource type="Texture2D" path="res://zone_of_merges/a.svg" id="1_a"]
[ext_resource type="Texture2D" path="res://zone_of_merges/b.svg" id="2_b"]

[sub_resource type="CircleShape2D" id="Circle_a"]
radius = 12.0

[sub_resource type="CircleShape2D" id="Circle_b"]
radius = 15.0

[node name="Arena" type="Node2D"]
{root}
[node name="Body" type="Sprite2D" parent="."]
modulate = Color(1, 0, 0, 1)
position = Vector2(10, 20)
texture = ExtResource("1_a")
{body}
[node name="Shape" type="CollisionShape2D" parent="Body"]
shape = SubResource("Circle_a")
{shape}
[node name="Gone" type="Node2D" parent="."]
{gone}"""
const OF_ROOT := """metadata/_gdscene_conflicts = [{
"order": "children"
}]
"""
const OF_BODY := """metadata/_gdscene_conflicts = [{
"base": Color(1, 1, 1, 1),
"property": "modulate",
"theirs": Color(0, 0, 1, 1)
}, {
"base": Vector2(10, 10),
"property": "position",
"theirs": Vector2(10, 30)
}, {
"property": "texture",
"theirs": ExtResource("2_b")
}]
"""
const OF_SHAPE := """metadata/_gdscene_conflicts = [{
"property": "shape",
"theirs": SubResource("Circle_b")
}]
"""
const OF_GONE := """metadata/_gdscene_conflicts = [{
"removed_by": "theirs"
}]
"""
const PLACES_TEXT := """[gd_scene format=3]

[node name="Shelf" type="Node"]

[node name="Left" type="Node" parent="."]

[node name="Box" type="Node" parent="."]
metadata/_gdscene_conflicts = [{
"base": "Crate",
"field": "name",
"theirs": "Left"
}, {
"base": ".",
"field": "parent",
"theirs": "Left"
}]
"""
const RESOURCE_TEXT := """[gd_resource type="CircleShape2D" format=3]

[resource]
radius = 2.0
metadata/_gdscene_conflicts = [{
"base": 1.0,
"property": "radius",
"theirs": 3.0
}]
"""
const SVG := "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"><rect width=\"8\" height=\"8\" fill=\"%s\"/></svg>"


func test_what_the_window_shows() -> void:
	await _make()
	watch().file_menu.resolve_chosen.emit(SCENE)
	await frames(2)
	check(_window().visible, "the window is open")
	var found: PackedStringArray = []
	for conflict: Conflict in _window().conflicts():
		found.append("%d %s | %s | %s" % [conflict.number, conflict.node_path, conflict.subject(), ", ".join(conflict.sides)])
	check_equal(found, PackedStringArray([
		"1 . | order of children | ours", "2 Body | modulate | base, ours, theirs", "3 Body | position | base, ours, theirs",
		"4 Body | texture | base, ours, theirs", "5 Body/Shape | shape | base, ours, theirs",
		"6 Gone | removed by theirs, changed by ours | base, ours, theirs",
	]), "conflicts")
	check(_window().advice().contains("Scene dock") and _window().sides[Conflict.THEIRS].button.disabled,
		"of the order, only ours can be taken: %s" % _window().advice())
	check(_window().get_ok_button().disabled, "nothing is decided yet")
	_window().tree.select_conflict(2)
	check_equal(_window().sides[Conflict.OURS].swatch.color, Color(1, 0, 0), "the colour of ours")
	check_equal(_window().sides[Conflict.THEIRS].swatch.color, Color(0, 0, 1), "the colour of theirs")
	check_equal(_window().advice(), "", "advice on what can be taken")
	_window().tree.select_conflict(3)
	check(not _window().sides[Conflict.OURS].swatch.visible, "a vector is no colour")
	check_equal(_window().sides[Conflict.BASE].shown_text(), "Vector2(10, 10)", "the value of the base")
	check_equal(_window().conflicts()[2].values[Conflict.THEIRS].marks, PackedInt32Array([12, 14]), "what differs in theirs")
	_window().tree.select_conflict(4)
	check_equal(_window().sides[Conflict.THEIRS].shown_text(), "ExtResource(\"%s/b.svg\")" % FOLDER, "a file by its path")
	check_equal(_window().sides[Conflict.BASE].shown_text(), "It has none.", "a value that is not there")
	_window().tree.select_conflict(5)
	check_equal(_window().sides[Conflict.THEIRS].shown_text(), "SubResource(CircleShape2D \"Circle_b\")\nradius = 15.0",
		"a resource of the scene with its content")
	_window().hide()


func test_sides_are_taken() -> void:
	await _make()
	watch().conflicts.resolve(SCENE)
	_window().tree.select_conflict(2)
	_press(KEY_T)
	_window().tree.select_conflict(3)
	_window().sides[Conflict.BASE].button.pressed.emit()
	_window().tree.select_conflict(4)
	_press(KEY_O)
	_window().tree.select_conflict(1)
	_press(KEY_T)
	check_equal(_window().choices(), {2: "theirs", 3: "base", 4: "ours"} as Dictionary[int, String], "what is chosen")
	check(_window().message().begins_with("3 of 6 decided"), _window().message())
	_press(KEY_H)
	_press(KEY_DELETE)
	check(not _window().choices().has(1), "it is left")
	_window().get_ok_button().pressed.emit()
	await _idle()
	var expected := _text(OF_ROOT, "", OF_SHAPE, OF_GONE).replace("Color(1, 0, 0, 1)", "Color(0, 0, 1, 1)") \
			.replace("Vector2(10, 20)", "Vector2(10, 10)")
	check_equal(read(SCENE), expected, "the file")
	check(_window().visible, "what is left can be settled")
	check_equal(_window().conflicts().size(), 3, "conflicts that are left")
	_window().choose_for_all(Conflict.THEIRS)
	check_equal(_window().choices(), {2: "theirs", 3: "theirs"} as Dictionary[int, String], "theirs for all that have it")
	_window().tree.select_conflict(1)
	_press(KEY_H)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(not _window().visible, "all is settled: %s" % _window().message())
	check(not read(SCENE).contains("_gdscene_conflicts") and not read(SCENE).contains("Gone"), read(SCENE))
	check(read(SCENE).contains("shape = SubResource(\"Circle_b\")"), read(SCENE))
	check("SYN006" not in codes_in(SCENE), "the panel knows: %s" % codes_in(SCENE))
	await undo()
	await _idle()
	check_equal(read(SCENE), expected, "after undo")
	await undo()
	await _idle()
	check_equal(read(SCENE), _text(OF_ROOT, OF_BODY, OF_SHAPE, OF_GONE), "after the second undo")


func test_open_scenes() -> void:
	await _make()
	await open(SCENE)
	watch().conflicts.resolve_next()
	check_equal(_window().file(), SCENE, "the scene at the front comes first")
	_window().tree.select_conflict(3)
	_window().tree.item_activated.emit()
	await frames(3)
	var body := EditorInterface.get_edited_scene_root().get_node("Body") as Sprite2D
	check_equal(EditorInterface.get_selection().get_selected_nodes(), [body] as Array[Node], "the selected node")
	check_equal(EditorInterface.get_inspector().get_edited_object(), body, "what the Inspector shows")
	_press(KEY_T)
	# As a user who drags the node meanwhile.
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("Move", UndoRedo.MERGE_DISABLE, body)
	undo_redo.add_do_property(body, &"rotation", 1.0)
	undo_redo.add_undo_property(body, &"rotation", 0.0)
	undo_redo.commit_action()
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(_window().visible and _window().message().contains("not saved"), _window().message())
	check_equal(read(SCENE), _text(OF_ROOT, OF_BODY, OF_SHAPE, OF_GONE), "nothing is written over unsaved changes")
	await save()
	await _idle()
	check_equal(_window().choices().values(), ["theirs"] as Array[String], "what was chosen before the save")
	_window().get_ok_button().pressed.emit()
	await _idle()
	body = EditorInterface.get_edited_scene_root().get_node("Body")
	check_equal(body.position, Vector2(10, 30), "the node of the open scene")
	check_equal(body.rotation, 1.0, "what the user did")
	_window().hide()
	EditorInterface.close_scene()
	await frames(3)


func test_a_file_that_changed() -> void:
	await _make()
	watch().conflicts.resolve(SCENE)
	_window().tree.select_conflict(3)
	_press(KEY_T)
	var changed := _text(OF_ROOT, OF_BODY, OF_SHAPE, "").replace("Vector2(10, 20)", "Vector2(10, 40)")
	write(SCENE, changed)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(_window().visible and _window().message().contains("changed"), _window().message())
	check_equal(read(SCENE), changed, "the file is left alone")
	check_equal(_window().conflicts().size(), 5, "it was read again")
	check_equal(_window().choices(), {3: "theirs"} as Dictionary[int, String], "what is chosen")
	check_equal(_window().sides[Conflict.OURS].shown_text(), "Vector2(10, 40)", "what the file has now")
	_window().hide()


## A name that another node has cannot be taken.
func test_names_and_parents() -> void:
	await _make()
	make(PLACES, PLACES_TEXT)
	await open(PLACES)
	watch().conflicts.resolve(PLACES)
	check_equal(_window().conflicts()[0].subject(), "name", "what the first is about")
	_window().tree.select_conflict(1)
	_press(KEY_T)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(_window().visible and _window().message().contains("another node has the name"), _window().message())
	check_equal(read(PLACES), PLACES_TEXT, "nothing is written")
	_press(KEY_B)
	_window().tree.select_conflict(2)
	_press(KEY_T)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(not _window().visible, _window().message())
	check(EditorInterface.get_edited_scene_root().has_node("Left/Crate"), "the open scene: %s" % read(PLACES))
	await undo()
	await _idle()
	check_equal(read(PLACES), PLACES_TEXT, "after undo")
	check(EditorInterface.get_edited_scene_root().has_node("Box"), "the open scene after undo")
	EditorInterface.close_scene()
	await frames(3)
	await remove([PLACES])


func test_resources() -> void:
	await _make()
	make(RESOURCE, RESOURCE_TEXT)
	var held := load(RESOURCE) as CircleShape2D
	check_equal(held.radius, 2.0, "what the editor holds")
	watch().conflicts.resolve(RESOURCE)
	check_equal(_window().conflicts().size(), 1, "conflicts")
	_window().tree.item_activated.emit()
	await frames(2)
	check_equal(EditorInterface.get_inspector().get_edited_object(), held, "what the Inspector shows")
	_press(KEY_T)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check_equal(held.radius, 3.0, "what the editor holds after it")
	check_equal(read(RESOURCE), "[gd_resource type=\"CircleShape2D\" format=3]\n\n[resource]\nradius = 3.0\n", "the file")
	EditorInterface.inspect_object(null)
	await remove([RESOURCE])


func test_settings() -> void:
	var before := read(SETTINGS)
	var conflicts := "[gdscene]\n\nconflicts=[{\n\"base\": 1,\n\"key\": \"some/number\",\n\"section\": \"zone\",\n\"theirs\": 3\n}]\n"
	var text := "%s\n%s\n[zone]\n\nsome/number=2\n" % [before, conflicts]
	write(SETTINGS, text)
	ProjectSettings.set_setting("zone/some/number", 2)
	watch().conflicts.resolve(SETTINGS)
	check_equal(_window().conflicts().size(), 1, "conflicts")
	_window().choose_for_all(Conflict.THEIRS)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check_equal(read(SETTINGS), text.replace(conflicts + "\n", "").replace("number=2", "number=3"), "the file")
	check_equal(ProjectSettings.get_setting("zone/some/number"), 3, "what the editor holds")
	await undo()
	await _idle()
	check_equal(read(SETTINGS), text, "the file after undo")
	check_equal(ProjectSettings.get_setting("zone/some/number"), 2, "what the editor holds after undo")
	write(SETTINGS, before)
	ProjectSettings.set_setting("zone/some/number", null)
	ProjectSettings.set_setting("gdscene/conflicts", null)


func test_ways_to_the_window() -> void:
	await _make()
	await settled()
	check("SYN006" in codes_in(SCENE), "the panel tells of it: %s" % codes_in(SCENE))
	for diagnostic: Diagnostic in watch().problems.diagnostics_of(SCENE):
		if diagnostic.code == "SYN006":
			var menu := PopupMenu.new()
			ProblemsMenu.fill(menu, null, diagnostic, 0)
			check(menu.get_item_index(Action.RESOLVE) >= 0, "the panel's menu has it")
			menu.free()
			watch().panel.actions.run(Action.RESOLVE, diagnostic)
			break
	check(_window().visible and _window().file() == SCENE, "the panel opens the window")
	_window().hide()
	check(Conflicts.are_in(SCENE) and not Conflicts.are_in("res://good.tscn"), "which files have conflicts")
	watch().conflicts.resolve("res://good.tscn")
	check(not _window().visible, "there is nothing to settle")


func _window() -> ConflictsWindow:
	return watch().conflicts.window


## In the list.
func _press(key: Key) -> void:
	var event := InputEventKey.new()
	event.keycode = key
	event.pressed = true
	_window().tree._gui_input(event)


func _text(of_root: String, of_body: String, of_shape: String, of_gone: String) -> String:
	return SCENE_TEXT.format({"root": of_root, "body": of_body, "shape": of_shape, "gone": of_gone})


func _idle() -> void:
	await frames(3)
	await until(func() -> bool: return not watch().rewriter.is_working(), "the editor knows the files")
	await frames(5)


func _make() -> void:
	close_dialogs_of_godot()
	if not FileAccess.file_exists(FOLDER + "/b.svg"):
		write(FOLDER + "/a.svg", SVG % "red")
		write(FOLDER + "/b.svg", SVG % "blue")
		write(SCENE, _text(OF_ROOT, OF_BODY, OF_SHAPE, OF_GONE))
		await scan()
		await until(func() -> bool: return ResourceLoader.exists(FOLDER + "/b.svg"), "the pictures are imported")
		await settled()
	make(SCENE, _text(OF_ROOT, OF_BODY, OF_SHAPE, OF_GONE))
	await frames(2)
