@tool
extends "../suite.gd"
## The window on the text of a scene: what the user typed is never lost without a question, and what was found is marked.

const TextCheck := preload("res://addons/fast_variant/editor/text/text_check.gd")
const TextEditor := preload("res://addons/fast_variant/editor/text/text_editor.gd")
const TextSource := preload("res://addons/fast_variant/editor/text/text_source.gd")
const TextWindow := preload("res://addons/fast_variant/editor/text/text_window.gd")

const PATH := "res://text/wreck.tscn"
const OTHER := "res://text/other.tscn"
const LARGE := "res://text/large.tscn"
## Two findings: lines 5 and 9, counted from 1.
const TEXT := """[gd_scene format=3]

[node name="Root" type="Node"]
process_priority = 7
script = ExtResource("gone")

[node name="Child" type="Node" parent="."]
process_priority = 8
script = ExtResource("lost")
"""


func test_a_finding_is_shown() -> void:
	await _open(5, 10)
	check_equal(_window().editor.text, TEXT, "the text")
	check_equal(_window().editor.get_caret_line(), 4, "the line, from 0")
	check_equal(_window().editor.get_caret_column(), 9, "the column, from 0")
	check_equal(_window().editor.findings_in(4).size(), 1, "marks in the line")
	check(_window().editor.get_line_background_color(4).a > 0.0, "the line has a colour")
	check_equal(_window().editor.get_line_background_color(3).a, 0.0, "the colour of another line")
	check(_window().findings_bar.is_visible_in_tree(), "the message is shown")
	check_equal(_window().findings_bar.code.text, "REF001", "the rule")
	check(_window().findings_bar.message.text.contains("gone"), "the message: %s" % _window().findings_bar.message.text)
	check_equal(_window().findings_bar.count.text, "1 of 2", "the count")
	var at := _window().editor.get_rect_at_line_column(4, 3).get_center()
	check(_window().editor.get_tooltip(at).begins_with("REF001: "), "the tooltip: %s" % _window().editor.get_tooltip(at))


func test_the_first_text_cannot_be_undone() -> void:
	await _open(1, 1)
	check(not _window().editor.has_undo(), "there is nothing to undo")
	_window().editor.undo()
	check_equal(_window().editor.text, TEXT, "the text")


func test_keys_lead_through_the_findings() -> void:
	await _open(1, 1)
	var visited: PackedInt32Array = []
	for shift: bool in [false, false, false, true, true]:
		_press(KEY_F8, false, shift)
		visited.append(_window().editor.get_caret_line() + 1)
	check_equal(visited, PackedInt32Array([5, 9, 5, 9, 5]), "lines")


## Before it is saved. The panel shows what is wrong in the file.
func test_a_text_is_checked_while_it_is_typed() -> void:
	await _open(4, 1)
	_press(KEY_END)
	await _type_keys("x")
	await until(func() -> bool: return _window().editor.findings_in(3).size() > 0, "the finding in what was typed")
	check(_window().findings_bar.code.text.begins_with("SYN"), "the finding at the caret: %s" % _window().findings_bar.code.text)
	check(_window().has_unsaved_text(), "nothing is saved")
	check_equal(read(PATH), TEXT, "the file")
	check_equal(codes_in(PATH), PackedStringArray(["REF001", "REF001"]), "what the panel shows")
	_press(KEY_BACKSPACE)
	await until(func() -> bool: return _window().editor.findings_in(3).is_empty(), "no finding any more")
	check_equal(_window().editor.findings().size(), 2, "the others")
	# A rule for projects: the linter knows what the text is of.
	_type(2, "[ext_resource type=\"Texture2D\" path=\"res://text/gone.png\" id=\"1\"]\n")
	await until(func() -> bool: return _codes_in(2).has("RES001"), "the missing file")
	_discard()


## What is typed while a check runs is checked after it.
func test_the_last_text_counts() -> void:
	await _open(1, 1)
	var check_of_text: TextCheck = _window().find_children("*", "", false, false).filter(
		func(node: Node) -> bool: return node is TextCheck
	)[0]
	_type(3, "broken\n")
	check_of_text._timer.timeout.emit()
	check(check_of_text._job != null, "a check runs")
	_window().editor.remove_line_at(3)
	check_of_text.check_soon(PATH, check_of_text._source)
	check_of_text._timer.stop()
	check_of_text._timer.timeout.emit()
	await until(func() -> bool: return check_of_text._job == null and not check_of_text._is_due, "the checks are over")
	check_equal(_window().editor.findings().size(), 2, "the findings of the last text")
	check_of_text.stop()
	_discard()


