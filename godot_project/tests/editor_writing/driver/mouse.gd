@tool
extends "hands.gd"
## What a user does, with the mouse and the keys of an X server.

var _xdotool := OS.get_environment("FV_XDOTOOL")


func select(node: Node) -> void:
	var tree := _scene_tree()
	# The editor needs some frames to select what was selected in a scene that comes to the front.
	await frames(10)
	var end := Time.get_ticks_msec() + PATIENCE
	while Time.get_ticks_msec() < end:
		var item := _item_of(tree.get_root(), node.get_path())
		# A click on a selected node begins to rename it.
		if item != null and item.is_selected(0):
			EditorInterface.edit_node(node)
			break
		if item != null:
			var area := tree.get_item_area_rect(item, 0)
			area.position += tree.get_screen_position() - tree.get_scroll()
			await click(area.get_center())
			break
		await frames(1)
	while Time.get_ticks_msec() < end:
		if EditorInterface.get_inspector().get_edited_object() == node:
			return
		await frames(1)
	push_error("a click did not select %s" % node)


func save() -> void:
	await keys("ctrl+s")


func undo() -> void:
	await keys("ctrl+z")


func redo() -> void:
	await keys("ctrl+shift+z")


func press(button: Button) -> void:
	await click(button.get_screen_position() + button.size / 2.0)


func look_around() -> void:
	var view := EditorInterface.get_editor_viewport_2d().get_parent() as Control
	var middle := view.get_screen_position() + view.size / 2.0
	for step: int in 3:
		_tool(["mousemove", str(int(middle.x) + 15 * step), str(int(middle.y) + 10 * step)])
		await frames(4)


func click(at: Vector2) -> void:
	_tool(["mousemove", str(roundi(at.x)), str(roundi(at.y))])
	# The editor has to see the mouse there first.
	await frames(4)
	_tool(["click", "1"])
	await frames(4)


func keys(combination: String) -> void:
	_tool(["key", "--clearmodifiers", combination])
	await frames(4)


func _tool(arguments: PackedStringArray) -> void:
	OS.execute(_xdotool, arguments)


func _scene_tree() -> Tree:
	var editor := EditorInterface.get_base_control().find_children("*", "SceneTreeEditor", true, false)[0]
	return editor.find_children("*", "Tree", true, false)[0]


func _item_of(item: TreeItem, path: NodePath) -> TreeItem:
	while item != null:
		if item.get_metadata(0) == path:
			return item
		item = item.get_next_in_tree()
	return null
