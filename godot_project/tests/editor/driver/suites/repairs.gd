@tool
extends "../suite.gd"
## Fixes, formats, ignores; and undoes all of it.

const Menu := preload("res://addons/fast_variant/editor/problems/problems_menu.gd")
const Question := preload("res://addons/fast_variant/editor/shared/question.gd")
const PATH := "res://repairs/scene.tscn"
const TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="res://driver/driver.gd" id="1"]

[node name="Root" type="Node"]
# a slip

[node name="Child" type="Node" parent="."]
process_mode = True
"""
const MISSPELT := "res://repairs/misspelt.tscn"
const MISSPELT_TEXT := """[gd_scene format=3]

[node name="Root" type="Node"]

[node name="Player" type="AnimationPlayer" parent="."]
autoply = "walk"

[node name="Label" type="Lable" parent="."]
"""
const OVERRIDE := "res://override.cfg"
const OVERRIDE_TEXT := "[application]\n\nrun/main_scene=\"res://Good.tscn\"\n"
const MOVED := "res://repairs/moved/tile.tres"
const MOVED_SCENE := "res://repairs/floor.tscn"
const MOVED_TEXT := """[gd_scene format=3]

[ext_resource type="Resource" path="res://repairs/@/tile.tres" id="1"]

[node name="Floor" type="Node"]
metadata/tile = ExtResource("1")
"""
const MOVED_SCRIPT := "res://repairs/floor.gd"
const MOVED_CODE := "extends Node\n\nvar tile := \"res://repairs/@/tile.tres\"\n"
const SECOND := "res://repairs/second.tscn"
const CONNECTED := "res://repairs/connected.tscn"
## With a line in a string that looks like a root.
const CONNECTED_TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="res://repairs/connected.gd" id="1"]

[sub_resource type="Gradient" id="g"]
resource_name = "\\"a
[node name=\\"No\\" type=\\"Node\\"]
b"
metadata/text = "c"

[node name="Root" type="Node2D"]
script = ExtResource("1")
metadata/gradient = SubResource("g")

[node name="Child" type="Node2D" parent="."]

[connection signal="hidden" from="Child" to="." method="two"]
"""


## Enter in a question before something is lost loses nothing.
func test_questions_have_the_focus_on_cancel() -> void:
	var question := ConfirmationDialog.new()
	add_child(question)
	Question.ask(question)
	await frames(3)
	check(question.get_cancel_button().has_focus(), "the focus is on Cancel")
	question.queue_free()


func test_fix_one() -> void:
	make(PATH, TEXT)
	parts().checker.check(PATH)
	check_equal(codes_in(PATH), PackedStringArray(["REF007", "SYN003", "SYN013"]), "diagnostics")
	parts().repairs.fix(parts().problems.diagnostics_of(PATH)[1])
	await frames(3)
	check_equal(read(PATH), TEXT.replace("# a", "; a"), "the text")
	check_equal(codes_in(PATH), PackedStringArray(["REF007", "STY006", "SYN013"]), "diagnostics that are left, and a note on the comment")
	await undo()
	check_equal(read(PATH), TEXT, "the text after undo")
	check_equal(codes_in(PATH).size(), 3, "diagnostics after undo")


## What `gdscene check` shows for each of them, on the row and in its menu, and the fixes do what it says.
func test_fixes_and_suggestions() -> void:
	make(MISSPELT, MISSPELT_TEXT)
	write(OVERRIDE, OVERRIDE_TEXT)
	parts().tab.show()
	await settled()
	check_equal(codes_in(MISSPELT), PackedStringArray(["TREE015", "TREE013"]), "diagnostics")
	var misspelt := parts().problems.diagnostics_of(MISSPELT)
	await _check_row(misspelt[0], [
		"`AnimationPlayer` has no property `autoply`; did you mean `autoplay`?",
		"Godot drops `\"walk\"`, and the next save removes it",
		"Fix: write `autoplay` (unsafe)",
	], true)
	await _check_row(misspelt[1], [
		"`Lable` is not a Godot class; did you mean `Label`?",
		"Godot creates a plain node instead, or does not load the file",
		"Fix: write `Label` (unsafe)",
	], true)
	await _click_fix(misspelt[0])
	check_equal(read(MISSPELT), MISSPELT_TEXT.replace("autoply", "autoplay"), "the text after the fix")
	check_equal(codes_in(MISSPELT), PackedStringArray(["TREE013"]), "diagnostics that are left")
	await undo()
	check_equal(read(MISSPELT), MISSPELT_TEXT, "the text after undo")
	check_equal(codes_in(OVERRIDE), PackedStringArray(["RES016"]), "diagnostics of the settings")
	var setting := parts().problems.diagnostics_of(OVERRIDE)[0]
	await _check_row(setting, [setting.message, setting.help, "Fix: write `res://good.tscn` (safe)"], true)
	await _click_fix(setting)
	check_equal(read(OVERRIDE), OVERRIDE_TEXT.replace("Good", "good"), "the settings after the fix")
	await undo()
	check_equal(read(OVERRIDE), OVERRIDE_TEXT, "the settings after undo")
	await remove([MISSPELT, OVERRIDE])
	await settled()