## A mark stays at its line when lines are inserted above.
func test_marks_move_with_their_lines() -> void:
	await _open(1, 1)
	_type(0, "; one\n; two\n")
	_press(KEY_F8)
	check_equal(_window().editor.get_caret_line() + 1, 7, "the line of the first finding")
	_discard()


func test_a_far_place_is_in_sight_at_once() -> void:
	var line := "metadata/x = \"%s\"\n" % "far away ".repeat(80)
	make(PATH, TEXT + line.repeat(300))
	_window().open(PATH, 200, 600)
	# An editor without a window has a screen of no size, so the window is as small as its contents allow.
	_window().size = Vector2i(800, 500)
	await until(_is_in_sight.bind(199, 600), "the place is in sight")
	_window().close()
	make(PATH, TEXT)


func test_typed_text_is_asked_for() -> void:
	await _open(1, 1)
	_type(0, "; mine\n")
	for close: Callable in [_press.bind(KEY_ESCAPE), func() -> void: _window().close_requested.emit()]:
		close.call()
		check(_window().visible and _window().question.visible, "the question is asked")
		_window().question.get_cancel_button().pressed.emit()
		await frames(2)
		check(_window().visible and not _window().question.visible, "cancelled")
		check_equal(_window().editor.text, "; mine\n" + TEXT, "the text")
	check_equal(read(PATH), TEXT, "the file")
	_window().close()
	_window().question.custom_action.emit("discard")
	check(not _window().visible, "discarded")
	check_equal(read(PATH), TEXT, "the file after it was discarded")


func test_another_file_asks_and_saves() -> void:
	make(OTHER, TEXT.replace("7", "9"))
	await _open(1, 1)
	_type(0, "; mine\n")
	_window().open(OTHER, 4, 1)
	check(_window().question.visible, "the question is asked")
	_window().question.get_ok_button().pressed.emit()
	await frames(3)
	check_equal(read(PATH), "; mine\n" + TEXT, "the saved text")
	check_equal(_window().editor.text, read(OTHER), "the other text")
	_window().close()
	make(PATH, TEXT)
	await remove([OTHER])


func test_what_is_saved_is_checked() -> void:
	await _open(9, 1)
	_window().editor.remove_line_at(8)
	await frames(1)
	check_equal(_window().title, PATH + " (*)", "the title of an unsaved text")
	_press(KEY_S, true)
	check(_window().visible and not _window().has_unsaved_text(), "saved")
	check_equal(_window().title, PATH, "the title")
	check_equal(read(PATH), TEXT.replace("script = ExtResource(\"lost\")\n", ""), "the file")
	await until(func() -> bool: return _window().editor.findings().size() == 1, "the findings follow")
	check_equal(_window().findings_bar.message.text, "1 finding in this file", "the message without a finding at the caret")
	_window().close()
	make(PATH, TEXT)


func test_a_refused_save_keeps_the_text() -> void:
	await _open(1, 1)
	_type(0, "; mine\n")
	write(PATH, TEXT + "\n; theirs\n")
	_press(KEY_S, true)
	check_equal(read(PATH), TEXT + "\n; theirs\n", "the file")
	check(_window().visible and _window().has_unsaved_text(), "the text is still there")
	check(_window().note.visible and _window().note.message.text.begins_with("Not saved: "), "why: %s" % _window().note.message.text)
	_window().note.copy_pressed.emit()
	_window().note.reload_pressed.emit()
	check_equal(_window().editor.text, TEXT + "\n; theirs\n", "the text after a reload")
	check(not _window().has_unsaved_text() and not _window().note.visible, "nothing is unsaved")
	_window().editor.undo()
	check_equal(_window().editor.text, "; mine\n" + TEXT, "undo brings the user's text back")
	check(_window().has_unsaved_text(), "it is unsaved")
	_discard()
	make(PATH, TEXT)


