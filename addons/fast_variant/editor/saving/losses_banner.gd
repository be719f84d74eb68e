@tool
extends PanelContainer
## Says that a save dropped something, shows it, and brings it back.

signal show_pressed(losses: SaveLosses)
signal restore_pressed(losses: SaveLosses)
signal dismiss_pressed(losses: SaveLosses)

const SaveLosses := preload("save_losses.gd")

const _NOTE_SECONDS := 12.0

## What is shown; null if nothing is.
var losses: SaveLosses

var _icon := TextureRect.new()
var _label := Label.new()
var _show := Button.new()
var _restore := Button.new()
var _dismiss := Button.new()
## How long what was done is told.
var _timer := Timer.new()


func _init() -> void:
	visible = false
	_icon.stretch_mode = TextureRect.STRETCH_KEEP_CENTERED
	_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_label.mouse_filter = Control.MOUSE_FILTER_PASS
	_show.text = "Show What Was Dropped"
	_show.tooltip_text = "Shows the file before and after the save."
	_show.pressed.connect(_on_show_pressed)
	_restore.text = "Restore the Earlier Text"
	_restore.tooltip_text = "Writes the file as it was before the save, and opens it again."
	_restore.pressed.connect(_on_restore_pressed)
	_dismiss.text = "Dismiss"
	_dismiss.pressed.connect(_on_dismiss_pressed)
	_timer.one_shot = true
	_timer.timeout.connect(_show_losses)
	var row := HBoxContainer.new()
	for control: Control in [_icon, _label, _show, _restore, _dismiss]:
		row.add_child(control)
	add_child(row)
	add_child(_timer)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_show_icon()


## Null hides it, but for what was just done.
func show_losses(to_show: SaveLosses) -> void:
	losses = to_show
	if losses != null:
		_timer.stop()
	if _timer.is_stopped():
		_show_losses()


## Tells what was done, or why it was not, for a while.
func say(note: String) -> void:
	_label.text = note
	_label.tooltip_text = note
	visible = true
	for button: Button in [_show, _restore]:
		button.visible = losses != null
	_show_icon()
	if _timer.is_inside_tree():
		_timer.start(_NOTE_SECONDS)


func text() -> String:
	return _label.text


func _show_losses() -> void:
	visible = losses != null
	if losses == null:
		return
	_label.text = losses.summary()
	var lines: PackedStringArray = []
	for loss: SaveLosses.Loss in losses.losses:
		lines.append("%s: %s" % [loss.describe(), loss.reason])
	_label.tooltip_text = "\n".join(lines)
	for button: Button in [_show, _restore]:
		button.show()
	_show_icon()


func _show_icon() -> void:
	_icon.texture = get_theme_icon(&"StatusWarning" if losses != null else &"StatusSuccess", &"EditorIcons")


func _on_show_pressed() -> void:
	show_pressed.emit(losses)


func _on_restore_pressed() -> void:
	restore_pressed.emit(losses)


func _on_dismiss_pressed() -> void:
	_timer.stop()
	if losses != null:
		dismiss_pressed.emit(losses)
	else:
		_show_losses()