func test_a_fix_of_several_files() -> void:
	make(MOVED, "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n")
	# The fix would also change this script if it had the path as a whole.
	var old_code := MOVED_CODE.replace("@", "old")
	var old_text := MOVED_TEXT.replace("@", "old")
	make(MOVED_SCRIPT, old_code)
	make(MOVED_SCENE, old_text)
	await settled()
	check_equal(codes_in(MOVED_SCENE), PackedStringArray(["RES001"]), "diagnostics")
	var missing := parts().problems.diagnostics_of(MOVED_SCENE)[0]
	check_equal(missing.fix_files, PackedStringArray([MOVED_SCRIPT]), "other files of the fix")
	var alone: Variant = ClassDB.class_call_static(&"SceneRewriter", &"fix_one", old_text, MOVED_SCENE, "RES001", missing.line, missing.column)
	check(str(alone.error).contains("fix_in_project"), "it is not done in one file: %s" % alone.error)
	await _click_fix(missing)
	await until(func() -> bool: return read(MOVED_SCENE).contains(MOVED), "the scene has the new path")
	check_equal(read(MOVED_SCENE), MOVED_TEXT.replace("@", "moved"), "the scene")
	check_equal(read(MOVED_SCRIPT), MOVED_CODE.replace("@", "moved"), "the script")
	await settled()
	check_equal(codes_in(MOVED_SCENE), PackedStringArray(), "diagnostics that are left")
	await undo()
	check_equal(read(MOVED_SCENE), old_text, "the scene after undo")
	check_equal(read(MOVED_SCRIPT), old_code, "the script after undo")
	await remove([MOVED, MOVED_SCRIPT, MOVED_SCENE])
	await settled()


func test_fix_all() -> void:
	make(SECOND, TEXT)
	parts().checker.check(SECOND)
	parts().panel.refresh_now()
	parts().panel.fix_all()
	await frames(3)
	for path: String in [PATH, SECOND]:
		check_equal(codes_in(path), PackedStringArray(["REF007", "SYN003"]), "diagnostics that no safe fix mends while there is an error in %s" % path)
		check(read(path).contains("process_mode = true"), "the text: %s" % read(path))
	await undo()
	check_equal(read(PATH), TEXT, "the text after undo")
	check_equal(read(SECOND), TEXT, "the second text after undo")
	await remove([SECOND])


func test_what_is_not_saved_is_not_lost() -> void:
	make(PATH, TEXT.replace("# a slip\n", "").replace("process_mode = True\n", ""))
	await open(PATH)
	var undo_redo := EditorInterface.get_editor_undo_redo()
	var root := EditorInterface.get_edited_scene_root()
	undo_redo.create_action("rename")
	undo_redo.add_do_property(root, &"editor_description", "new")
	undo_redo.add_undo_property(root, &"editor_description", "")
	undo_redo.commit_action()
	var text := read(PATH)
	parts().repairs.fix_files([PATH])
	await frames(3)
	check_equal(read(PATH), text, "the text of a scene with changes")
	check_equal(EditorInterface.get_edited_scene_root().editor_description, "new", "the change")
	await save()
	write(PATH, text)
	parts().repairs.fix_files([PATH])
	await frames(3)
	check(not read(PATH).contains("ext_resource"), "after a save the file is fixed")
	check_equal(EditorInterface.get_edited_scene_root().editor_description, "", "the scene was opened again")
	EditorInterface.close_scene()


func test_format() -> void:
	var untidy := "[gd_scene format=3]\n[node name=\"Root\"   type=\"Node\"]\n; note\nprocess_mode=1\n"
	make(PATH, untidy)
	parts().repairs.format_files([PATH])
	await frames(3)
	check(read(PATH).contains("[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n"), read(PATH))
	check(read(PATH).contains("; note\nprocess_mode = 1\n"), "comments are kept: %s" % read(PATH))
	await undo()
	check_equal(read(PATH), untidy, "the text after undo")


func test_not_utf_8() -> void:
	var bytes := "[gd_scene format=3]\n[node name=\"R\"   type=\"Node\"]\nx=\"".to_ascii_buffer()
	bytes.append_array([0xff, 0x22, 0x0a])
	SafeFile.put(PATH, bytes)
	print("[expected errors")
	parts().repairs.format_files([PATH])
	print("expected errors]")
	check_equal(SceneFiles.read(PATH), bytes, "the bytes")