## The buttons below the text stay on the screen, however much there is to say.
func test_a_note_does_not_make_the_window_high() -> void:
	await _open(1, 1)
	var size_before := _window().size
	_type(3, "x")
	write(PATH, TEXT + "; " + "another program ".repeat(40) + "\n")
	_press(KEY_S, true)
	await frames(3)
	check(_window().note.visible, "the note")
	_window().note.say("Not saved: " + "a long reason ".repeat(100), true, true)
	_window().findings_bar.message.text = "a long message ".repeat(100)
	await frames(3)
	# A few lines of both.
	var limit := size_before.y + int(200 * EditorInterface.get_editor_scale())
	check(_window().size.y <= limit, "the window grew from %s to %s" % [size_before, _window().size])
	check(_window().note.message.tooltip_text.ends_with("a long reason "), "all of it is in the tooltip")
	var save_button := _window()._save
	check(save_button.get_global_rect().end.y <= limit, "the button: %s" % save_button.get_global_rect())
	_discard()
	write(PATH, TEXT)
	await frames(3)


func test_another_program_changes_the_file() -> void:
	await _open(1, 1)
	write(PATH, TEXT.replace("7", "70"))
	_window().focus_entered.emit()
	check_equal(_window().editor.text, TEXT.replace("7", "70"), "an unchanged text follows")
	_type(0, "; mine\n")
	write(PATH, TEXT.replace("7", "71"))
	_window().focus_entered.emit()
	check_equal(_window().editor.text, "; mine\n" + TEXT.replace("7", "70"), "a changed text stays")
	check(_window().note.visible, "it is said")
	DirAccess.remove_absolute(PATH)
	_window().focus_entered.emit()
	check(_window().note.message.text.contains("does not exist"), "that it is gone: %s" % _window().note.message.text)
	_discard()
	make(PATH, TEXT)


func test_line_ends_are_kept() -> void:
	write(PATH, TEXT.replace("\n", "\r\n"))
	_window().open(PATH, 1, 1)
	check_equal(_window().editor.text, TEXT, "the text")
	_type(0, "; mine\n")
	_window().save()
	check_equal(read(PATH), ("; mine\n" + TEXT).replace("\n", "\r\n"), "the file")
	_window().close()
	for mixed: String in [TEXT.replace("7\n", "7\r\n"), TEXT.replace("7\n", "7\r")]:
		write(PATH, mixed)
		_window().open(PATH, 1, 1)
		check(not _window().editor.editable and _window().note.visible, "mixed line ends are not edited")
		_window().close()
	make(PATH, TEXT)


func test_what_cannot_be_edited() -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer([0x5b, 0x00, 0x5d])
	file.close()
	_window().open(PATH, 1, 1)
	check(not _window().editor.editable and _window().note.message.text.contains("UTF-8"), "not UTF-8: %s" % _window().note.message.text)
	_window().close()
	_window().open("res://text/nowhere.tscn", 3, 1)
	check(not _window().editor.editable and _window().note.message.text.contains("does not exist"), "missing: %s" % _window().note.message.text)
	_window().close()
	make(PATH, TEXT)


func test_a_large_file_is_shown_in_part() -> void:
	var line := "metadata/x = \"%s\"\n" % "large ".repeat(30)
	var count := 20 * (1 << 20) / line.length()
	write(LARGE, TEXT + line.repeat(count))
	var start := Time.get_ticks_msec()
	_window().open(LARGE, 50_000, 15)
	print("cost of a text of 20 MB: %d ms" % (Time.get_ticks_msec() - start))
	check_equal(_window().editor.get_caret_line() + _window().editor.first_line, 50_000, "the line")
	check_equal(_window().editor.get_caret_column(), 14, "the column, from 0")
	check(_window().editor.get_line_count() < 3000 and not _window().editor.editable, "an excerpt")
	check(_window().note.message.text.contains("51000"), "which lines: %s" % _window().note.message.text)
	_window().open(LARGE, 9, 1)
	check_equal(_window().editor.get_line(8), "script = ExtResource(\"lost\")", "a line of another excerpt")
	_window().close()
	DirAccess.remove_absolute(LARGE)


