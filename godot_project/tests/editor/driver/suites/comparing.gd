@tool
extends "../suite.gd"
## What differs between a scene and the last commit, in a repository of its own.

const ComparisonWindow := preload("res://addons/fast_variant/editor/comparing/comparison_window.gd")

const FOLDER := "res://zone_of_commits"
const SCENE := FOLDER + "/yard.tscn"
const FRESH := FOLDER + "/fresh.tscn"
const TEXT := """[gd_scene format=3]

[node name="Yard" type="Node2D"]

[node name="Lamp" type="PointLight2D" parent="."]
color = Color(1, 0, 0, 1)
energy = 2.0

[node name="Bench" type="Node2D" parent="."]

[node name="Left" type="Node2D" parent="Bench"]
position = Vector2(1, 2)

[node name="Bin" type="Node2D" parent="."]
"""


func test_without_commits() -> void:
	await _make()
	await _compare(SCENE)
	check(_window().message().contains("last commit does not contain yard.tscn") or _window().message().contains("no git repository")
		or _window().message().contains("is not in a git repository"), _window().message())
	check_equal(_window().tree.shown(), PackedStringArray(), "rows")
	git(FOLDER, ["init", "--quiet"])
	await _compare(SCENE)
	check(_window().message().contains("has no commit yet"), _window().message())
	_window().hide()


func test_what_differs() -> void:
	await _make()
	_commit()
	await _compare(SCENE)
	check_equal(_window().message(), "Nothing differs from the last commit.", "message")
	var changed := TEXT.replace("Color(1, 0, 0, 1)", "Color(0, 0, 1, 1)").replace("Vector2(1, 2)", "Vector2(1, 5)") \
			.replace("[node name=\"Bin\" type=\"Node2D\" parent=\".\"]\n", "[node name=\"Tree\" type=\"Sprite2D\" parent=\"Bench\"]\n")
	write(SCENE, changed)
	await choose_for_file(SCENE, "Compare with Last Commit")
	await _compared()
	check_equal(_window().message(), "Since the last commit: 1 added, 1 removed, 2 changed.", "message")
	check_equal(_window().tree.shown(), PackedStringArray([
		"Yard |  | ", "  Lamp |  | changed", "    color | Color(1, 0, 0, 1) | Color(0, 0, 1, 1)", "  Bench |  | ",
		"    Left |  | changed", "      position | Vector2(1, 2) | Vector2(1, 5)", "    Tree |  | added", "  Bin | removed | ",
	]), "rows")
	write(FRESH, TEXT)
	await _compare(FRESH)
	check(_window().message().contains("the last commit does not contain fresh.tscn"), _window().message())
	write(SCENE, "broken")
	await _compare(SCENE)
	check(_window().message().begins_with("Cannot be compared: "), _window().message())
	_window().hide()


func test_open_scenes() -> void:
	await _make()
	_commit()
	await open(SCENE)
	var left := EditorInterface.get_edited_scene_root().get_node("Bench/Left") as Node2D
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("Move", UndoRedo.MERGE_DISABLE, left)
	undo_redo.add_do_property(left, &"position", Vector2(7, 8))
	undo_redo.add_undo_property(left, &"position", left.position)
	undo_redo.commit_action()
	await frames(3)
	_window().compare(SCENE, "Bench/Left")
	await _compared()
	check(_window().message().contains("not saved"), "it says what is left out: %s" % _window().message())
	EditorInterface.get_selection().clear()
	await save()
	await _compared()
	var rows := _window().tree.shown()
	check("      position | Vector2(1, 2) | Vector2(7, 8)" in rows, "what was saved: %s" % "\n".join(rows))
	check(_window().noise().contains("unique ids"), "noise is counted: %s" % _window().noise())
	check(not _window().message().contains("not saved"), _window().message())
	check(EditorInterface.get_selection().get_selected_nodes().is_empty(), "nothing is selected by itself")
	_window().tree.get_root().get_first_child().select(0)
	check(_window().tree.select_node("Bench/Left"), "the node has a row")
	await frames(2)
	check_equal(EditorInterface.get_selection().get_selected_nodes(), [left] as Array[Node], "a row selects the node")
	_window().tree.get_selected().get_first_child().select(0)
	_window().tree.item_activated.emit()
	await frames(3)
	check_equal(EditorInterface.get_inspector().get_edited_object(), left, "what the Inspector shows")
	_window().hide()
	EditorInterface.close_scene()
	await frames(3)


