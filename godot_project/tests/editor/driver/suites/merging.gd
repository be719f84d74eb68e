@tool
extends "../suite.gd"
## Conflicts that `gdscene merge` left in scenes, resources and the project's settings are settled in a window.

const Action := ProblemsMenu._Action
const Conflict := preload("res://addons/fast_variant/editor/merging/conflict.gd")
const Conflicts := preload("res://addons/fast_variant/editor/merging/conflicts.gd")
const ConflictsWindow := preload("res://addons/fast_variant/editor/merging/conflicts_window.gd")
const Native := preload("res://addons/fast_variant/editor/shared/native.gd")
const ProblemsMenu := preload("res://addons/fast_variant/editor/problems/problems_menu.gd")

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
## All that a merge can leave, as it writes it; without the notes and what they are about.
const KINDS := FOLDER + "/kinds.tscn"
const KINDS_TEXT := """[gd_scene format=3]

[sub_resource type="CircleShape2D" id="Circle_a"]
radius = {radius}
{of_circle}
[node name="Shelf" type="Node2D" unique_id=1]
position = {position}
{of_shelf}
[node name="Left" type="Node2D" parent="." unique_id=2]

{left}[node name="Right" type="Node2D" parent="." unique_id=3]

{right}[node name="{name}" type="Node2D" parent="." unique_id=4 groups=[{groups}]]
{of_name}
[node name="Row" type="Node2D" parent="." unique_id=6]
{of_row}
{row}{gone}[node name="Twin" type="Node2D" parent="." unique_id=21]

[node name="Twin2" type="Sprite2D" parent="." unique_id=22]
{of_twin}
[node name="Area" type="CollisionShape2D" parent="." unique_id=8]
shape = SubResource("Circle_a")

{last}[connection signal="ready" from="Left" to="." method="_on_ready"{flags}]
"""
const NOTE := "metadata/_gdscene_conflicts = [{\n%s\n}]\n"
const BELL := "[node name=\"Bell\" type=\"Node2D\" parent=\"%s\" unique_id=5]\n%s\n"
const IN_ROW := "[node name=\"%s\" type=\"Node2D\" parent=\"Row\" unique_id=%d]\n\n"
const GONE := "[node name=\"Gone\" type=\"Node2D\" parent=\".\" unique_id=7]\nposition = Vector2(9, 9)\n%s\n"
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
	await choose_for_file(SCENE, "Resolve Conflicts...")
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
	check(_window().advice().contains("does not say where") and _window().sides[Conflict.THEIRS].button.disabled,
		"of a note that has lost its values, only ours can be taken: %s" % _window().advice())
	check(_window().get_ok_button().disabled, "nothing is decided yet")
	_window().tree.select_conflict(2)
	check_equal(_window().sides[Conflict.OURS].swatch.color, Color(1, 0, 0), "the colour of ours")
	check_equal(_window().sides[Conflict.THEIRS].swatch.color, Color(0, 0, 1), "the colour of theirs")
	check_equal(_window().advice(), "", "advice on what can be taken")
	_window().tree.select_conflict(3)
	check(not _window().sides[Conflict.OURS].swatch.visible, "a vector is no colour")
	check_equal(_window().sides[Conflict.BASE].shown_text(), "Vector2(10, 10)", "the value of the base")
	var theirs := _window().conflicts()[2].values[Conflict.THEIRS]
	var measure := _window().conflicts()[2].measure(Conflict.THEIRS)
	check_equal(Native.marks(measure.shown, theirs.shown), PackedInt32Array([12, 14]), "what differs in theirs")
	_window().tree.select_conflict(4)
	check_equal(_window().sides[Conflict.THEIRS].shown_text(), "ExtResource(\"%s/b.svg\")" % FOLDER, "a file by its path")
	check_equal(_window().sides[Conflict.BASE].shown_text(), "It has none.", "a value that is not there")
	_window().tree.select_conflict(5)
	check_equal(_window().sides[Conflict.THEIRS].shown_text(), "SubResource(CircleShape2D \"Circle_b\")\nradius = 15.0",
		"a resource of the scene with its content")
	_window().hide()


func test_sides_are_taken() -> void:
	await _make()
	parts().conflicts.resolve(SCENE)
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
	parts().conflicts.resolve_next()
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
	parts().conflicts.resolve(SCENE)
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
	_window().choose_for_all("")
	_window().hide()