func test_search() -> void:
	await _open(1, 1)
	_press(KEY_F, true)
	var bar := _window().search_bar
	check(bar.visible, "the search bar")
	bar.text.text = "PROCESS"
	bar.text.text_changed.emit("PROCESS")
	check_equal(bar.count.text, "2 matches", "the count")
	var lines: PackedInt32Array = [_window().editor.get_caret_line() + 1]
	for shift: bool in [false, false, true, true]:
		_press(KEY_F3, false, shift)
		lines.append(_window().editor.get_caret_line() + 1)
	check_equal(lines, PackedInt32Array([4, 8, 4, 8, 4]), "lines of matches")
	check_equal(_window().editor.get_selected_text(), "process", "what is selected")
	_press(KEY_ESCAPE)
	check(_window().visible and not bar.visible, "Escape closes the bar first")
	# The editor's own: it ends the selection.
	_press(KEY_ESCAPE)
	_press(KEY_ESCAPE)
	check(not _window().visible, "and then the window")


func test_go_to_a_line() -> void:
	await _open(1, 1)
	_press(KEY_G, true)
	var field: LineEdit = _window().gui_get_focus_owner() as LineEdit
	check(field != null, "the field has the focus")
	for entered: String in ["9:3", "400", "x", "", "-1"]:
		field.text_submitted.emit(entered)
	check_equal(_window().editor.get_caret_line(), 0, "the line after -1")
	field.text_submitted.emit("9:3")
	check_equal([_window().editor.get_caret_line(), _window().editor.get_caret_column()], [8, 2], "the place")
	_window().close()


## Nobody can be asked when the addon is switched off.
func test_a_text_is_rescued() -> void:
	await _open(1, 1)
	_type(0, "; mine\n")
	check(not _window().unsaved_status().is_empty(), "the editor asks before it closes")
	var window := _window()
	var parent := window.get_parent()
	printerr("[expected errors")
	parent.remove_child(window)
	printerr("expected errors]")
	parent.add_child(window)
	var rescued := EditorInterface.get_editor_paths().get_project_settings_dir().path_join("fast_variant_unsaved_text.txt")
	check_equal(read(rescued), "; mine\n" + TEXT, "what was rescued")
	DirAccess.remove_absolute(rescued)
	_discard()
	check(_window().unsaved_status().is_empty(), "nothing is unsaved")
	await remove([PATH])
	await settled()


## To the place that wants the file.
func test_a_missing_dependency_leads_to_its_mention() -> void:
	make(PATH, TEXT.replace("\n\n[node name=\"Root\"", "\n\n[ext_resource type=\"Texture2D\" path=\"res://text/gone.png\" id=\"1\"]\n\n[node name=\"Root\""))
	parts().places_window.show_dependencies(PATH)
	var tree: Tree = parts().places_window.find_children("*", "Tree", true, false)[0]
	tree.get_root().get_first_child().select(0)
	tree.item_activated.emit()
	parts().places_window.hide()
	check_equal(_window().title, PATH, "the text")
	check_equal(_window().editor.get_caret_line() + 1, 3, "the line")
	check_equal(_window().editor.get_caret_column() + 1, _window().editor.get_line(2).find("\"res://text/gone") + 1, "the column")
	_window().close()
	make(PATH, TEXT)


func _window() -> TextWindow:
	return parts().text_window


func _open(line: int, column: int) -> void:
	if not FileAccess.file_exists(PATH):
		make(PATH, TEXT)
	parts().checker.check(PATH)
	await until(func() -> bool: return codes_in(PATH).size() == 2, "two findings")
	_window().open(PATH, line, column)
	await frames(3)


func _is_in_sight(line: int, column: int) -> bool:
	var editor := _window().editor
	var rect := editor.get_rect_at_line_column(line, column)
	return Rect2i(Vector2i.ZERO, Vector2i(editor.size)).encloses(rect)


func _type(line: int, text: String) -> void:
	_window().editor.set_caret_line(line)
	_window().editor.set_caret_column(0)
	_window().editor.insert_text_at_caret(text)


func _codes_in(line: int) -> PackedStringArray:
	var codes: PackedStringArray = []
	for found: Diagnostic in _window().editor.findings_in(line):
		codes.append(found.code)
	return codes


## With the keys, where the caret is.
func _type_keys(text: String) -> void:
	for character: String in text:
		press_key(_window(), KEY_NONE, character)
	await frames(1)


func _discard() -> void:
	_window().close()
	_window().question.custom_action.emit("discard")


func _press(code: Key, command := false, shift := false) -> void:
	var event := InputEventKey.new()
	event.keycode = code
	event.pressed = true
	event.ctrl_pressed = command
	event.shift_pressed = shift
	_window().push_input(event)
