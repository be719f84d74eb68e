@tool
extends "../suite.gd"
## A broken scene in the Problems panel, with the files below it that cannot be opened because of it.

const ProblemsTree := preload("res://addons/fast_variant/editor/problems/problems_tree.gd")

const FOLDER := "res://root_causes/"
const BROKEN := FOLDER + "broken.tscn"
const BROKEN_TEXT := """[gd_scene format=3 uid="uid://c3rootcauses1"]

[node name="Broken" type="Node2D"]
position = Vector2(1, 2

[node name="Child" type="Node2D" parent="."]
"""
const USER := FOLDER + "user.tscn"
const USER_TEXT := """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://root_causes/broken.tscn" id="1"]

[node name="User" type="Node2D"]

[node name="B" parent="." instance=ExtResource("1")]

[connection signal="ready" from="." to="Gone" method="go"]
"""
const HEIR := FOLDER + "heir.tscn"
const HEIR_TEXT := """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://root_causes/broken.tscn" id="1"]

[node name="Heir" instance=ExtResource("1")]
"""
const ABOVE := FOLDER + "above.tscn"
const ABOVE_TEXT := """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://root_causes/user.tscn" id="1"]

[node name="Above" type="Node2D"]

[node name="U" parent="." instance=ExtResource("1")]
"""
const MANY := 12


func test_what_a_broken_scene_breaks_is_below_it() -> void:
	await remove(["res://broken.tscn"])
	make(BROKEN, BROKEN_TEXT)
	make(USER, USER_TEXT)
	make(HEIR, HEIR_TEXT)
	make(ABOVE, ABOVE_TEXT)
	await scan()
	parts().tab.show()
	await settled()
	check_equal(_rows(), [
		BROKEN + " (4), breaks 3 scenes", "  SYN007 4:19", "  RES017 %s 3:39" % ABOVE, "  RES017 %s 3:39" % HEIR, "  RES017 %s 3:39" % USER,
		USER + " (1)", "  SIG001 9:40",
	], "rows")
	check_equal(parts().panel.shown_diagnostics().size(), 5, "each problem is there once")
	var visited: PackedStringArray = []
	parts().panel.tree.deselect_all()
	for step: int in 5:
		parts().panel.visit(1)
		await frames(3)
		visited.append(parts().panel.tree.selected_diagnostic().path.get_file())
	close_dialogs_of_godot()
	# Visits go round, and begin after the problem that was visited last.
	var start := maxi(visited.find("broken.tscn"), 0)
	visited = visited.slice(start) + visited.slice(0, start)
	check_equal(visited, PackedStringArray(["broken.tscn", "above.tscn", "heir.tscn", "user.tscn", "user.tscn"]), "one after the other")
	parts().text_window.hide()


## Godot would ask what to do without the broken file, and a save would drop what it has.
func test_a_click_opens_the_text_of_what_is_broken() -> void:
	var tree := parts().panel.tree
	# Once it has its size, and no more rows come.
	await frames(5)
	var row := _row(HEIR)
	click_at(tree, tree.get_item_area_rect(row, ProblemsTree._Column.MESSAGE).get_center())
	await frames(3)
	check_equal(tree.selected_diagnostic().path, HEIR, "the selected problem")
	var window := parts().text_window
	check(window.visible, "the text is shown")
	var edit: CodeEdit = window.find_children("*", "CodeEdit", true, false)[0]
	check_equal([edit.text, edit.get_caret_line()], [HEIR_TEXT, 2], "the text, and the line from 0")
	window.hide()


## Below the broken scene nothing is hidden by a filter that leaves the scene itself out.
func test_filters() -> void:
	var panel := parts().panel
	await _type("heir.tscn")
	check_equal(_rows(), [HEIR + " (1)", "  RES017 3:39"], "a filter without the broken scene")
	await _type("")
	panel.filter.scene_path = BROKEN
	panel.filter.this_scene.button_pressed = true
	check_equal(_rows(), [BROKEN + " (1), breaks 3 scenes", "  SYN007 4:19"], "the broken scene only")
	panel.filter.this_scene.button_pressed = false
	panel.filter.scene_path = ""
	check_equal(_rows().size(), 7, "rows without a filter")