## A name that another node has cannot be taken.
func test_names_and_parents() -> void:
	await _make()
	make(PLACES, PLACES_TEXT)
	await open(PLACES)
	parts().conflicts.resolve(PLACES)
	check_equal(_window().conflicts()[0].subject(), "name", "what the first is about")
	_window().tree.select_conflict(1)
	_press(KEY_T)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(_window().visible and _window().message().contains("Box cannot be called \"Left\": another node there has the name"),
		_window().message())
	check_equal(_window().choices(), {1: "theirs"} as Dictionary[int, String], "what is chosen")
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


## Every kind of conflict is settled by each side, and by hand.
func test_every_kind() -> void:
	await _make()
	for side: String in Conflict.SIDES:
		make(KINDS, _kinds(Conflict.OURS, true))
		parts().conflicts.resolve(KINDS)
		var kinds: PackedStringArray = []
		for conflict: Conflict in _window().conflicts():
			kinds.append(conflict.kind)
			check(conflict.can_take(side), "%s of %s can be taken" % [side, conflict.what])
		check_equal(" ".join(kinds), "property property field field field field order removed name", "kinds")
		_window().choose_for_all(side)
		_window().get_ok_button().pressed.emit()
		await _idle()
		check(not _window().visible, "all is settled: %s" % _window().message())
		check_equal(read(KINDS), _kinds(side, false), "with %s" % side)
	make(KINDS, _kinds(Conflict.OURS, true))
	parts().conflicts.resolve(KINDS)
	check_equal(_window().sides[Conflict.BASE].shown_text(), "10.0", "the first is selected")
	_window().tree.select_conflict(7)
	check_equal(_window().sides[Conflict.THEIRS].shown_text(), "A\nC\nB", "children, each in a line")
	_window().tree.select_conflict(9)
	check(_window().advice().begins_with("Both nodes stay"), _window().advice())
	for conflict: Conflict in _window().conflicts():
		_window().tree.select_conflict(conflict.number)
		_press(KEY_H)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check_equal(read(KINDS), _kinds(Conflict.OURS, false), "as it stands")
	await remove([KINDS])


## What was chosen is not lost with the window.
func test_choices_are_kept() -> void:
	await _make()
	make(KINDS, _kinds(Conflict.OURS, true))
	parts().conflicts.resolve(KINDS)
	_window().choose_for_all(Conflict.THEIRS)
	_window().hide()
	parts().conflicts.resolve(SCENE)
	check_equal(_window().choices().size(), 0, "choices in another file")
	parts().conflicts.resolve(KINDS)
	check_equal(_window().choices().size(), 9, "choices in the first file")
	_window().choose_for_all("")
	_window().hide()
	parts().conflicts.resolve(KINDS)
	check_equal(_window().choices().size(), 0, "nothing is decided any more")
	_window().hide()
	await remove([KINDS])


func test_files_that_cannot_be_written() -> void:
	await _make()
	make(RESOURCE, RESOURCE_TEXT)
	parts().conflicts.resolve(RESOURCE)
	_press(KEY_T)
	FileAccess.set_unix_permissions(RESOURCE, 0b100_100_100)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(_window().visible and _window().message().contains("read-only"), _window().message())
	check_equal(read(RESOURCE), RESOURCE_TEXT, "the file that is read-only")
	FileAccess.set_unix_permissions(RESOURCE, 0b110_100_100)
	DirAccess.remove_absolute(RESOURCE)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(not FileAccess.file_exists(RESOURCE), "a file that was deleted is not written")
	check(_window().message().begins_with("Nothing was written"), _window().message())
	_window().look()
	check_equal(_window().conflicts().size(), 0, "conflicts of no file")
	# As git brings it back.
	make(RESOURCE, RESOURCE_TEXT)
	_window().focus_entered.emit()
	check_equal(_window().choices(), {1: "theirs"} as Dictionary[int, String], "what was chosen before it went")
	_window().hide()
	await remove([RESOURCE])


## Texts of strangers, and many of them.
func test_hostile_and_large_files() -> void:
	await _make()
	const COUNT := 500
	var nodes: PackedStringArray = []
	for index: int in COUNT:
		var text := "a" if index > 0 else "[b]x[/b] \u202e\n".repeat(100_000)
		nodes.append("[node name=\"N%d\" type=\"Label\" parent=\".\"]\ntext = \"%s\"\n" % [index, text] \
				+ NOTE % ("\"base\": \"\",\n\"property\": \"text\",\n\"theirs\": \"%sb\"" % text))
	make(KINDS, "[gd_scene format=3]\n\n[node name=\"[b]\u202e\" type=\"Node\"]\n\n" + "\n".join(nodes))
	var start := Time.get_ticks_msec()
	parts().conflicts.resolve(KINDS)
	var shown := _window().sides[Conflict.THEIRS].shown_text()
	check(shown.begins_with("\"[b]x[/b] \\u202e\n"), "what is hidden is written out: %s" % shown.left(40))
	check(shown.length() < 50_000, "%d characters are shown" % shown.length())
	_window().choose_for_all(Conflict.THEIRS)
	var taken := Time.get_ticks_msec() - start
	print("cost of %d conflicts in %d kB: %d ms" % [COUNT, read(KINDS).length() / 1000.0, taken])
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(not _window().visible, _window().message())
	check(not read(KINDS).contains("_gdscene") and read(KINDS).count("ab\"") == COUNT - 1, "all are settled")
	await remove([KINDS])


