@tool
extends RefCounted
## Moves on in the editor's history of undo, as its menu does: Godot 4.6 gives plugins no method for it.


## Waits until the editor is done with the step before, and moves on: it refuses to while a mouse button is pressed.
static func until_free() -> void:
	var tree: SceneTree = Engine.get_main_loop()
	await tree.process_frame
	while Input.get_mouse_button_mask() != 0:
		await tree.process_frame


static func undo() -> void:
	_choose("Undo", &"ui_undo")


static func redo() -> void:
	_choose("Redo", &"ui_redo")


## Does nothing if the editor's menu has no such entry.
static func _choose(title: String, action: StringName) -> void:
	for bar: Node in EditorInterface.get_base_control().find_children("*", "MenuBar", true, false):
		for child: Node in bar.get_children():
			var menu := child as PopupMenu
			if menu == null:
				continue
			for index: int in menu.item_count:
				if menu.get_item_text(index) == title or _has_keys_of(menu.get_item_shortcut(index), action):
					menu.id_pressed.emit(menu.get_item_id(index))
					return


static func _has_keys_of(shortcut: Shortcut, action: StringName) -> bool:
	return shortcut != null and InputMap.action_get_events(action).any(shortcut.matches_event)
