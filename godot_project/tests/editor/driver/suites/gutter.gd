@tool
extends "../suite.gd"
## What the linter finds in scripts, in a gutter of the script editor.

const OpenScripts := preload("res://addons/fast_variant/editor/writing/open_scripts.gd")
const ScriptGutter := preload("res://addons/fast_variant/editor/problems/script_gutter.gd")

const GUTTER := "fast_variant_findings"
const PLUGIN := "fast_variant"
const SCRIPT := "res://gutter/loader.gd"
const OTHER := "res://gutter/other.gd"
const MISSING: PackedStringArray = ["res://gutter/gone.tres", "res://gutter/lost.tres"]
const TEXT := """extends Node


func first() -> void:
	pass


func second() -> void:
	load("res://gutter/gone.tres")
	load("res://gutter/lost.tres")
"""


func test_findings_are_marked() -> void:
	make(SCRIPT, TEXT)
	make(OTHER, "extends Node\n")
	await scan()
	await settled()
	check_equal(codes_in(SCRIPT), PackedStringArray(["SCR002", "SCR002"]), "diagnostics")
	# The panel would cover the lines.
	var driver: EditorPlugin = get_parent()
	driver.hide_bottom_panel()
	EditorInterface.set_main_screen_editor("Script")
	await _open(OTHER)
	await _open(SCRIPT)
	await until(func() -> bool: return _marks() == [8, 9], "both lines are marked")
	check_equal(_gutters(_edit()), 1, "gutters of the script")
	check(_icon(8) == EditorInterface.get_editor_theme().get_icon(&"StatusWarning", &"EditorIcons"), "the icon is that of a warning")
	check(_icon(7) == null, "other lines have none")
	check_equal(_gutters(_other_edit()), 0, "gutters of a script without findings")


## The script editor itself has tooltips for words only.
func test_the_tooltip_is_the_message() -> void:
	var gutter := ScriptGutter.of(_edit()) as ScriptGutter
	var rect := _edit().get_rect_at_line_column(8, 0)
	var at := Vector2(gutter.get_global_rect().get_center().x, _edit().get_global_rect().position.y + rect.get_center().y)
	var hovered := _move_mouse(at)
	check_equal(hovered, gutter, "what the mouse is on")
	var tooltip := gutter.get_tooltip(at - gutter.get_global_rect().position)
	check(tooltip.begins_with("SCR002: file `res://gutter/gone.tres` not found in the project\n"), "the tooltip: %s" % tooltip)
	var below := _edit().get_rect_at_line_column(_edit().get_line_count() - 1, 0).end.y + 4.0 * _edit().get_line_height()
	check_equal(gutter.get_tooltip(Vector2(2, below)), "", "the tooltip below the text")
	check_equal(_move_mouse(at + Vector2(60, 0)), _edit(), "what the mouse is on next to the gutter")


func test_a_click_leads_to_the_problem() -> void:
	parts().panel.tree.deselect_all()
	parts().panel.filter.clear()
	var gutter := ScriptGutter.of(_edit()) as ScriptGutter
	click_at(_edit(), Vector2(gutter.position.x + gutter.size.x / 2, _edit().get_rect_at_line_column(9, 0).get_center().y))
	await frames(3)
	var selected := parts().panel.tree.selected_diagnostic()
	check(selected != null and selected.message.contains("lost.tres"), "the selected problem: %s" % selected)


## A mark goes with its line at once, and what is typed is checked a moment later.
func test_marks_follow_the_text() -> void:
	await _type_at(3, 0, KEY_ENTER)
	check_equal(_marks(), [9, 10], "a line above")
	await _type_at(9, 0, KEY_ENTER)
	check_equal(_marks(), [10, 11], "a line right before it")
	await until(func() -> bool: return _is_checked(), "the text was checked")
	check_equal(_marks(), [10, 11], "after the check")
	# Not saved: the file has the old text.
	_edit().set_line(10, "	load(\"res://gutter/loader.gd\")")
	await until(func() -> bool: return _marks() == [11], "what is mended in the text has no mark")
	check_equal(codes_in(SCRIPT).size(), 2, "diagnostics of the file")
	parts().checker.check(SCRIPT, false)
	await frames(3)
	check_equal(_marks(), [11], "findings of the file are not those of the text")
	for step: int in 3:
		_edit().undo()
	await until(func() -> bool: return _marks() == [8, 9], "after undo")
	check(not OpenScripts.is_edited(SCRIPT), "the text is that of the file")


func test_saved_and_reloaded_texts() -> void:
	await _type_at(0, 0, KEY_ENTER)
	check_equal(_marks(), [9, 10], "a line above")
	await _choose("Save")
	await until(func() -> bool: return read(SCRIPT) == "\n" + TEXT, "the script is saved")
	await settled()
	check_equal(_marks(), [9, 10], "after a save")
	check_equal(parts().problems.diagnostics_of(SCRIPT)[0].line, 10, "the line in the panel")
	make(SCRIPT, TEXT)
	OpenScripts.refresh(SCRIPT)
	check_equal(_edit().text, TEXT, "the script editor has the text of another program")
	await settled()
	await until(func() -> bool: return _marks() == [8, 9], "the marks of that text")


func test_a_script_that_is_opened_twice() -> void:
	for round_: int in 2:
		await _open(SCRIPT)
		await _open(OTHER)
	await _open(SCRIPT)
	check_equal([_gutters(_edit()), _gutters(_other_edit())], [1, 0], "gutters")
	await _choose("Close")
	check(_edit() == null, "the script is closed")
	await _open(SCRIPT)
	await until(func() -> bool: return _marks() == [8, 9], "the script that was opened again is marked")
	check_equal(_gutters(_edit()), 1, "gutters after it was opened again")