## The rule of its dependents is not one of the scene.
func test_ignoring_the_rules_of_the_file() -> void:
	var panel := parts().panel
	panel.tree.select_file(BROKEN)
	check_equal(panel.tree.selected_group().codes(), PackedStringArray(["SYN007"]), "rules of the file")
	panel._context_menu.id_pressed.emit(panel._Action.IGNORE_IN_FILE)
	await frames(3)
	check_equal(read("res://gdscene.toml"), "[per-path-ignores]\n\"root_causes/broken.tscn\" = [\"SYN007\"]\n", "the configuration")
	await settled()
	check_equal(_rows().slice(0, 2), [USER + " (2)", "  RES017 3:39"], "without a row of the broken scene, each is in its own file")
	await remove(["res://gdscene.toml"])
	parts().configuration.look()
	await settled()
	check_equal(_rows()[0], BROKEN + " (4), breaks 3 scenes", "it is there again")


func test_many_are_one_row() -> void:
	for number: int in MANY:
		make(FOLDER + "heir_%02d.tscn" % number, HEIR_TEXT)
	await settled()
	var panel := parts().panel
	check_equal(_rows().slice(0, 3), [BROKEN + " (16), breaks 15 scenes", "  SYN007 4:19", "  RES017 Breaks 15 scenes in 15 files"], "rows")
	var row := panel.tree.get_root().get_first_child().get_child(1)
	check(row.collapsed, "the row is folded")
	panel.tree.deselect_all()
	row.select(ProblemsTree._Column.MESSAGE)
	panel.tree.item_activated.emit()
	check_equal(row.get_child_count(), MANY + 3, "rows below")
	check_equal(row.get_child(1).get_text(ProblemsTree._Column.MESSAGE), HEIR, "a row")
	panel.tree.item_activated.emit()
	check(panel.tree.folded.is_empty(), "it is as at first: %s" % panel.tree.folded)
	for number: int in MANY:
		await remove([FOLDER + "heir_%02d.tscn" % number])
	await settled()


## A uid counts more than the path next to it.
func test_a_scene_is_found_by_its_uid() -> void:
	var id := ResourceUID.create_id()
	ResourceUID.add_id(id, BROKEN)
	make(BROKEN, BROKEN_TEXT.replace("uid://c3rootcauses1", ResourceUID.id_to_text(id)))
	make(HEIR, HEIR_TEXT.replace("path=\"res://root_causes/broken", "uid=\"%s\" path=\"res://root_causes/old" % ResourceUID.id_to_text(id)))
	await settled()
	check_equal(_rows()[0], BROKEN + " (4), breaks 3 scenes", "the broken scene")
	make(HEIR, HEIR_TEXT)
	await settled()
	ResourceUID.remove_id(id)


## When the scene is mended, what is below it goes.
func test_a_mended_scene_breaks_nothing() -> void:
	make(BROKEN, BROKEN_TEXT.replace("1, 2", "1, 2)"))
	await settled()
	check_equal(_rows(), [USER + " (1)", "  SIG001 9:40"], "rows")
	await remove([BROKEN, USER, HEIR, ABOVE])
	await settled()
	check_equal(_rows(), [], "rows in the end")


## All that are unfolded, with their codes and places.
func _rows() -> Array:
	parts().panel.refresh_now()
	var found := []
	var item := parts().panel.tree.get_root().get_first_child()
	while item != null:
		found.append(_words(item))
		item = item.get_next_visible()
	return found


func _words(item: TreeItem) -> String:
	var message := item.get_text(ProblemsTree._Column.MESSAGE)
	if item.get_parent() == parts().panel.tree.get_root():
		return message
	var words: PackedStringArray = [item.get_text(ProblemsTree._Column.CODE)]
	if message.begins_with("res://") or message.begins_with("Breaks"):
		words.append(message)
	words.append(item.get_text(ProblemsTree._Column.PLACE))
	return "  " + " ".join(words)


func _row(message: String) -> TreeItem:
	parts().panel.refresh_now()
	var item := parts().panel.tree.get_root().get_first_child()
	while item != null and item.get_text(ProblemsTree._Column.MESSAGE) != message:
		item = item.get_next_in_tree()
	check(item != null, "there is a row %s" % message)
	return item


## As somebody who types, and waits.
func _type(text: String) -> void:
	var filter := parts().panel.filter
	filter.text.text = text
	filter.text.text_changed.emit(text)
	var done := [false]
	filter.changed.connect(func() -> void: done[0] = true, CONNECT_ONE_SHOT)
	await until(func() -> bool: return done[0], "the filter has taken %s" % text)