## A comment beside the connection would go with the next save.
func test_what_is_ignored_stays_ignored() -> void:
	make("res://repairs/connected.gd", "@tool\nextends Node2D\n\n\nfunc two(_one: int, _other: int) -> void:\n\tpass\n")
	await scan()
	make(CONNECTED, CONNECTED_TEXT)
	await settled()
	var codes := codes_in(CONNECTED)
	check(codes.size() == 1 and codes[0].begins_with("SIG"), "diagnostics: %s" % codes)
	parts().repairs.ignore_here(parts().problems.diagnostics_of(CONNECTED)[0])
	await frames(3)
	check(read(CONNECTED).contains("SubResource(\"g\")\nmetadata/_lint_ignore = [\"%s\"]\n" % codes[0]), read(CONNECTED))
	check_equal(codes_in(CONNECTED), PackedStringArray(), "diagnostics after it is ignored")
	await open(CONNECTED)
	await save()
	check(read(CONNECTED).contains("_lint_ignore") and read(CONNECTED).contains("[connection"), "after a save: %s" % read(CONNECTED))
	check(losses_of(CONNECTED) == null, "the save drops nothing")
	check_equal(codes_in(CONNECTED), PackedStringArray(), "diagnostics after a save")
	EditorInterface.close_scene()
	await remove([CONNECTED, "res://repairs/connected.gd", "res://repairs/connected.gd.uid"])
	await settled()


func test_ignore() -> void:
	make(PATH, TEXT.replace("# a slip\n", ""))
	parts().checker.check(PATH)
	check_equal(codes_in(PATH), PackedStringArray(["REF007", "SYN013"]), "diagnostics")
	parts().repairs.ignore_here(parts().problems.diagnostics_of(PATH)[1])
	await frames(3)
	check(read(PATH).contains("process_mode = True\nmetadata/_lint_ignore = [\"SYN013\"]\n"), read(PATH))
	check_equal(codes_in(PATH), PackedStringArray(["REF007"]), "diagnostics that are left")
	parts().repairs.ignore_in_project(parts().problems.diagnostics_of(PATH)[0])
	await frames(3)
	check_equal(read("res://gdscene.toml"), "ignore = [\"REF007\"]\n", "the configuration")
	await settled()
	check_equal(codes_in(PATH), PackedStringArray(), "diagnostics in the end")
	await undo()
	await settled()
	check_equal(codes_in(PATH), PackedStringArray(["REF007"]), "diagnostics after undo")
	await remove([PATH, "res://gdscene.toml"])
	await settled()


## The tooltip of its row, and the entry in the menu that a click with the right button opens.
func _check_row(diagnostic: Diagnostic, lines: Array, is_fixable: bool) -> void:
	var tree := parts().panel.tree
	var row := await _row(diagnostic)
	check_equal(row.get_tooltip_text(0), "\n".join(lines), "the tooltip of %s" % diagnostic.code)
	var event := InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_RIGHT
	event.position = tree.get_global_rect().position + tree.get_item_area_rect(row, 0).get_center()
	event.global_position = event.position
	# A toast of the test before may be in front of it.
	await until(func() -> bool: return _control_at(event.position) == tree, "the row can be clicked")
	for pressed: bool in [true, false]:
		event.pressed = pressed
		tree.get_viewport().push_input(event.duplicate() as InputEvent, true)
	var menu := parts().panel._context_menu
	await until(func() -> bool: return menu.visible, "the menu opens")
	var index := menu.get_item_index(Menu._Action.FIX)
	check_equal(menu.get_item_text(index), lines[-1], "the entry for %s" % diagnostic.code)
	check_equal(menu.is_item_disabled(index), not is_fixable, "the entry is disabled")
	menu.hide()


func _click_fix(diagnostic: Diagnostic) -> void:
	var tree := parts().panel.tree
	var row := await _row(diagnostic)
	check_equal(row.get_button_count(0), 1, "buttons of %s" % diagnostic.code)
	# A tree asks the screen where the mouse is, and headless runs have no screen.
	tree.button_clicked.emit(row, 0, row.get_button_id(0, 0), MOUSE_BUTTON_LEFT)
	await frames(5)


func _control_at(place: Vector2) -> Control:
	var viewport := parts().panel.get_viewport()
	viewport.notification(Node.NOTIFICATION_VP_MOUSE_ENTER)
	var event := InputEventMouseMotion.new()
	event.position = place
	event.global_position = place
	viewport.push_input(event, true)
	return viewport.gui_get_hovered_control()


## Selected and in sight.
func _row(diagnostic: Diagnostic) -> TreeItem:
	await frames(3)
	check(parts().panel.show_diagnostic(diagnostic), "%s has a row" % diagnostic.code)
	await frames(3)
	return parts().panel.tree.get_selected()