func test_switched_off_and_on() -> void:
	var settings := EditorInterface.get_editor_settings()
	settings.set_setting(Settings.SCRIPT_MARKS, false)
	await until(func() -> bool: return _gutters(_edit()) == 0, "no gutter is there")
	settings.set_setting(Settings.SCRIPT_MARKS, true)
	await until(func() -> bool: return _gutters(_edit()) == 1 and _marks() == [8, 9], "it is there again")
	var own := _edit().get_gutter_count() - 1
	for round_: int in 2:
		EditorInterface.set_plugin_enabled(PLUGIN, false)
		await frames(5)
		check_equal([_gutters(_edit()), _edit().get_gutter_count()], [0, own], "gutters without the addon")
		check_equal(_edit().find_children("*", "Control", false, false).filter(func(node: Node) -> bool: return node is ScriptGutter), [], "nothing lies over the text")
		EditorInterface.set_plugin_enabled(PLUGIN, true)
		await frames(5)
		await settled()
		await until(func() -> bool: return _gutters(_edit()) == 1 and _marks() == [8, 9], "it is there again")


## Godot cannot take a gutter away from a text with few lines.
func test_a_short_script() -> void:
	await _open(OTHER)
	make(OTHER, "extends Node\nfunc a() -> void: load(\"res://gutter/gone.tres\")")
	OpenScripts.refresh(OTHER)
	await settled()
	await until(func() -> bool: return _gutters(_other_edit()) == 1, "a line is marked")
	for is_on: bool in [false, true, false, true]:
		EditorInterface.set_plugin_enabled(PLUGIN, is_on)
		await frames(5)
		if is_on:
			await settled()
		check_equal(_other_edit().is_gutter_drawn(_index_in(_other_edit())), is_on, "the gutter is in sight")
		check_equal(_gutters(_other_edit()), 1, "gutters")
		check_equal(_other_edit().get_line_gutter_icon(1, _index_in(_other_edit())) != null, is_on, "the line is marked")
	await _choose("Close")


func test_excluded_folders_and_mended_files() -> void:
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray(["res://gutter"]))
	await until(func() -> bool: return _gutters(_edit()) == 0, "an excluded folder has no marks")
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray(["res://addons"]))
	await settled()
	await until(func() -> bool: return _marks() == [8, 9], "the marks are there again")
	# The script itself stays as it is.
	for path: String in MISSING:
		make(path, "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n")
	await scan()
	await settled()
	await until(func() -> bool: return _marks() == [], "nothing is marked when nothing is missing")
	while _edit() != null or _other_edit() != null:
		await _choose("Close")
	await remove(PackedStringArray([SCRIPT, SCRIPT + ".uid", OTHER, OTHER + ".uid"]) + MISSING)
	await settled()
	EditorInterface.set_main_screen_editor("2D")


func _open(path: String) -> void:
	EditorInterface.edit_script(load(path) as Script)
	await until(func() -> bool: return EditorInterface.get_script_editor().get_current_script().resource_path == path, "%s is open" % path)
	await frames(5)


## In the menu of the script editor, for the script at the front.
func _choose(entry: String) -> void:
	for button: MenuButton in EditorInterface.get_script_editor().find_children("*", "MenuButton", true, false):
		var menu := button.get_popup()
		for index: int in menu.item_count:
			if menu.get_item_text(index) == entry:
				menu.id_pressed.emit(menu.get_item_id(index))
				await frames(5)
				return
	fail("the script editor has no entry %s" % entry)


func _edit() -> CodeEdit:
	return OpenScripts.edit_of(SCRIPT)


func _other_edit() -> CodeEdit:
	return OpenScripts.edit_of(OTHER)


## The lines with an icon, from 0.
func _marks() -> Array:
	var lines := []
	for line: int in _edit().get_line_count():
		if _icon(line) != null:
			lines.append(line)
			check(not (ScriptGutter.of(_edit()) as ScriptGutter).findings_in(line).is_empty(), "line %d has findings" % line)
	return lines


func _icon(line: int) -> Texture2D:
	return _edit().get_line_gutter_icon(line, _index_in(_edit())) if _index_in(_edit()) >= 0 else null


func _gutters(edit: CodeEdit) -> int:
	var count := 0
	for index: int in edit.get_gutter_count():
		count += int(edit.get_gutter_name(index) == GUTTER)
	return count


func _index_in(edit: CodeEdit) -> int:
	for index: int in edit.get_gutter_count():
		if edit.get_gutter_name(index) == GUTTER:
			return index
	return -1


func _is_checked() -> bool:
	var gutter := ScriptGutter.of(_edit()) as ScriptGutter
	return not gutter._marked.is_empty() and gutter._marked[0] != parts().problems.diagnostics_of(SCRIPT)[0]


## With the keyboard, at a place that counts from 0.
func _type_at(line: int, column: int, key: Key) -> void:
	_edit().grab_focus()
	_edit().set_caret_line(line)
	_edit().set_caret_column(column)
	press_key(_edit().get_viewport(), key)
	await frames(1)


## Returns the control that is there.
func _move_mouse(to: Vector2) -> Control:
	var viewport := _edit().get_viewport()
	viewport.notification(Node.NOTIFICATION_VP_MOUSE_ENTER)
	var event := InputEventMouseMotion.new()
	event.position = to
	event.global_position = to
	viewport.push_input(event, true)
	return viewport.gui_get_hovered_control()
