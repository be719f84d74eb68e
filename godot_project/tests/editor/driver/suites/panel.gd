@tool
extends "../suite.gd"
## The Problems panel.

const ProblemsTree := preload("res://addons/fast_variant/editor/problems_tree.gd")
const ProblemsPanel := preload("res://addons/fast_variant/editor/problems_panel.gd")

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
	var panel := watch().panel
	check_equal(_shown(), ["REF007", "REF001", "SIG001"].size(), "diagnostics shown")
	panel.filter.text.text = "gone"
	panel.filter.text.text_changed.emit("gone")
	check_equal(_shown_codes(), PackedStringArray(["SIG001", "REF001"]), "filtered by text")
	panel.filter.text.text = ""
	panel.filter.text.text_changed.emit("")
	_button("Errors").button_pressed = false
	check_equal(_shown_codes(), PackedStringArray(["REF007"]), "filtered by severity")
	_button("Errors").button_pressed = true
	panel.filter.code.select(1)
	panel.filter.code.item_selected.emit(1)
	check_equal(_shown_codes(), PackedStringArray(["REF001"]), "filtered by code")
	panel.filter.code.select(0)
	panel.filter.code.item_selected.emit(0)
	check_equal(_shown(), 3, "diagnostics shown without filters")


func test_tab_counts() -> void:
	var dock: Control = watch().panel.get_parent()
	check_equal(dock.get(&"title"), "Problems (3)", "the tab's title")
	check(dock.get(&"dock_icon") != null, "the tab has an icon")


func test_state_is_kept() -> void:
	var panel := watch().panel
	panel.filter.text.text = "kept"
	panel.save_state()
	var state: Dictionary = EditorInterface.get_editor_settings().get_project_metadata("fast_variant", "problems_panel")
	var kept: Dictionary = state["filter"]
	check_equal(kept["text"], "kept", "the text of the filter")
	panel.filter.text.text = ""
	panel.save_state()


## Kept at once, as the editor may end without a warning.
func test_what_is_folded_is_kept() -> void:
	var tree := watch().panel.tree
	_shown()
	tree.get_root().get_first_child().collapsed = true
	check_equal(_kept_folded(), [OPENABLE], "folded files")
	_shown()
	check(tree.get_root().get_first_child().collapsed, "it stays folded")
	tree.get_root().get_first_child().collapsed = false
	check_equal(_kept_folded(), [], "folded files after it was unfolded")


func _kept_folded() -> Array:
	var state: Dictionary = EditorInterface.get_editor_settings().get_project_metadata("fast_variant", "problems_panel")
	var folded: Dictionary = state["folded"]
	return folded.keys()


func test_rows_follow_the_theme() -> void:
	_shown()
	var settings := EditorInterface.get_editor_settings()
	var before: String = settings.get_setting("interface/theme/color_preset")
	for preset: String in ["Light", before]:
		settings.set_setting("interface/theme/color_preset", preset)
		get_tree().root.propagate_notification(EditorSettings.NOTIFICATION_EDITOR_SETTINGS_CHANGED)
		await frames(5)
		var panel := watch().panel
		var row := panel.tree.get_root().get_first_child().get_first_child()
		check_equal(row.get_custom_color(ProblemsTree.Column.CODE), panel.get_theme_color(&"accent_color", &"Editor"), "the colour of a code, %s" % preset)
		check_equal(row.get_parent().get_icon(0), panel.get_theme_icon(&"PackedScene", &"EditorIcons"), "the icon of a file, %s" % preset)


func test_click_selects_the_node() -> void:
	_select("SIG001")
	watch().panel.tree.item_activated.emit()
	await until(func() -> bool: return edited_path() == OPENABLE, "the scene opens")
	await frames(3)
	var selected := EditorInterface.get_selection().get_selected_nodes()
	check_equal(selected.size(), 1, "selected nodes")
	check_equal(selected[0].name, &"Child", "the selected node")
	EditorInterface.close_scene()


func test_what_cannot_be_opened_is_shown_as_text() -> void:
	_select("REF001")
	watch().panel.run_action(ProblemsPanel.Action.OPEN)
	await frames(3)
	var window := watch().text_window
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
	watch().panel.run_action(ProblemsPanel.Action.EXPLAIN)
	var text := watch().rule_window.shown_text()
	check(text.contains("SIG001 unknown-connection-end") and text.contains("Why is this bad?"), "the text: %s" % text)
	check(not text.contains("##") and not text.contains("[lb]"), "no marks are left: %s" % text)
	watch().rule_window.hide()


func test_problems_go_away() -> void:
	await remove([OPENABLE, REFUSED])
	await settled()
	check_equal(_shown(), 0, "diagnostics shown")
	var dock: Control = watch().panel.get_parent()
	check_equal(dock.get(&"title"), "Problems", "the tab's title")


func _make_problems() -> void:
	await remove(["res://broken.tscn"])
	make(OPENABLE, OPENABLE_TEXT)
	make(REFUSED, REFUSED_TEXT)
	watch().show_panel()
	await settled()


func _shown() -> int:
	watch().panel.refresh_now()
	return watch().panel.tree.shown_diagnostics().size()


func _shown_codes() -> PackedStringArray:
	var codes: PackedStringArray = []
	for diagnostic: Diagnostic in watch().panel.tree.shown_diagnostics():
		codes.append(diagnostic.code)
	return codes


func _button(tooltip: String) -> Button:
	for node: Node in watch().panel.filter.find_children("*", "Button", true, false):
		var button: Button = node
		if button.tooltip_text == tooltip:
			return button
	fail("there is no button %s" % tooltip)
	return null


func _select(code: String) -> void:
	var tree := watch().panel.tree
	var item := tree.get_root().get_next_in_tree()
	while item != null:
		if item.get_text(ProblemsTree.Column.CODE) == code:
			item.select(ProblemsTree.Column.MESSAGE)
			return
		item = item.get_next_in_tree()
	fail("no row has the code %s" % code)
