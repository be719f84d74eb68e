@tool
extends PopupMenu
## The actions for the selected row of a comparison.

signal open_pressed
signal revert_pressed

enum _Entry { OPEN, REVERT }


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	id_pressed.connect(_on_id_pressed)


## `refusal` says why the change cannot be taken back; it is empty if it can.
func show_at(place: Vector2i, refusal: String) -> void:
	clear()
	add_icon_item(_icon(&"Load"), "Open", _Entry.OPEN)
	add_icon_item(_icon(&"UndoRedo"), "Revert This Change", _Entry.REVERT)
	set_item_disabled(_Entry.REVERT, not refusal.is_empty())
	set_item_tooltip(_Entry.REVERT, refusal)
	position = place
	reset_size()
	popup()


func _icon(icon: StringName) -> Texture2D:
	return EditorInterface.get_editor_theme().get_icon(icon, &"EditorIcons")


func _on_id_pressed(id: int) -> void:
	if id == _Entry.OPEN:
		open_pressed.emit()
	else:
		revert_pressed.emit()
