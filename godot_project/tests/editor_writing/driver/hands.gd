@tool
extends Node
## What a user does, in an editor without a window: by the editor's own objects and menus.

## How long to wait for the editor, in milliseconds. Frames say nothing about time on a busy machine.
const PATIENCE := 120_000


## Selects the node in the Scene dock, so that the Inspector shows it.
func select(node: Node) -> void:
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(node)
	EditorInterface.edit_node(node)
	await frames(2)


func save() -> void:
	EditorInterface.save_scene()
	await frames(2)


func undo() -> void:
	await choose("Undo")


func redo() -> void:
	await choose("Redo")


## Presses a button of a dialog or panel.
func press(button: Button) -> void:
	button.pressed.emit()
	await frames(2)


## What happens to whoever looks at what is shown: the mouse moves over the scene.
func look_around() -> void:
	await frames(3)


func frames(count: int) -> void:
	for frame: int in count:
		await get_tree().process_frame


## An entry of the editor's menus.
func choose(entry: String) -> void:
	for node: Node in EditorInterface.get_base_control().find_children("*", "PopupMenu", true, false):
		var menu: PopupMenu = node
		for index: int in menu.item_count:
			if menu.get_item_text(index) == entry and menu.get_parent() is MenuBar:
				menu.id_pressed.emit(menu.get_item_id(index))
				await frames(3)
				return
	push_error("there is no menu with %s" % entry)


## The dialog that waits for an answer, or null.
func question() -> AcceptDialog:
	for node: Node in get_tree().root.find_children("*", "AcceptDialog", true, false):
		var dialog: AcceptDialog = node
		if dialog.visible:
			return dialog
	return null
