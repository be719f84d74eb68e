@tool
extends RefCounted
## The editor's list of the signals and connections of the selected node: a separate dock since Godot 4.6, a part of the Node dock
## before. Godot gives plugins no way to it; where it is built in another way, it is not shown.

const _SceneConnection := preload("scene_connection.gd")

## The list is filled after its node was selected.
const _MAX_FRAMES := 30


## Shows it, with the row of the connection, or else of its signal. Returns whether it was found.
static func show(connection: _SceneConnection) -> bool:
	var list := _find("ConnectionsDock") as Control
	if list == null:
		return false
	_bring_to_front(list)
	var trees := list.find_children("*", "Tree", true, false)
	if trees.is_empty():
		return false
	var tree: Tree = trees[0]
	var main_loop: SceneTree = Engine.get_main_loop()
	for frame: int in _MAX_FRAMES:
		await main_loop.process_frame
		var row := _row_of(tree, connection)
		if row != null:
			row.uncollapse_tree()
			row.select(0)
			tree.scroll_to_item(row)
			break
	return true


static func _find(type: String) -> Node:
	var found := EditorInterface.get_base_control().find_children("*", type, true, false)
	return found[0] if not found.is_empty() else null


static func _bring_to_front(list: Control) -> void:
	var dock := list.get_parent()
	if dock.has_method(&"make_visible"):
		dock.call(&"make_visible")
		return
	# Its two parts have buttons, the first one that of the signals.
	while dock != null and not dock.get_parent() is TabContainer:
		dock = dock.get_parent()
	if dock == null:
		return
	var tabs: TabContainer = dock.get_parent()
	tabs.current_tab = tabs.get_tab_idx_from_control(dock as Control)
	if not list.visible:
		var buttons := dock.find_children("*", "Button", true, false)
		if not buttons.is_empty():
			(buttons[0] as Button).pressed.emit()


## A dictionary identifies each row: `signal` and `callable` of a connection, `name` of a signal
## (`ConnectionsDock::update_tree`, Godot 4.6.3).
static func _row_of(tree: Tree, connection: _SceneConnection) -> TreeItem:
	var of_signal: TreeItem = null
	var row := tree.get_root()
	while row != null:
		var what: Variant = row.get_metadata(0)
		if what is Dictionary:
			var data: Dictionary = what
			if str(data.get("name", "")) == connection.signal_name:
				of_signal = row
			elif data.get("callable") is Callable and data.get("signal") is Signal:
				var callable: Callable = data["callable"]
				var signal_: Signal = data["signal"]
				if signal_.get_name() == connection.signal_name and callable.get_method() == connection.method:
					return row
		row = row.get_next_in_tree()
	return of_signal
