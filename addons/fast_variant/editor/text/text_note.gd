@tool
extends PanelContainer
## Above a text: the reason why it was not saved, or cannot be changed, and the remedy.

signal copy_pressed
signal reload_pressed

const _WindowPlace := preload("../shared/window_place.gd")

var message := Label.new()
var _icon := TextureRect.new()
var _copy := Button.new()
var _reload := Button.new()


func _init() -> void:
	visible = false
	_WindowPlace.limit_lines(message)
	message.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_icon.stretch_mode = TextureRect.STRETCH_KEEP_CENTERED
	_copy.text = "Copy My Text"
	_copy.pressed.connect(copy_pressed.emit)
	_reload.text = "Read the File Again"
	_reload.tooltip_text = "Shows what the file has now. Undo brings your text back."
	_reload.pressed.connect(reload_pressed.emit)
	var row := HBoxContainer.new()
	for control: Control in [_icon, message, _copy, _reload]:
		row.add_child(control)
	add_child(row)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_icon.texture = get_theme_icon(&"StatusWarning", &"EditorIcons")


## Hides itself if there is nothing to say.
func say(text: String, can_copy := false, can_reload := false) -> void:
	message.text = text
	message.tooltip_text = text
	visible = not text.is_empty()
	_copy.visible = can_copy
	_reload.visible = can_reload
