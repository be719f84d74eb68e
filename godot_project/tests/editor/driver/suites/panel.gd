@tool
extends "../suite.gd"
## The Problems panel.

const ProblemsTree := preload("res://addons/fast_variant/editor/problems/problems_tree.gd")
const ProblemsPanel := preload("res://addons/fast_variant/editor/problems/problems_panel.gd")

const PathIgnores := preload("res://addons/fast_variant/editor/fixing/path_ignores.gd")
const View := preload("res://addons/fast_variant/editor/problems/problems_view.gd")

const EQUAL_FILES := 6
const ORDERED := "res://panel/ordered.tscn"
const OPENABLE := "res://panel/openable.tscn"
const OPENABLE_TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="res://driver/driver.gd" id="1"]

[node name="Root" type="Node"]

[node name="Child" type="Node" parent="."]

[connection signal="ready" from="Child" to="Gone" method="go"]
"""
const REFUSED := "res://panel/refused.tscn"
const REFUSED_TEXT := """[gd_scene format=3]

[node name="Root" type="Node"]
script = ExtResource("gone")
"""


func test_rows_and_filters() -> void:
	await _make_problems()
	check_equal(_shown(), ["REF007", "REF001", "SIG001"].size(), "diagnostics shown")
	await _type("GONE")
	check_equal(_shown_codes(), PackedStringArray(["SIG001", "REF001"]), "filtered by text")
	check_equal(_button("Errors").text, "2", "errors, and no hidden ones")
	check_equal(_button("Warnings").text, "0 of 1", "warnings that fit")
	await _type("")
	_button("Errors").button_pressed = false
	check_equal(_shown_codes(), PackedStringArray(["REF007"]), "filtered by severity")
	check_equal(_button("Errors").text, "2", "errors while they are switched off")
	_button("Errors").button_pressed = true
	check_equal(_shown(), 3, "diagnostics shown without filters")


func test_typing_is_awaited() -> void:
	var panel := parts().panel
	panel.filter.text.text = "gone"
	panel.filter.text.text_changed.emit("gone")
	check_equal(panel.shown_diagnostics().size(), 3, "diagnostics shown while somebody types")
	await until(func() -> bool: return panel.shown_diagnostics().size() == 2, "the filter works")
	await _type("")


func test_this_scene_only() -> void:
	var panel := parts().panel
	await open(OPENABLE)
	await frames(2)
	panel.filter.this_scene.button_pressed = true
	check_equal(_shown_codes(), PackedStringArray(["SIG001", "REF007"]), "those of the open scene")
	await open("res://good.tscn")
	await frames(2)
	check_equal(_shown_codes(), PackedStringArray(), "those of a good scene")
	check_equal(panel.note.shown_text(), "No problems in good.tscn; 3 are elsewhere.", "what is said instead")
	EditorInterface.close_scene()
	await open(OPENABLE)
	await frames(2)
	check_equal(_shown_codes().size(), 2, "the filter follows the scene")
	panel.filter.clear()
	EditorInterface.close_scene()


func test_nothing_to_show() -> void:
	var panel := parts().panel
	await _type("no such words")
	check(panel.note.visible, "a note is there")
	check_equal(panel.note.shown_text(), "Nothing matches the filter; 3 are hidden.", "the note")
	_press(panel.note, "Clear Filter")
	check_equal(_shown_codes().size(), 3, "all is shown again")
	check(not panel.note.visible, "no note is there")


func test_older_state_hides_infos() -> void:
	var filter := parts().panel.filter
	var before := filter.state()
	filter.restore({"text": "", "hidden": PackedStringArray(["warning"]), "code": ""})
	check_equal(filter.state()["hidden"], PackedStringArray(["warning", "info"]), "hidden severities")
	filter.restore(before)
	check_equal(filter.state(), before, "the state is kept")


func test_groupings() -> void:
	var tree := parts().panel.tree
	check_equal(_top_rows(), ["res://panel/openable.tscn (2)", "res://panel/refused.tscn (1)"], "by file: the worst first, then the fuller")
	_group("By Rule")
	check_equal(_top_rows(), ["undefined-ext-id (1 in 1 file)", "unknown-connection-end (1 in 1 file)", "unused-ext-resource (1 in 1 file)"], "by rule")
	var row := tree.get_root().get_first_child().get_first_child()
	check_equal(row.get_text(ProblemsTree._Column.PLACE), "refused.tscn:4:22", "the place names the file")
	_group("By Severity")
	check_equal(_top_rows(), ["Errors (2)", "Warnings (1)"], "by severity")
	check_equal(parts().panel.filter.state()["grouping"], View._Grouping.SEVERITY, "the kept grouping")
	_group("By File")


func _group(title: String) -> void:
	var grouping := parts().panel.filter.grouping
	for index: int in grouping.item_count:
		if grouping.get_item_text(index) == title:
			grouping.select(index)
			grouping.item_selected.emit(index)
	parts().panel.refresh_now()


## Equal problems of many files are one row, at the end as they are infos; what matters stands above.
func test_equal_problems_are_folded() -> void:
	var panel := parts().panel
	for number: int in EQUAL_FILES:
		make("res://panel/equal_%d.tscn" % number, "[gd_scene load_steps=1 format=3]\n\n[node name=\"Root\" type=\"Node\"]\n")
	await settled()
	check_equal(_shown_codes().size(), 3, "diagnostics shown while infos are hidden")
	_button("Infos").button_pressed = true
	panel.refresh_now()
	var rows := _top_rows()
	check_equal(rows.size(), 3, "rows: %s" % [rows])
	var folded := panel.tree.get_root().get_child(2)
	check_equal(folded.get_text(ProblemsTree._Column.PLACE), "in %d files" % EQUAL_FILES, "where they are")
	# Which of the two depends on the version of Godot that the project was saved with.
	check(folded.get_text(ProblemsTree._Column.CODE) in ["STR015", "MIG007"], "the rule: %s" % folded.get_text(ProblemsTree._Column.CODE))
	check(folded.collapsed, "it is folded")
	folded.collapsed = false
	check_equal(folded.get_child_count(), EQUAL_FILES, "rows below")
	check_equal(folded.get_first_child().get_text(ProblemsTree._Column.MESSAGE), "res://panel/equal_0.tscn", "the first row")
	check_equal(_text_of_fix_all(), "Fix %d Safe" % (EQUAL_FILES + 1), "what the button says")
	panel.tree.button_clicked.emit(folded, 0, 0, MOUSE_BUTTON_LEFT)
	await frames(5)
	check_equal(_shown_codes().size(), 3, "diagnostics after all were fixed")
	check(not read("res://panel/equal_3.tscn").contains("load_steps"), "the text: %s" % read("res://panel/equal_3.tscn"))
	panel.tree.folded.clear()
	_button("Infos").button_pressed = false
	for number: int in EQUAL_FILES:
		await remove(["res://panel/equal_%d.tscn" % number])
	await settled()


## The worst of a file comes first, and many equal ones are one row.
func test_order_in_a_file() -> void:
	var text := "[gd_scene format=3]\n\n"
	for number: int in 5:
		text += "[ext_resource type=\"Script\" path=\"res://driver/driver.gd\" id=\"1\"]\n\n"
	make(ORDERED, text + "[node name=\"Root\" type=\"Node\"]\nscript = ExtResource(\"gone\")\n")
	await settled()
	var rows: PackedStringArray = []
	for row: TreeItem in _row_of_file(ORDERED).get_children():
		rows.append("%s %s" % [row.get_text(ProblemsTree._Column.CODE), row.get_text(ProblemsTree._Column.PLACE)])
	check_equal(rows, PackedStringArray(["REF001 14:22", "REF007 3:1", "REF004 4 times"]), "rows of the file")
	await remove([ORDERED])
	await settled()


func test_visiting_one_after_the_other() -> void:
	var panel := parts().panel
	panel.tree.deselect_all()
	var visited: PackedStringArray = []
	for step: int in 4:
		panel.visit(1)
		await frames(2)
		visited.append(panel.tree.selected_diagnostic().code)
	check_equal(visited, PackedStringArray(["SIG001", "REF007", "REF001", "SIG001"]), "visited problems")
	panel.visit(-1)
	await frames(2)
	check_equal(panel.tree.selected_diagnostic().code, "REF001", "the one before")
	parts().text_window.hide()
	await open(OPENABLE)
	EditorInterface.close_scene()


## Godot takes letters for a search in the rows, also with Alt, and the addon's keys would do nothing.
func test_keys_with_alt() -> void:
	var tree := parts().panel.tree
	parts().tab.show()
	tree.grab_focus()
	for has_alt: bool in [false, true]:
		var event := InputEventKey.new()
		event.keycode = KEY_F
		event.unicode = KEY_F
		event.alt_pressed = has_alt
		event.pressed = true
		tree.get_viewport().push_input(event)
		check_equal(tree.allow_search, not has_alt, "the rows are searched, with Alt: %s" % has_alt)


func test_menus() -> void:
	var panel := parts().panel
	_select("SIG001")
	var entries := _menu_entries()
	check_equal(entries.slice(0, 4), PackedStringArray(["Open", "Open Text at Line 9", "Show in FileSystem", "Explain SIG001"]), "entries for a problem")
	panel.tree.select_file(REFUSED)
	entries = _menu_entries()
	check_equal(entries.slice(0, 3), PackedStringArray(["Open Scene", "Open Text", "Show in FileSystem"]), "entries for a file")
	panel.run_action(ProblemsPanel._Action.COPY_PATH)
	_group("By Severity")
	panel.tree.get_root().get_first_child().select(0)
	check_equal(_menu_entries()[0], "Fix 0 Safe", "entries for a severity")
	_group("By File")


func test_place_opens_the_text() -> void:
	_select("SIG001")
	parts().panel.run_action(ProblemsPanel._Action.OPEN_TEXT)
	await frames(3)
	var window := parts().text_window
	check(window.visible, "the text is shown")
	window.hide()


func test_file_rows_open_the_scene() -> void:
	parts().panel.tree.select_file(OPENABLE)
	parts().panel.tree.item_activated.emit()
	await until(func() -> bool: return edited_path() == OPENABLE, "the scene opens")
	EditorInterface.close_scene()


func test_ignore_in_file_and_folder() -> void:
	_select("SIG001")
	parts().panel.run_action(ProblemsPanel._Action.IGNORE_IN_FILE)
	await frames(3)
	check_equal(read("res://gdscene.toml"), "[per-path-ignores]\n\"panel/openable.tscn\" = [\"SIG001\"]\n", "the configuration")
	await settled()
	check_equal(_shown_codes(), PackedStringArray(["REF001", "REF007"]), "diagnostics that are left")
	_select("REF001")
	parts().panel.run_action(ProblemsPanel._Action.IGNORE_IN_FOLDER)
	await settled()
	check_equal(_shown_codes(), PackedStringArray(["REF007"]), "diagnostics that are left")
	await remove(["res://gdscene.toml"])
	parts().configuration.look()
	await settled()
	check_equal(_shown(), 3, "diagnostics without the configuration")


func test_excluded_folders_act_at_once() -> void:
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray(["res://panel"]))
	await until(func() -> bool: return parts().panel.shown_diagnostics().is_empty(), "the folder's problems are gone")
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray(["res://addons"]))
	await until(func() -> bool: return parts().panel.shown_diagnostics().size() == 3, "they are there again")


func test_tab_counts() -> void:
	var dock: Control = parts().panel.get_parent()
	check_equal(dock.get(&"title"), "Problems (3)", "the tab's title")
	check(dock.get(&"dock_icon") != null, "the tab has an icon")


func test_state_is_kept() -> void:
	var panel := parts().panel
	panel.filter.text.text = "kept"
	panel.save_state()
	var state: Dictionary = EditorInterface.get_editor_settings().get_project_metadata("fast_variant", "problems_panel")
	var kept: Dictionary = state["filter"]
	check_equal(kept["text"], "kept", "the text of the filter")
	panel.filter.text.text = ""
	panel.save_state()


## Kept at once, as the editor may end without a warning.
func test_what_is_folded_is_kept() -> void:
	var tree := parts().panel.tree
	_shown()
	tree.get_root().get_first_child().collapsed = true
	check_equal(_kept_folded(), [OPENABLE], "folded files")
	_shown()
	check_equal(parts().panel.shown_diagnostics().size(), 3, "what is folded counts as shown")
	check(tree.get_root().get_first_child().collapsed, "it stays folded")
	tree.get_root().get_first_child().collapsed = false
	check_equal(_kept_folded(), [], "folded files after it was unfolded")


func _kept_folded() -> Array:
	var state: Dictionary = EditorInterface.get_editor_settings().get_project_metadata("fast_variant", "problems_panel")
	var folded: Dictionary = state["folded"]
	return folded.keys()


func test_rows_follow_the_theme() -> void:
	parts().tab.show()
	_shown()
	var settings := EditorInterface.get_editor_settings()
	var before: String = settings.get_setting("interface/theme/color_preset")
	for preset: String in ["Light", before]:
		settings.set_setting("interface/theme/color_preset", preset)
		get_tree().root.propagate_notification(EditorSettings.NOTIFICATION_EDITOR_SETTINGS_CHANGED)
		await frames(5)
		var panel := parts().panel
		var row := panel.tree.get_root().get_first_child().get_first_child()
		check_equal(row.get_custom_color(ProblemsTree._Column.CODE), panel.get_theme_color(&"accent_color", &"Editor"), "the colour of a code, %s" % preset)
		check_equal(row.get_parent().get_icon(ProblemsTree._Column.MESSAGE), panel.get_theme_icon(&"PackedScene", &"EditorIcons"), "the icon of a file, %s" % preset)


func test_click_selects_the_node() -> void:
	_select("SIG001")
	parts().panel.tree.item_activated.emit()
	await until(func() -> bool: return edited_path() == OPENABLE, "the scene opens")
	await frames(3)
	var selected := EditorInterface.get_selection().get_selected_nodes()
	check_equal(selected.size(), 1, "selected nodes")
	check_equal(selected[0].name, &"Child", "the selected node")
	EditorInterface.close_scene()


func test_what_cannot_be_opened_is_shown_as_text() -> void:
	_select("REF001")
	parts().panel.run_action(ProblemsPanel._Action.OPEN)
	await frames(3)
	var window := parts().text_window
	check(window.visible, "the text is shown")
	var editor: CodeEdit = window.find_children("*", "CodeEdit", true, false)[0]
	check_equal(editor.text, REFUSED_TEXT, "the text")
	check_equal(editor.get_caret_line(), 3, "the line, from 0")
	editor.text = REFUSED_TEXT.replace("script = ExtResource(\"gone\")\n", "")
	window.save()
	await frames(3)
	check_equal(codes_in(REFUSED), PackedStringArray(), "diagnostics after it was repaired by hand")
	window.close()
	await undo()
	check_equal(read(REFUSED), REFUSED_TEXT, "the text after undo")


func test_rules_are_explained() -> void:
	_select("SIG001")
	parts().panel.run_action(ProblemsPanel._Action.EXPLAIN)
	var text := parts().reader.shown_text()
	check(text.contains("SIG001 unknown-connection-end") and text.contains("Why is this bad?"), "the text: %s" % text)
	check(not text.contains("##") and not text.contains("[lb]"), "no marks are left: %s" % text)
	parts().reader.hide()


## At the height that the panel has at first, with all that it may show above the list.
func test_everything_has_its_place() -> void:
	await _make_problems()
	var panel := parts().panel
	var losses := SaveLosses.new()
	losses.path = REFUSED
	losses.losses = [SaveLosses._Loss.new(), SaveLosses._Loss.new()]
	parts().problems.losses.add(losses)
	parts().refactorings.moves_banner.warn("Something names old paths. ".repeat(20), "")
	parts().first_run.note.is_wanted = true
	parts().merge_offer.note.is_wanted = true
	check_equal(_row_of_file(REFUSED).get_text(ProblemsTree._Column.MESSAGE), REFUSED + " (3)", "what was dropped is counted")
	# In a place of its own, as the dock has another height without a window.
	var dock := panel.get_parent()
	var place := Control.new()
	panel.reparent(place)
	EditorInterface.get_base_control().add_child(place)
	panel.size = Vector2(1000 * EditorInterface.get_editor_scale(), 0)
	await frames(3)
	check(panel.size.y <= panel.custom_minimum_size.y, "all fits: %s in %s" % [panel.size, panel.custom_minimum_size])
	check(not parts().merge_offer.note.visible, "one note at a time")
	var end := 0.0
	for part: Control in panel.find_children("*", "Control", false, false):
		if part.visible:
			check(part.position.y >= end, "%s hides nothing: %s after %s" % [part, part.position, end])
			end = part.position.y + part.size.y
	var note := parts().first_run.note
	var line := note.get_theme_font(&"font", &"Label").get_height(note.get_theme_font_size(&"font_size", &"Label"))
	check(note.is_visible_in_tree() and note.size.y < 1.8 * line, "the note is one line: %s of %s" % [note.size, line])
	check(panel.tree.size.y > 2.5 * line, "there are rows: %s, lines of %s" % [panel.tree.size, line])
	parts().refactorings.moves_banner.hide()
	await frames(3)
	check(panel.tree.size.y > 4 * line, "there are more with one banner: %s, lines of %s" % [panel.tree.size, line])
	parts().first_run.note.is_wanted = false
	check(parts().merge_offer.note.visible, "the next note comes when the first one goes")
	parts().merge_offer.note.is_wanted = false
	panel.filter.text.text = "nothing has this"
	panel.filter.text.text_changed.emit(panel.filter.text.text)
	await until(func() -> bool: return panel.shown_diagnostics().is_empty(), "the filter works")
	parts().problems.losses.remove_all()
	await frames(3)
	panel.refresh_now()
	check(panel.note.visible and panel.note.get_combined_minimum_size().y <= 3 * line, "why there are no rows is one line, too")
	await _type("")
	panel.reparent(dock)
	place.queue_free()
	await frames(3)


func test_problems_go_away() -> void:
	await remove([OPENABLE, REFUSED])
	await settled()
	check_equal(_shown(), 0, "diagnostics shown")
	var dock: Control = parts().panel.get_parent()
	check_equal(dock.get(&"title"), "Problems", "the tab's title")


func _make_problems() -> void:
	await remove(["res://broken.tscn"])
	make(OPENABLE, OPENABLE_TEXT)
	make(REFUSED, REFUSED_TEXT)
	parts().tab.show()
	await settled()


func _shown() -> int:
	parts().panel.refresh_now()
	return parts().panel.shown_diagnostics().size()


func _shown_codes() -> PackedStringArray:
	parts().panel.refresh_now()
	var codes: PackedStringArray = []
	for diagnostic: Diagnostic in parts().panel.shown_diagnostics():
		codes.append(diagnostic.code)
	return codes


func _top_rows() -> Array:
	parts().panel.refresh_now()
	var rows := []
	for item: TreeItem in parts().panel.tree.get_root().get_children():
		rows.append(item.get_text(ProblemsTree._Column.MESSAGE))
	return rows


func _row_of_file(path: String) -> TreeItem:
	parts().panel.refresh_now()
	for item: TreeItem in parts().panel.tree.get_root().get_children():
		if item.get_text(ProblemsTree._Column.MESSAGE).begins_with(path):
			return item
	fail("no row has the file %s" % path)
	return null


## As somebody who types, and waits.
func _type(text: String) -> void:
	var filter := parts().panel.filter
	filter.text.text = text
	filter.text.text_changed.emit(text)
	var done := [false]
	filter.changed.connect(func() -> void: done[0] = true, CONNECT_ONE_SHOT)
	await until(func() -> bool: return done[0], "the filter has taken %s" % text)


func _menu_entries() -> PackedStringArray:
	var menu: PopupMenu = parts().panel.find_children("*", "PopupMenu", false, false)[0]
	menu.about_to_popup.emit()
	var entries: PackedStringArray = []
	for index: int in menu.item_count:
		if not menu.is_item_separator(index):
			entries.append(menu.get_item_text(index))
			check(menu.get_item_icon(index) != null, "%s has an icon" % menu.get_item_text(index))
	return entries


func _text_of_fix_all() -> String:
	for node: Node in parts().panel.toolbar.find_children("*", "Button", true, false):
		if (node as Button).text.begins_with("Fix "):
			return (node as Button).text
	return ""


func _press(parent: Node, text: String) -> void:
	for node: Node in parent.find_children("*", "Button", true, false):
		if (node as Button).text == text:
			(node as Button).pressed.emit()
			return
	fail("there is no button %s" % text)


func _button(tooltip: String) -> Button:
	for node: Node in parts().panel.filter.find_children("*", "Button", true, false):
		var button: Button = node
		if button.tooltip_text == tooltip:
			return button
	fail("there is no button %s" % tooltip)
	return null


func _select(code: String) -> void:
	var tree := parts().panel.tree
	var item := tree.get_root().get_next_in_tree()
	while item != null:
		if item.get_text(ProblemsTree._Column.CODE) == code:
			item.select(ProblemsTree._Column.MESSAGE)
			return
		item = item.get_next_in_tree()
	fail("no row has the code %s" % code)
