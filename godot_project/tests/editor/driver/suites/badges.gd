@tool
extends "../suite.gd"
## The marks on nodes in the Scene dock.

const PATH := "res://badges/marked.tscn"
const TEXT := """[gd_scene format=3]

[node name="Root" type="Node"]

[node name="Child" type="Node" parent="."]

[node name="Grandchild" type="Node" parent="Child"]

[connection signal="ready" from="Child/Grandchild" to="Gone" method="go"]
"""


func test_nodes_with_problems_are_marked() -> void:
	make(PATH, TEXT)
	await settled()
	await open(PATH)
	await until(func() -> bool: return _marked() == ["Grandchild"], "the node is marked")


## The dock makes its rows anew.
func test_marks_stay_when_nodes_change() -> void:
	var root := EditorInterface.get_edited_scene_root()
	var added := Node.new()
	added.name = "Added"
	root.add_child(added)
	added.owner = root
	root.get_node("Child/Grandchild").name = "Other"
	root.get_node("Child/Other").name = "Grandchild"
	root.get_node("Child").add_to_group(&"group", true)
	await frames(20)
	await until(func() -> bool: return _marked() == ["Grandchild"], "the node is marked again")


func test_a_click_leads_to_the_problem() -> void:
	var tree := parts().scene_badges._tree
	parts().panel.tree.deselect_all()
	var row := parts().scene_badges._find_row(EditorInterface.get_edited_scene_root().get_node("Child/Grandchild").get_path())
	tree.button_clicked.emit(row, 0, parts().scene_badges._BUTTON, MOUSE_BUTTON_LEFT)
	await frames(3)
	check(parts().panel.tree.selected_diagnostic() != null, "the problem is selected")


func test_marks_can_be_switched_off() -> void:
	var editor := EditorInterface.get_editor_settings()
	editor.set_setting(Settings.BADGES, false)
	await until(func() -> bool: return _marked() == [], "nothing is marked")
	editor.set_setting(Settings.BADGES, true)
	await until(func() -> bool: return _marked() == ["Grandchild"], "the node is marked again")


func test_mended_nodes_are_not_marked() -> void:
	EditorInterface.close_scene()
	await remove([PATH])
	await settled()
	check_equal(_marked(), [], "marked nodes")


func _marked() -> Array:
	var names := []
	for path: NodePath in parts().scene_badges.marked_nodes():
		names.append(str(path.get_name(path.get_name_count() - 1)))
	return names
