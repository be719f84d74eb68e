@tool
extends "../suite.gd"
## What another program writes into a file that the editor holds is not lost by a save: it is reported before, kept, and brought
## back with what was saved.

const LossRows := preload("res://addons/fast_variant/editor/saving/loss_rows.gd")
const WarningBanner := preload("res://addons/fast_variant/editor/shared/warning_banner.gd")
const OverwrittenLines := preload("res://addons/fast_variant/editor/saving/overwritten_lines.gd")

const SCENE := "res://overwriting/yard.tscn"
const OTHER := "res://overwriting/other.tscn"
const SCRIPT := "res://overwriting/bench.gd"
const RESOURCE := "res://overwriting/path.tres"
const TEXT := """[gd_scene format=3 uid="uid://cyardyardyard"]

[node name="Yard" type="Node2D" unique_id=1]

[node name="Lamp" type="Node2D" parent="." unique_id=2]
position = Vector2(1, 2)

[node name="Bench" type="Node2D" parent="." unique_id=3]
position = Vector2(3, 4)

[node name="Bin" type="Node2D" parent="." unique_id=4]
position = Vector2(5, 6)
"""
const SCRIPT_TEXT := """@tool
extends Node


func first() -> int:
	return 1


func second() -> int:
	return 2


func third() -> int:
	return 3
"""


func test_lines() -> void:
	check_equal(_found("a\nb\nc", "a\nB\nc", "a\nb\nc"), ["2-2 new B"], "a changed line")
	check_equal(_found("a\nb\nc", "a\nb\nc\nd", "a\nb\nC"), ["4-4 new d"], "a new line")
	check_equal(_found("a\nb\nc\nd", "a\nd", "a\nb\nc\nd"), ["2-2 gone b\nc"], "lines that were removed")
	check_equal(_found("a\nb\nc", "a\nB\nc", "a\nB\nc\nd"), [], "what the save kept")
	check_equal(_found("a\nb\nc", "a\r\nb\r\nc", "a\nb\nC"), [], "other line ends")
	check_equal(_found("a\nb\nc\nd\ne", "A\nb\nc\nd\nE\nF", "a\nb\nc\nd\ne"), ["1-1 new A", "5-6 new E\nF"], "two places")


func test_the_user_is_warned_before_a_save() -> void:
	await _make()
	_move("Lamp", Vector2(10, 20))
	write(SCENE, TEXT.replace("Vector2(3, 4)", "Vector2(30, 40)"))
	parts().tab.show()
	await frames(3)
	_focus()
	await frames(3)
	check(_banner().visible, "the banner is shown")
	check_equal(_banner().text(),
		"yard.tscn has unsaved edits, and 1 line of it was changed on the disk. Saving overwrites that.", "what it says")
	_press(_banner(), "Compare")
	await frames(3)
	var window := parts().loss_actions.window
	check(window.visible, "the window is open")
	check_equal(window.texts().current_lines(), PackedStringArray(["position = Vector2(30, 40)", "position = Vector2(3, 4)"]), "the row")
	check(not _has_button(window, "Restore") and not _has_button(window, "Dismiss"), "there is nothing to restore yet")
	window.hide()
	_press(_banner(), "Dismiss")
	await frames(2)
	check(not _banner().visible, "the banner is dismissed")
	_focus()
	check(not _banner().visible, "and stays so")
	write(SCENE, TEXT.replace("Vector2(3, 4)", "Vector2(31, 41)").replace("Vector2(5, 6)", "Vector2(51, 61)"))
	# Without the focus, too: the editor may have had it all along.
	await until(func() -> bool: return _banner().visible, "the banner for another text")
	check(_banner().text().contains("2 lines of it were changed"), _banner().text())


