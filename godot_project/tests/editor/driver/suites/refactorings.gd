@tool
extends "../suite.gd"
## Renames and moves with everything that names what is renamed: from the menus through the window into files and memory.

const Commands := preload("res://addons/fast_variant/editor/menus/commands.gd")
const RefactoringPlace := preload("res://addons/fast_variant/editor/refactoring/refactoring_place.gd")
const RefactoringWindow := preload("res://addons/fast_variant/editor/refactoring/refactoring_window.gd")
const ScriptSymbol := preload("res://addons/fast_variant/editor/refactoring/script_symbol.gd")

const FOLDER := "res://refactored"
const LAMP := FOLDER + "/lamp.gd"
const ROOM := FOLDER + "/room.tscn"
const HOUSE := FOLDER + "/house.tscn"
const GLOW := FOLDER + "/glow.gd"
const GLOW_TEXT := "extends Node\n\n\nfunc glow(thing: Variant) -> void:\n\tthing.power = 2\n"
const FIRST := FOLDER + "/first.gd"
const SECOND := FOLDER + "/a_second.gd"
const LAST := FOLDER + "/last.gd"
const LIGHTS := FOLDER + "/lights.tscn"
const OTHER := FOLDER + "/other.tscn"
const OTHER_TEXT := "[gd_scene format=3]\n\n[node name=\"Other\" type=\"Node\"]\n"
const LAMP_TEXT := """@tool
extends Node2D

signal lit

@export var power: int = 1


func light() -> void:
	power += 1
	($Bulb as Sprite2D).show()
	lit.emit()
"""
const ROOM_TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="res://refactored/lamp.gd" id="1"]

[node name="Room" type="Node2D"]
script = ExtResource("1")
power = 7

[node name="Bulb" type="Sprite2D" parent="."]
"""
const HOUSE_TEXT := """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://refactored/room.tscn" id="1"]

[node name="House" type="Node"]

[node name="Room" parent="." instance=ExtResource("1")]
power = 8