## One of several changes goes back, by the menu of its row, and comes again by undo.
func test_a_change_is_reverted() -> void:
	await _make()
	_commit()
	var changed := TEXT.replace("Color(1, 0, 0, 1)", "Color(0, 0, 1, 1)").replace("energy = 2.0", "energy = 3.0") \
			.replace("[node name=\"Bin\" type=\"Node2D\" parent=\".\"]\n", "[node name=\"Tree\" type=\"Sprite2D\" parent=\"Bench\"]\n")
	make(SCENE, changed)
	await open(SCENE)
	await _compare(SCENE)
	await _right_click("    energy")
	check_equal(_revert_tooltip(), "", "what is in the way")
	await _choose_in_menu("Revert This Change")
	check_equal(read(SCENE), changed.replace("energy = 3.0", "energy = 2.0"), "the text")
	await _compared()
	check(not "\n".join(_window().tree.shown()).contains("energy"), "the row is gone: %s" % "\n".join(_window().tree.shown()))
	var lamp := EditorInterface.get_edited_scene_root().get_node("Lamp") as PointLight2D
	check_equal(lamp.energy, 2.0, "what the editor holds")
	await undo()
	check_equal(read(SCENE), changed, "the text after undo")
	await _compared()
	await redo()
	check_equal(read(SCENE), changed.replace("energy = 3.0", "energy = 2.0"), "the text after redo")
	# Nodes that came and went, by the button and by keys.
	await _compared()
	check(_select("  Bin"), "the removed node has a row")
	_press("Revert This Change")
	await frames(4)
	await _compared()
	check(read(SCENE).contains("name=\"Bin\""), read(SCENE))
	check(_select("    Tree"), "the added node has a row")
	_key(_window(), KEY_MENU)
	await frames(3)
	check(_window().menu.visible, "the key opens the menu")
	await _choose_in_menu("Revert This Change")
	await _compared()
	check_equal(read(SCENE), TEXT.replace("Color(1, 0, 0, 1)", "Color(0, 0, 1, 1)"), "all but one change went back")
	_window().hide()
	EditorInterface.close_scene()
	await frames(3)


## The menu says why not; nothing is written.
func test_what_cannot_be_reverted() -> void:
	await _make()
	var text := TEXT.replace("format=3]\n", "format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://zone_of_commits/a.png\" id=\"1\"]\n") \
			.replace("energy = 2.0", "energy = 2.0\ntexture = ExtResource(\"1\")\nmetadata/a = {\n\"one\": 1,\n\"two\": 2\n}")
	write(SCENE, text)
	_commit()
	write(SCENE, text.replace("\"two\": 2", "\"two\": 3").replace("a.png\" id=\"1\"", "b.png\" id=\"2\"").replace("(\"1\")", "(\"2\")"))
	var before := read(SCENE)
	await _compare(SCENE)
	var rows := "\n".join(_window().tree.shown())
	await _right_click("      [\"two\"]")
	check(_revert_tooltip().contains("goes back with the whole value"), "%s: %s" % [_revert_tooltip(), rows])
	_window().menu.hide()
	await _right_click("  res://zone_of_commits/b.png")
	check(_revert_tooltip().contains("comes and goes with the values"), "%s: %s" % [_revert_tooltip(), rows])
	_window().menu.hide()
	# Another program was faster.
	check(_select("    metadata/a"), "the value has a row: %s" % rows)
	write(SCENE, before + "\n")
	_press("Revert This Change")
	check(_window().message().contains("it was changed since"), _window().message())
	check_equal(read(SCENE), before + "\n", "the text")
	write(SCENE, TEXT)
	await open(SCENE)
	_commit()
	write(SCENE, TEXT.replace("energy = 2.0", "energy = 3.0"))
	await _compare(SCENE)
	var lamp := EditorInterface.get_edited_scene_root().get_node("Lamp") as Node2D
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("Move", UndoRedo.MERGE_DISABLE, lamp)
	undo_redo.add_do_property(lamp, &"position", Vector2(7, 8))
	undo_redo.add_undo_property(lamp, &"position", lamp.position)
	undo_redo.commit_action()
	await frames(3)
	await _right_click("    energy")
	check(_revert_tooltip().contains("has changes that are not saved"), _revert_tooltip())
	_window().menu.hide()
	_window().hide()
	await undo()
	EditorInterface.close_scene()
	await frames(3)


## Closed while git is asked, and asked again.
func test_nothing_waits() -> void:
	await _make()
	for attempt: int in 5:
		_window().compare(SCENE)
		_window().hide()
	await frames(3)
	check(not _window().is_working(), "nothing is awaited")
	await _compare("res://zone_of_commits/gone.tscn")
	check(_window().message().contains("cannot be read"), _window().message())
	_window().hide()


## What others do while the window is open is seen when it comes to the front again.
func test_changes_by_others() -> void:
	await _make()
	_commit()
	await _compare(SCENE)
	check_equal(_window().tree.shown().size(), 0, "rows")
	write(SCENE, TEXT.replace("energy = 2.0", "energy = 3.0").replace("Vector2(1, 2)", "Vector2(3, 4)"))
	_window().focus_entered.emit()
	await _compared()
	check("    energy | 2.0 | 3.0" in _window().tree.shown(), "\n".join(_window().tree.shown()))
	check(_window().tree.select_node("Bench/Left"), "the node has a row")
	var row := _window().tree.get_selected()
	row.collapsed = true
	_window().focus_entered.emit()
	await _compared()
	check(row == _window().tree.get_selected() and row.collapsed, "what is shown stays as it is")
	_commit()
	_window().focus_entered.emit()
	await _compared()
	check_equal(_window().tree.shown().size(), 0, "rows after a commit")
	DirAccess.remove_absolute(SCENE)
	_window().focus_entered.emit()
	await _compared()
	check(_window().message().contains("cannot be read"), _window().message())
	_window().hide()


