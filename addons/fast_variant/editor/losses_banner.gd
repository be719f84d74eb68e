@tool
extends PanelContainer
## Says that a save dropped something, and brings it back.

signal restore_pressed(losses: SaveLosses)
signal dismiss_pressed(losses: SaveLosses)

const SaveLosses := preload("save_losses.gd")

## What is shown; null if nothing is.
var losses: SaveLosses

var _icon := TextureRect.new()
var _label := Label.new()
var _restore := Button.new()
var _dismiss := Button.new()


func _init() -> void:
	visible = false
	_icon.stretch_mode = TextureRect.STRETCH_KEEP_CENTERED
	_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_restore.text = "Restore the Earlier Text"
	_restore.tooltip_text = "Writes the file as it was before the save, and opens the scene again."
	_restore.pressed.connect(_on_restore_pressed)
	_dismiss.text = "Dismiss"
	_dismiss.pressed.connect(_on_dismiss_pressed)
	var row := HBoxContainer.new()
	for control: Control in [_icon, _label, _restore, _dismiss]:
		row.add_child(control)
	add_child(row)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_icon.texture = get_theme_icon(&"StatusWarning", &"EditorIcons")


## Null hides it.
func show_losses(to_show: SaveLosses) -> void:
	losses = to_show
	visible = losses != null
	if losses == null:
		return
	_label.text = losses.summary()
	var lines: PackedStringArray = []
	for loss: SaveLosses.Loss in losses.losses:
		lines.append("%s: %s" % [loss.describe(), loss.reason])
	_label.tooltip_text = "\n".join(lines)


func _on_restore_pressed() -> void:
	restore_pressed.emit(losses)


func _on_dismiss_pressed() -> void:
	dismiss_pressed.emit(losses)