[node name="Bulb" parent="Room" index="0"]
visible = false
"""


func test_rename_property() -> void:
	await _make()
	await open(ROOM)
	await _select_in_script("power")
	parts().commands.actions[Commands._Command.RENAME].call()
	check(_window().visible, "the window is open")
	await _type("strength")
	check(_window().message().begins_with("4 places in 3 files"), _window().message())
	await _apply()
	check(read(ROOM).contains("strength = 7"), read(ROOM))
	check(read(HOUSE).contains("strength = 8"), read(HOUSE))
	check_equal(read(LAMP), LAMP_TEXT.replace("power", "strength"), "the script")
	check_equal(EditorInterface.get_edited_scene_root().get("strength"), 7, "the value in the open scene")
	check_equal(_script_text(), read(LAMP), "the text in the script editor")
	await undo()
	await _idle()
	_check_untouched("after undo")
	check_equal(EditorInterface.get_edited_scene_root().get("power"), 7, "the value after undo")
	check_equal(_script_text(), LAMP_TEXT, "the script editor after undo")
	await redo()
	await _idle()
	check(read(ROOM).contains("strength = 7"), "after redo")
	await undo()
	await _idle()
	_check_untouched("after the second undo")


## The key says what it needs where there is nothing to rename.
func test_nothing_to_rename() -> void:
	await _make()
	await open(ROOM)
	EditorInterface.set_main_screen_editor("2D")
	EditorInterface.get_selection().clear()
	await _press_rename("Select one node of a saved scene")
	await _select_in_script("Bulb")
	await _press_rename("Cannot rename Bulb here")
	var edit := EditorInterface.get_script_editor().get_current_editor().get_base_editor() as CodeEdit
	edit.set_caret_line(2)
	await _press_rename("Put the caret on the name")
	check(not _window().visible, "no window is opened")


## Also while a script is in sight.
func test_the_focus_decides_what_is_renamed() -> void:
	await _make()
	await open(ROOM)
	await _select_in_script("power")
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(EditorInterface.get_edited_scene_root().get_node("Bulb"))
	await frames(2)
	var dock := EditorInterface.get_base_control().find_children("*", "SceneTreeDock", true, false)[0]
	var tree: Tree = dock.find_children("*", "Tree", true, false)[0]
	tree.grab_focus()
	check(tree.has_focus(), "the Scene dock has the focus")
	await _press_rename("")
	check(_window().visible and _window()._subject.text.contains("Bulb"), "the node: %s" % _window()._subject.text)
	_window().hide()
	(EditorInterface.get_script_editor().get_current_editor().get_base_editor() as CodeEdit).grab_focus()
	await _press_rename("")
	check(_window().visible and _window()._subject.text.contains("power"), "the word at the caret: %s" % _window()._subject.text)
	_window().hide()
	EditorInterface.set_main_screen_editor("2D")


## From the script editor, where the keys of undo take back what was typed, and no more.
func test_undo_in_a_toast() -> void:
	await _make()
	await open(ROOM)
	await _select_in_script("power")
	parts().commands.actions[Commands._Command.RENAME].call()
	await _type("strength")
	await _apply()
	await _press_undo_in_script()
	check_equal(_script_text(), LAMP_TEXT.replace("power", "strength"), "the script after an undo of text")
	check_equal(read(LAMP), _script_text(), "its file")
	await press_in_toast("Rename", "Undo")
	await _idle()
	_check_untouched("after Undo in the toast")
	check_equal(EditorInterface.get_edited_scene_root().get("power"), 7, "the value in the open scene")
	check_equal(_script_text(), LAMP_TEXT, "the script in its editor")
	await press_in_toast("Undone", "Redo")
	await _idle()
	check(read(ROOM).contains("strength = 7") and read(HOUSE).contains("strength = 8"), "after Redo in the toast")
	await press_in_toast("Done again", "Undo")
	await _idle()
	_check_untouched("after the second Undo in the toast")
	await undo()
	await _idle()
	_check_untouched("after an undo of the step that is undone")
	# The editor has passed over it, and has undone the step before if there is one.
	for round_: int in 2:
		await redo()
		await _idle()
	check(read(ROOM).contains("strength = 7") and read(HOUSE).contains("strength = 8"), "after redo")
	await undo()
	await _idle()
	_check_untouched("in the end")


## The undo of the step before does not come instead, however often it is tried.
func test_a_refused_step_stays() -> void:
	await _make()
	await open(ROOM)
	make(OTHER, OTHER_TEXT)
	var earlier := OTHER_TEXT.replace("Other", "Earlier")
	check_equal(parts().repairs.replace("Earlier Step", OTHER, OTHER_TEXT.to_utf8_buffer(), earlier), "", "the step before")
	await _idle()
	await _rename("power", "strength")
	await _select_in_script("strength")
	var edit := EditorInterface.get_script_editor().get_current_editor().get_base_editor() as CodeEdit
	edit.insert_text_at_caret("x")
	for attempt: int in 2:
		await undo()
		await _idle()
		check(read(HOUSE).contains("strength = 8"), "attempt %d was refused" % attempt)
		check(read(OTHER) == earlier, "attempt %d took nothing else back" % attempt)
	check(toast_with("The step stays") != null, "it is said why")
	await _press_undo_in_script()
	check_equal(_script_text(), read(LAMP), "what was typed is undone")
	await undo()
	await _idle()
	check(read(HOUSE).contains("power = 8") and read(OTHER) == earlier, "the step is undone: %s" % read(HOUSE))
	await redo()
	await _idle()
	check(read(HOUSE).contains("strength = 8"), "and done again")
	edit.insert_text_at_caret("x")
	await undo()
	await _idle()
	await press_in_toast("nothing was changed", "Skip")
	await _idle()
	check(read(HOUSE).contains("strength = 8"), "nothing is undone yet")
	await _press_undo_in_script()
	await undo()
	await _idle()
	check(read(HOUSE).contains("strength = 8"), "the step was passed over")
	check(read(OTHER) == OTHER_TEXT, "the one before is undone")
	await redo()
	await _idle()
	check(read(OTHER) == earlier, "the one before is done again")
	await redo()
	await _idle()
	for round_: int in 2:
		await undo()
		await _idle()
	_check_untouched("in the end")
	check_equal(read(OTHER), OTHER_TEXT, "the file of the step before")
	await remove([OTHER])


## An edit of a scene that is newer comes first; while it is unsaved, the refactoring waits.
func test_undo_after_an_edit_of_a_scene() -> void:
	await _make()
	await open(ROOM)
	# As Godot writes it, so that a later save changes no other line.
	await save()
	await _rename("power", "strength")
	var root := EditorInterface.get_edited_scene_root()
	_move_by_hand(root)
	await save()
	await undo()
	await frames(2)
	check_equal(root.get(&"position"), Vector2(), "the edit is undone first")
	check(read(ROOM).contains("strength = 7"), "the refactoring is still there")
	await undo()
	await _idle()
	check(read(HOUSE).contains("strength = 8"), "it is refused while the scene is unsaved")
	await save()
	await undo()
	await _idle()
	check(read(ROOM).contains("power = 7") and read(HOUSE).contains("power = 8"), "it is undone: %s" % read(ROOM))
	check_equal(EditorInterface.get_edited_scene_root().get("power"), 7, "the value in the open scene")
	await save()
	check(read(ROOM).contains("power = 7"), "the next save drops nothing: %s" % read(ROOM))
	await redo()
	await _idle()
	check(read(ROOM).contains("strength = 7") and read(LAMP).contains("strength"), "after redo: %s" % read(ROOM))
	await undo()
	await _idle()
	check(read(ROOM).contains("power = 7"), "after the last undo")
	EditorInterface.close_scene()
	write(ROOM, ROOM_TEXT)
	_check_untouched("in the end")


## Somebody has taken back, or done again, a part of it by hand.
func test_what_is_undone_already() -> void:
	await _make()
	await open(ROOM)
	await _rename("power", "strength")
	var with_new_name := read(LAMP)
	write(LAMP, LAMP_TEXT)
	await undo()
	await _idle()
	_check_untouched("after undo")
	write(LAMP, with_new_name)
	await redo()
	await _idle()
	check(read(ROOM).contains("strength = 7") and read(LAMP) == with_new_name, "after redo")
	write(LAMP, LAMP_TEXT)
	var house := read(HOUSE)
	write(HOUSE, house.replace("strength = 8", "strength = 9"))
	await undo()
	await _idle()
	check_equal(read(LAMP), LAMP_TEXT, "the script is not touched by what is refused")
	check(read(ROOM).contains("strength = 7"), "nor is anything else")
	write(HOUSE, house)
	await undo()
	await _idle()
	_check_untouched("in the end")


## As if the editor had died before it wrote the last file: asking for the next refactoring finishes it.
func test_what_was_interrupted() -> void:
	await _make()
	await open(ROOM)
	parts().refactorings.rename_symbol(ScriptSymbol.of(load(LAMP) as Script, "power") as ScriptSymbol)
	await _type("strength")
	await _apply()
	var journal := DirAccess.open("res://.godot/gdscene")
	check_equal(journal.rename("last", "pending"), OK, "the journal, as while files change")
	write(HOUSE, HOUSE_TEXT)
	parts().refactorings.rename_symbol(ScriptSymbol.of(load(LAMP) as Script, "lit") as ScriptSymbol)
	await _idle()
	check(read(HOUSE).contains("strength = 8"), "it is finished: %s" % read(HOUSE))
	await _type("shone")
	check(not _window().get_ok_button().disabled, "the next one can be done: %s" % _window().message())
	_window().get_cancel_button().pressed.emit()
	await undo()
	await _idle()
	_check_untouched("after undo")


## A journal that came with the project says what a stranger wants.
func test_the_journal_of_a_stranger() -> void:
	await _make()
	await open(ROOM)
	DirAccess.make_dir_recursive_absolute("res://.godot/gdscene/pending/kept")
	write("res://.godot/gdscene/pending/journal", "gdsjrn02" + "x".repeat(60))
	var outside := ProjectSettings.globalize_path("user://outside_of_the_project")
	DirAccess.make_dir_absolute(outside)
	var last := DirAccess.open("res://.godot/gdscene")
	if last.dir_exists("last"):
		check_equal(last.rename("last", "last_before"), OK, "the last refactoring is put away")
	last.make_dir("last")
	check_equal(last.create_link(outside, "last/kept"), OK, "a link out of the project")
	parts().refactorings.rename_symbol(ScriptSymbol.of(load(LAMP) as Script, "power") as ScriptSymbol)
	await _idle()
	await _type("strength")
	check(_window().get_ok_button().disabled, "nothing can be done before it is gone")
	check(_window().message().contains("was not written by your gdscene"), _window().message())
	_window().get_cancel_button().pressed.emit()
	_check_untouched("beside the journal of a stranger")
	check(FileAccess.file_exists("res://.godot/gdscene/pending/journal"), "it is left alone")
	check_equal(DirAccess.get_files_at(outside).size(), 0, "files outside of the project")
	for path: String in ["pending/journal", "pending/kept", "pending", "last/kept", "last"]:
		check_equal(last.remove(path), OK, "remove %s" % path)
	if last.dir_exists("last_before"):
		last.rename("last_before", "last")
	DirAccess.remove_absolute(outside)


func test_errors_live() -> void:
	await _make()
	parts().refactorings.rename_symbol(ScriptSymbol.of(load(LAMP) as Script, "power") as ScriptSymbol)
	check(_window().get_ok_button().disabled, "nothing is typed yet")
	await _type("light")
	check(_window().get_ok_button().disabled, "a name that is taken")
	check(_window().message().contains("light"), _window().message())
	_window().type("stren")
	check(_window().is_planning() and _window().get_ok_button().disabled, "it is planned in the background")
	await _type("strength")
	check(not _window().get_ok_button().disabled, "a good name: %s" % _window().message())
	_window().type("stronger")
	_window().get_cancel_button().pressed.emit()
	await until(func() -> bool: return not _window().visible and not _window().is_planning(), "it is cancelled")
	_check_untouched("after cancel")


## A place that may be meant is shown with its line, and is changed if the user checks it.
func test_a_place_to_look_at() -> void:
	await _make()
	make(GLOW, GLOW_TEXT)
	await _select_in_script("power")
	parts().commands.actions[Commands._Command.RENAME].call()
	await _type("strength")
	# Those of this suite are about other things.
	var doubts := _window()._refactoring.doubts
	var of_file := doubts.filter(func(doubt: RefactoringPlace) -> bool: return doubt.path == GLOW)
	check_equal(of_file.size(), 1, "the places to look at in the script")
	var glow: RefactoringPlace = of_file[0]
	var row: TreeItem = _window().tree._doubt_rows[glow.number]
	check(not row.is_checked(0) and row.get_text(1) == "thing.power = 2", "the row: %s" % row.get_text(1))
	check_equal(glow.after, "thing.strength = 2", "the line afterwards")
	check_equal(_window().message(), "4 places in 3 files, %d to look at." % doubts.size(), "the summary")
	_window().tree.check_doubt(glow.number, true)
	check(row.get_parent().is_indeterminate(0), "the box of the group")
	check_equal(_window().message(), "5 places in 4 files, %d to look at." % (doubts.size() - 1), "the summary with it")
	await _apply()
	check_equal(read(GLOW), GLOW_TEXT.replace("power", "strength"), "the script with the place")
	await undo()
	await _idle()
	check_equal(read(GLOW), GLOW_TEXT, "the script after undo")
	_check_untouched("after undo")
	await remove([GLOW])


func test_what_is_unchecked_stays() -> void:
	await _make()
	parts().refactorings.rename_symbol(ScriptSymbol.of(load(LAMP) as Script, "power") as ScriptSymbol)
	await _type("strength")
	_window().tree.check_place(0, false)
	check(_window().message().contains("1 unchecked"), _window().message())
	await _apply()
	check(read(HOUSE).contains("power = 8"), "the unchecked place: %s" % read(HOUSE))
	check(read(ROOM).contains("strength = 7"), "the others")
	await undo()
	await _idle()
	_check_untouched("after undo")


## Godot reads a changed script with those that it extends: it must hear of them first, or it logs errors.
func test_scripts_that_extend_each_other() -> void:
	await _make()
	write(LAST, "class_name RefactoredLast\nextends Node\n\n@export var power: int = 1\n")
	write(FIRST, "class_name RefactoredFirst\nextends RefactoredLast\n\n\nfunc more() -> int:\n\treturn power + 1\n")
	write(SECOND, "extends \"first.gd\"\n\n\nfunc most() -> int:\n\treturn power + more()\n")
	write(LIGHTS, "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"%s\" id=\"1\"]\n\n" % SECOND
			+ "[node name=\"Lights\" type=\"Node\"]\nscript = ExtResource(\"1\")\npower = 5\n")
	await scan()
	await settled()
	await open(LIGHTS)
	for names: PackedStringArray in [["power", "strength"], ["strength", "power"]]:
		parts().refactorings.rename_symbol(ScriptSymbol.of(load(LAST) as Script, names[0]) as ScriptSymbol)
		await _type(names[1])
		await _apply()
		check_equal(EditorInterface.get_edited_scene_root().get(names[1]), 5, "the value of %s" % names[1])
	await undo()
	await _idle()
	check_equal(EditorInterface.get_edited_scene_root().get("strength"), 5, "the value after undo")
	EditorInterface.close_scene()


func test_unsaved_edits_are_kept() -> void:
	await _make()
	await open(ROOM)
	var root := EditorInterface.get_edited_scene_root()
	var history := parts().rewriter.undo_redo
	history.create_action("Move", UndoRedo.MERGE_DISABLE, root)
	history.add_do_property(root, &"position", Vector2(3, 4))
	history.add_undo_property(root, &"position", root.get(&"position"))
	history.commit_action()
	parts().refactorings.rename_node(ROOM, "Bulb")
	await _type("Light")
	_window().get_ok_button().pressed.emit()
	await frames(2)
	check(_window().visible and _window().message().contains("not saved"), _window().message())
	_check_untouched("with unsaved edits")
	check_equal(root.get(&"position"), Vector2(3, 4), "the edit")
	_window().hide()
	await undo()
	await frames(3)


func test_rename_node() -> void:
	await _make()
	await open(ROOM)
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(EditorInterface.get_edited_scene_root().get_node("Bulb"))
	EditorInterface.set_main_screen_editor("2D")
	await frames(2)
	parts().commands.actions[Commands._Command.RENAME].call()
	await _type("Light")
	await _apply()
	check(read(HOUSE).contains("[node name=\"Light\" parent=\"Room\""), read(HOUSE))
	check(read(LAMP).contains("$Light as Sprite2D"), read(LAMP))
	check(EditorInterface.get_edited_scene_root().has_node("Light"), "the node in the open scene")
	await undo()
	await _idle()
	_check_untouched("after undo")
	check(EditorInterface.get_edited_scene_root().has_node("Bulb"), "the node after undo")


func test_move_with_references() -> void:
	await _make()
	await open(ROOM)
	await choose_for_file(LAMP, "Move with References...")
	await _type(FOLDER + "/parts/torch.gd")
	await _apply()
	check(not FileAccess.file_exists(LAMP), "the old place is free")
	check(read(ROOM).contains("path=\"res://refactored/parts/torch.gd\""), read(ROOM))
	var script: Script = EditorInterface.get_edited_scene_root().get_script()
	check_equal(script.resource_path, FOLDER + "/parts/torch.gd", "the script that the open scene has")
	await undo()
	await _idle()
	_check_untouched("after undo")
	script = EditorInterface.get_edited_scene_root().get_script()
	check_equal(script.resource_path, LAMP, "the script after undo")
	await choose_for_file(ROOM, "Move with References...")
	await _type(FOLDER + "/hall.tscn")
	await _apply()
	check_equal(edited_path(), FOLDER + "/hall.tscn", "the open scene has moved")
	check(read(HOUSE).contains("hall.tscn"), read(HOUSE))
	await undo()
	await _idle()
	_check_untouched("after undo of a moved scene")
	check_equal(edited_path(), ROOM, "the open scene has moved back")


func test_symbols() -> void:
	await _make()
	var script: Script = load(LAMP)
	var kinds: Dictionary[String, String] = {"power": "Variable", "light": "Method", "lit": "Signal"}
	for word: String in kinds:
		var symbol := ScriptSymbol.of(script, word) as ScriptSymbol
		check(symbol != null and symbol.describe() == "%s %s of %s" % [kinds[word], word, LAMP], word)
	for word: String in ["show", "func", "Bulb", "", "1"]:
		check(ScriptSymbol.of(script, word) == null, "%s is nothing that can be renamed" % word)


func _rename(old: String, new: String) -> void:
	parts().refactorings.rename_symbol(ScriptSymbol.of(load(LAMP) as Script, old) as ScriptSymbol)
	await _type(new)
	await _apply()


func _move_by_hand(root: Node) -> void:
	var history := parts().rewriter.undo_redo
	history.create_action("Move", UndoRedo.MERGE_DISABLE, root)
	history.add_do_property(root, &"position", Vector2(3, 4))
	history.add_undo_property(root, &"position", root.get(&"position"))
	history.commit_action()


## Waits for a toast with these words, if there are any.
func _press_rename(words: String) -> void:
	await frames(2)
	check(words.is_empty() or toast_with(words) == null, "no such toast yet: %s" % words)
	var event := InputEventKey.new()
	event.keycode = KEY_F2
	event.alt_pressed = true
	event.shift_pressed = true
	event.pressed = true
	get_viewport().push_input(event)
	await frames(2)
	if not words.is_empty():
		await until(func() -> bool: return toast_with(words) != null, "the toast with %s" % words)


func _press_undo_in_script() -> void:
	var edit := EditorInterface.get_script_editor().get_current_editor().get_base_editor() as CodeEdit
	EditorInterface.set_main_screen_editor("Script")
	edit.grab_focus()
	await frames(1)
	var event := InputEventKey.new()
	event.keycode = KEY_Z
	event.ctrl_pressed = true
	event.pressed = true
	edit.get_viewport().push_input(event)
	await frames(2)


## Null if no toast says so.
func _window() -> RefactoringWindow:
	return parts().refactorings.window


func _type(new_name: String) -> void:
	_window().type(new_name)
	await until(func() -> bool: return not _window().is_planning(), "the plan for %s" % new_name)


func _apply() -> void:
	_window().get_ok_button().pressed.emit()
	await frames(2)
	check(not _window().visible, "the window is closed: %s" % _window().message())
	await _idle()


func _idle() -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	await frames(3)
	await until(func() -> bool:
		return not file_system.is_scanning() and not parts().rewriter.is_working(), "the editor knows the files")
	await frames(5)


func _select_in_script(word: String) -> void:
	EditorInterface.edit_script(load(LAMP) as Script)
	EditorInterface.set_main_screen_editor("Script")
	await until(func() -> bool: return EditorInterface.get_script_editor().get_current_script() != null, "the script is open")
	var edit := EditorInterface.get_script_editor().get_current_editor().get_base_editor() as CodeEdit
	var at := edit.search(word, TextEdit.SEARCH_WHOLE_WORDS, 0, 0)
	edit.set_caret_line(at.y)
	edit.set_caret_column(at.x + 1)
	await frames(2)


func _script_text() -> String:
	return (EditorInterface.get_script_editor().get_current_editor().get_base_editor() as CodeEdit).text


func _check_untouched(when: String) -> void:
	check_equal(read(LAMP), LAMP_TEXT, "the script %s" % when)
	check_equal(read(ROOM), ROOM_TEXT, "the scene %s" % when)
	check_equal(read(HOUSE), HOUSE_TEXT, "the other scene %s" % when)


func _make() -> void:
	close_dialogs_of_godot()
	if FileAccess.file_exists(LAMP):
		return
	write(LAMP, LAMP_TEXT)
	write(ROOM, ROOM_TEXT)
	write(HOUSE, HOUSE_TEXT)
	await scan()
	await settled()