func test_a_save_reports_what_it_overwrote() -> void:
	await save()
	check(read(SCENE).contains("Vector2(10, 20)") and not read(SCENE).contains("Vector2(31, 41)"), "the editor saved: %s" % read(SCENE))
	await frames(3)
	check(not _banner().visible, "no more warning")
	var losses := losses_of(SCENE)
	check(losses != null, "the loss is reported")
	if losses == null:
		return
	check_equal(losses.summary(), "Saving yard.tscn overwrote 2 lines that were changed on the disk.", "the summary")
	check_equal(parts().panel.banner.text(), losses.summary(), "the banner")
	check_equal(_rows(), PackedStringArray([
		"Overwritten by the save at %s (2)" % losses.when(),
		"1 line: position = Vector2(31, 41): this was new on the disk when the editor saved",
		"1 line: position = Vector2(51, 61): this was new on the disk when the editor saved",
	]), "rows")
	_press(parts().panel.banner, "Compare")
	await frames(3)
	var window := parts().loss_actions.window
	check(window.visible and _has_button(window, "Restore"), "the window is open")
	check_equal(window.texts().current_lines(), PackedStringArray(["position = Vector2(31, 41)", "position = Vector2(3, 4)"]), "the row")
	window.hide()


## With what was saved: only what the other program changed comes back.
func test_restore_and_undo() -> void:
	var saved := read(SCENE)
	await _restore(SCENE)
	check_equal(read(SCENE), saved.replace("Vector2(3, 4)", "Vector2(31, 41)").replace("Vector2(5, 6)", "Vector2(51, 61)"), "both")
	check_equal(_node("Bench").position, Vector2(31, 41), "the scene was read again")
	check_equal(_node("Lamp").position, Vector2(10, 20), "and has what was saved")
	check_equal(parts().panel.banner.text(), "yard.tscn has what the save overwrote, and what was saved.", "the banner")
	check(losses_of(SCENE) == null, "nothing is listed")
	await undo()
	check_equal(read(SCENE), saved, "the text after undo")
	check(losses_of(SCENE) != null, "it is listed again")
	await redo()
	await save()
	await frames(2)
	check(losses_of(SCENE) == null, "a save after that overwrites nothing")


## Both changed the same value: the user is asked.
func test_restore_asks() -> void:
	_move("Lamp", Vector2(7, 7))
	write(SCENE, read(SCENE).replace("Vector2(10, 20)", "Vector2(8, 8)"))
	await save()
	await _restore(SCENE)
	var question := parts().loss_actions.question
	check(question.visible, "it is asked first")
	check_equal(question.dialog_text, "Restoring yard.tscn also takes back:\n\nLamp: position = Vector2(7, 7)", "the question")
	question.get_ok_button().pressed.emit()
	await frames(3)
	check_equal(_node("Lamp").position, Vector2(8, 8), "the other program's value")


## No report without a reason.
func test_what_is_no_loss() -> void:
	await _make()
	_move("Lamp", Vector2(1, 1))
	await save()
	_move("Lamp", Vector2(2, 2))
	await save()
	check(losses_of(SCENE) == null, "saves of one editor")
	write(SCENE, read(SCENE).replace("Vector2(3, 4)", "Vector2(30, 40)"))
	EditorInterface.reload_scene_from_path(SCENE)
	await frames(3)
	check_equal(_node("Bench").position, Vector2(30, 40), "the scene was read again")
	_move("Lamp", Vector2(3, 3))
	await save()
	check(losses_of(SCENE) == null, "a scene that was read again")
	check(read(SCENE).contains("Vector2(30, 40)"), read(SCENE))
	# The same change by both.
	write(SCENE, read(SCENE).replace("Vector2(5, 6)", "Vector2(6, 6)"))
	_move("Bin", Vector2(6, 6))
	await save()
	check(losses_of(SCENE) == null, "the same change by both")
	EditorInterface.close_scene()
	await frames(2)
	write(SCENE, TEXT)
	await open(SCENE)
	_move("Lamp", Vector2(4, 4))
	await save()
	check(losses_of(SCENE) == null, "a scene that was opened again")


## Two scenes at once; one is not at the front.
func test_save_all() -> void:
	await _make()
	make(OTHER, TEXT.replace("yardyardyard", "otherother"))
	_move("Lamp", Vector2(1, 1))
	await open(OTHER)
	await frames(3)
	_move("Bin", Vector2(1, 1))
	write(SCENE, read(SCENE).replace("Vector2(5, 6)", "Vector2(9, 9)"))
	write(OTHER, read(OTHER).replace("Vector2(3, 4)", "Vector2(9, 9)"))
	EditorInterface.save_all_scenes()
	await frames(5)
	check(losses_of(SCENE) != null and losses_of(SCENE).line_count() == 1, "the one behind")
	check(losses_of(OTHER) != null and losses_of(OTHER).line_count() == 1, "the one at the front")
	EditorInterface.close_scene()
	await frames(2)