func test_hostile_texts() -> void:
	await _make()
	_commit()
	var long := "x".repeat(1_000_000)
	write(SCENE, TEXT.replace("\"Bin\"", "\"[b]B\u202ein\"").replace("energy = 2.0", "energy = 2.0\nmetadata/a = \"%s\\u202e\"" % long) \
			+ "metadata/[b]\u202ex = \"[b]\u202e\n\"\n")
	await _compare(SCENE)
	var rows := "\n".join(_window().tree.shown())
	check(rows.contains("[b]B\\u202ein") and not rows.contains("\u202e"), "what is hidden is written out: %s" % rows.left(2000))
	check(rows.length() < 5000, "%d characters in rows" % rows.length())
	_window().hide()


func test_without_git() -> void:
	await _make()
	git(FOLDER, ["init", "--quiet"])
	var path := OS.get_environment("PATH")
	OS.set_environment("PATH", "/none")
	await _compare(SCENE)
	check(_window().message().contains("the program `git` was not found"), _window().message())
	# One that does not answer, and that has started another program, which has its pipes.
	var fake := ProjectSettings.globalize_path("user://fake_git")
	write(fake + "/git", "#!/bin/sh\nPATH=%s\nsleep 40\nexit 1\n" % path)
	FileAccess.set_unix_permissions(fake + "/git", 0b111_101_101)
	OS.set_environment("PATH", fake)
	var start := Time.get_ticks_msec()
	_window().compare(SCENE)
	await frames(5)
	check(_window().is_working(), "git is asked")
	_window().hide()
	check(not _window().is_working(), "nothing waits for git")
	_window().compare(SCENE)
	await until(func() -> bool: return not _window().is_working(), "git is no longer asked")
	check(Time.get_ticks_msec() - start < 35_000, "nothing waits for a git that takes 40 seconds")
	check(_window().message().contains("did not answer within"), _window().message())
	# The editor ends while this one is at work, or soon after it.
	_window().compare(SCENE)
	await frames(2)
	_window().hide()
	OS.set_environment("PATH", path)


## Selects the row that is shown so.
func _select(shown: String) -> bool:
	var tree := _window().tree
	var rows := tree.shown()
	var item := tree.get_root().get_next_in_tree()
	for row: String in rows:
		if row.begins_with(shown + " |"):
			item.uncollapse_tree()
			item.select(0)
			tree.scroll_to_item(item)
			return true
		item = item.get_next_in_tree()
	return false


func _right_click(shown: String) -> void:
	check(_select(shown), "there is a row %s: %s" % [shown, "\n".join(_window().tree.shown())])
	await frames(2)
	var tree := _window().tree
	var in_tree := Vector2(60, 0)
	while tree.get_item_at_position(in_tree) != tree.get_selected() and in_tree.y < tree.size.y:
		in_tree.y += 2
	var place := tree.get_global_transform() * in_tree
	for is_pressed: bool in [true, false]:
		var press := InputEventMouseButton.new()
		press.button_index = MOUSE_BUTTON_RIGHT
		press.pressed = is_pressed
		press.position = place
		press.global_position = place
		_window().push_input(press)
	await frames(3)
	check(_window().menu.visible, "a click with the right button opens the menu")


func _revert_tooltip() -> String:
	var menu := _window().menu
	check_equal(menu.is_item_disabled(1), not menu.get_item_tooltip(1).is_empty(), "disabled with a reason")
	return menu.get_item_tooltip(1)


func _choose_in_menu(entry: String) -> void:
	var menu := _window().menu
	menu.hide()
	for index: int in menu.item_count:
		if menu.get_item_text(index) == entry:
			menu.id_pressed.emit(menu.get_item_id(index))
	await frames(4)


func _press(text: String) -> void:
	for node: Node in _window().find_children("*", "Button", true, false):
		var button: Button = node
		if button.text == text and not button.disabled:
			button.pressed.emit()
			return
	fail("there is no button %s" % text)


func _key(window: Window, code: Key) -> void:
	var key := InputEventKey.new()
	key.keycode = code
	key.pressed = true
	window.push_input(key)


func _window() -> ComparisonWindow:
	return parts().comparison_window


func _compare(path: String) -> void:
	_window().compare(path)
	await _compared()


func _compared() -> void:
	await frames(2)
	await until(func() -> bool: return not _window().is_working(), "the comparison")


## The scene as it is.
func _commit() -> void:
	git(FOLDER, ["init", "--quiet"])
	git(FOLDER, ["add", "yard.tscn"])
	git(FOLDER, ["commit", "--quiet", "--allow-empty", "-m", "a"])


func _make() -> void:
	close_dialogs_of_godot()
	var is_new := not DirAccess.dir_exists_absolute(FOLDER)
	write(SCENE, TEXT)
	if is_new:
		await scan()
		await settled()
	EditorInterface.get_resource_filesystem().update_file(SCENE)
	await frames(2)