func test_resources() -> void:
	await _make()
	make(RESOURCE, RESOURCE_TEXT)
	var held := load(RESOURCE) as CircleShape2D
	check_equal(held.radius, 2.0, "what the editor holds")
	parts().conflicts.resolve(RESOURCE)
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
	parts().conflicts.resolve(SETTINGS)
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
	for diagnostic: Diagnostic in parts().problems.diagnostics_of(SCENE):
		if diagnostic.code == "SYN006":
			var menu := PopupMenu.new()
			ProblemsMenu.fill(menu, null, diagnostic, 0)
			check(menu.get_item_index(Action.RESOLVE) >= 0, "the panel's menu has it")
			menu.free()
			parts().panel.actions.run(Action.RESOLVE, diagnostic)
			break
	check(_window().visible and _window().file() == SCENE, "the panel opens the window")
	_window().hide()
	check(Conflicts.are_in(SCENE) and not Conflicts.are_in("res://good.tscn"), "which files have conflicts")
	parts().conflicts.resolve("res://good.tscn")
	check(not _window().visible, "there is nothing to settle")


func _window() -> ConflictsWindow:
	return parts().conflicts.window


## In the list.
func _press(key: Key) -> void:
	var event := InputEventKey.new()
	event.keycode = key
	event.pressed = true
	_window().tree._gui_input(event)


## The scene with what a side has; with its notes, or without.
func _kinds(side: String, with_notes: bool) -> String:
	var at := Conflict.SIDES.find(side)
	var note := func(lines: String) -> String: return NOTE % lines if with_notes else ""
	var place := "\"at\": \"connection ready of \\\"Left\\\" to _on_ready of \\\".\\\"\",\n\"field\": \"flags\",\n\"theirs\": 7"
	var of_shelf: String = note.call("\"base\": Vector2(0, 0),\n\"property\": \"position\",\n\"theirs\": Vector2(2, 0)\n}, {\n" + place)
	var of_bell: String = note.call("\"base\": \".\",\n\"field\": \"parent\",\n\"theirs\": \"Right\"")
	var bell := BELL % [[".", "Left", "Right"][at], of_bell]
	var row := ""
	for name_in_row: String in ["ABC", "BAC", "ACB"][at]:
		row += IN_ROW % [name_in_row, 10 + name_in_row.unicode_at(0)]
	return KINDS_TEXT.format({
		"radius": "%d.0" % (10 + at), "position": "Vector2(%d, 0)" % at, "name": ["Box", "Crate", "Chest"][at],
		"groups": ["", "\"a\"", "\"b\""][at], "flags": ["", " flags=3", " flags=7"][at], "row": row,
		"left": bell if side == Conflict.OURS else "", "right": bell if side == Conflict.THEIRS else "",
		# As where one moves it in the Scene dock.
		"last": bell if side == Conflict.BASE else "",
		"gone": GONE % note.call("\"removed_by\": \"theirs\"") if side != Conflict.THEIRS else "",
		"of_circle": note.call("\"base\": 10.0,\n\"property\": \"radius\",\n\"theirs\": 12.0"), "of_shelf": of_shelf,
		"of_name": note.call("\"base\": \"Box\",\n\"field\": \"name\",\n\"theirs\": \"Chest\"\n}, {\n"
			+ "\"base\": [],\n\"field\": \"groups\",\n\"theirs\": [\"b\"]"),
		"of_row": note.call("\"base\": [\"A\", \"B\", \"C\"],\n\"order\": \"children\",\n\"ours\": [\"B\", \"A\", \"C\"],\n"
			+ "\"theirs\": [\"A\", \"C\", \"B\"]"),
		"of_twin": note.call("\"name\": \"Twin\""),
	})


func _text(of_root: String, of_body: String, of_shape: String, of_gone: String) -> String:
	return SCENE_TEXT.format({"root": of_root, "body": of_body, "shape": of_shape, "gone": of_gone})


func _idle() -> void:
	await frames(3)
	await until(func() -> bool: return not parts().rewriter.is_working(), "the editor knows the files")
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