## Ctrl+S in the viewport saves scripts, too, without a look at their files.
func test_scripts() -> void:
	await _make()
	make(SCRIPT, SCRIPT_TEXT)
	EditorInterface.edit_script(load(SCRIPT) as Script)
	await frames(3)
	_focus()
	var edit := _edit()
	await _type(edit, 5, "100 + ")
	check(parts().unsaved.has(SCRIPT), "the script has unsaved edits: %s" % edit.text)
	write(SCRIPT, SCRIPT_TEXT.replace("return 3", "return 30"))
	_focus()
	await frames(2)
	check(_banner().text().begins_with("bench.gd has unsaved edits, and 1 line of it was changed"), _banner().text())
	var typed := edit.text
	_move("Lamp", Vector2(2, 2))
	await save()
	await frames(5)
	check_equal(read(SCRIPT), typed, "the editor has saved the script")
	var losses := losses_of(SCRIPT)
	check(losses != null, "the loss is reported")
	if losses == null:
		return
	check_equal(losses.summary(), "Saving bench.gd overwrote 1 line that was changed on the disk.", "the summary")
	await _restore(SCRIPT)
	check_equal(read(SCRIPT), typed.replace("return 3", "return 30"), "both")
	check_equal(edit.text, read(SCRIPT), "what the script editor shows")
	check_equal((load(SCRIPT) as Script).source_code, read(SCRIPT), "what the script is")
	check(not parts().unsaved.has(SCRIPT), "nothing is unsaved")
	await undo()
	check_equal(read(SCRIPT), typed, "the text after undo")
	parts().problems.losses.remove_all()
	# The script editor reads it again, and goes on.
	write(SCRIPT, SCRIPT_TEXT.replace("return 2", "return 20"))
	parts().rewriter.memory._OpenScripts.refresh(SCRIPT)
	await frames(2)
	_focus()
	await _type(edit, 5, "7 + ")
	_move("Lamp", Vector2(3, 3))
	await save()
	await frames(5)
	check(read(SCRIPT).contains("return 20") and read(SCRIPT).contains("7 + "), read(SCRIPT))
	check(losses_of(SCRIPT) == null, "a script that was read again")


## It is open nowhere; the editor saves it along with a scene.
func test_loaded_scripts() -> void:
	await _make()
	var path := "res://overwriting/loaded.gd"
	make(path, SCRIPT_TEXT)
	await scan()
	await frames(3)
	var script: GDScript = load(path)
	if not EditorInterface.has_method(&"set_object_edited"):
		return
	write(path, SCRIPT_TEXT.replace("return 3", "return 30"))
	EditorInterface.call(&"set_object_edited", script, true)
	_move("Lamp", Vector2(2, 2))
	await save()
	await frames(5)
	check_equal(read(path), SCRIPT_TEXT, "the editor has written what it held")
	check(losses_of(path) != null, "the loss is reported")
	script = null
	parts().problems.losses.remove_all()
	await remove([path, path + ".uid"])


func test_resources() -> void:
	await _make()
	make(RESOURCE, "[gd_resource type=\"Curve2D\" format=3]\n\n[resource]\nbake_interval = 7.0\n")
	await scan()
	var curve: Curve2D = load(RESOURCE)
	EditorInterface.edit_resource(curve)
	await frames(3)
	_set_by_hand(curve, &"bake_interval", 8.0)
	write(RESOURCE, read(RESOURCE).replace("bake_interval", "resource_name = \"Wall\"\nbake_interval"))
	_move("Lamp", Vector2(2, 2))
	await save()
	await until(func() -> bool: return losses_of(RESOURCE) != null, "the loss in the resource")
	check(read(RESOURCE).contains("8.0") and not read(RESOURCE).contains("Wall"), "the editor saved: %s" % read(RESOURCE))
	check_equal(losses_of(RESOURCE).line_count(), 1, "lines")
	await _restore(RESOURCE)
	check(read(RESOURCE).contains("8.0") and read(RESOURCE).contains("Wall"), "both: %s" % read(RESOURCE))
	check_equal(curve.resource_name, "Wall", "what the editor holds")
	EditorInterface.inspect_object(null)


## A later session still has it.
func test_it_is_kept() -> void:
	parts().problems.losses.remove_all()
	await _make()
	_move("Lamp", Vector2(2, 2))
	write(SCENE, TEXT.replace("Vector2(5, 6)", "Vector2(9, 9)"))
	await save()
	var data := losses_of(SCENE).to_data()
	EditorInterface.set_plugin_enabled("fast_variant", false)
	await frames(5)
	EditorInterface.set_plugin_enabled("fast_variant", true)
	await frames(5)
	await settled()
	check(losses_of(SCENE) != null, "it was read again")
	check_equal(losses_of(SCENE).to_data(), data, "all that is known of it")
	parts().problems.losses.remove_all()
	EditorInterface.close_scene()
	await remove([SCENE, OTHER, RESOURCE, SCRIPT, SCRIPT + ".uid"])
	await settled()


func _make() -> void:
	parts().problems.losses.remove_all()
	while not EditorInterface.get_open_scenes().is_empty():
		EditorInterface.close_scene()
		await frames(2)
	make(SCENE, TEXT)
	await open(SCENE)
	# As Godot writes it.
	await save()
	parts().problems.losses.remove_all()


func _found(held: String, before: String, after: String) -> Array:
	var found := []
	for loss: SaveLosses._Loss in OverwrittenLines.find(held.to_utf8_buffer(), before.to_utf8_buffer(), after.to_utf8_buffer()):
		found.append("%d-%d %s %s" % [loss.line, loss.last_line, loss.cause, loss.value])
	return found


func _banner() -> WarningBanner:
	return parts().newer_files.banner


## As when the editor's window gets the focus.
func _focus() -> void:
	EditorInterface.get_base_control().get_window().focus_entered.emit()


func _node(path: String) -> Node2D:
	return EditorInterface.get_edited_scene_root().get_node(path)


func _move(path: String, position: Vector2) -> void:
	_set_by_hand(_node(path), &"position", position)


## As the Inspector does.
func _set_by_hand(object: Object, property: StringName, value: Variant) -> void:
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("Set %s" % property, UndoRedo.MERGE_DISABLE, object)
	undo_redo.add_do_property(object, property, value)
	undo_redo.add_undo_property(object, property, object.get(property))
	undo_redo.commit_action()


func _edit() -> CodeEdit:
	return parts().rewriter.memory._OpenScripts.edit_of(SCRIPT)


## By keys, at the beginning of what the line returns.
func _type(edit: CodeEdit, line: int, text: String) -> void:
	EditorInterface.set_main_screen_editor("Script")
	await frames(2)
	edit.grab_focus()
	edit.set_caret_line(line)
	edit.set_caret_column("\treturn ".length())
	for letter: String in text:
		var key := InputEventKey.new()
		key.pressed = true
		key.unicode = letter.unicode_at(0)
		edit.get_viewport().push_input(key)
	await frames(2)
	edit.cancel_code_completion()
	check(edit.get_line(line).contains(text), "what was typed: %s" % edit.get_line(line))


func _restore(path: String) -> void:
	print("[expected errors")
	parts().panel.refresh_now()
	var tree := parts().panel.tree
	var item := tree.get_root()
	while item != null:
		if item.get_metadata(0) == losses_of(path):
			tree.button_clicked.emit(item, 0, LossRows._Action.RESTORE, MOUSE_BUTTON_LEFT)
			break
		item = item.get_next_in_tree()
	await frames(4)
	print("expected errors]")


func _rows() -> PackedStringArray:
	parts().panel.refresh_now()
	var rows: PackedStringArray = []
	var item := parts().panel.tree.get_root()
	while item != null:
		if item.get_metadata(0) is SaveLosses or item.get_metadata(0) is SaveLosses._Loss:
			rows.append(item.get_text(0))
		item = item.get_next_in_tree()
	return rows


func _has_button(parent: Node, text: String) -> bool:
	return parent.find_children("*", "Button", true, false).any(func(button: Button) -> bool:
		return button.text == text and button.visible)


func _press(parent: Node, text: String) -> void:
	for button: Button in parent.find_children("*", "Button", true, false):
		if button.text == text and button.visible:
			button.pressed.emit()
			return
	fail("there is no button %s" % text)
