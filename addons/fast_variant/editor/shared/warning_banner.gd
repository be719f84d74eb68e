@tool
extends PanelContainer
## A warning at the top of the Problems panel, with one action and a button that dismisses it.

signal action_pressed
signal dismiss_pressed

var _icon := TextureRect.new()
var _label := Label.new()


func _init(action: String, tooltip: String) -> void:
	visible = false
	_icon.stretch_mode = TextureRect.STRETCH_KEEP_CENTERED
	_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_label.mouse_filter = Control.MOUSE_FILTER_PASS
	var act := Button.new()
	act.text = action
	act.tooltip_text = tooltip
	act.pressed.connect(action_pressed.emit)
	var dismiss := Button.new()
	dismiss.text = "Dismiss"
	dismiss.pressed.connect(dismiss_pressed.emit)
	var row := HBoxContainer.new()
	for control: Control in [_icon, _label, act, dismiss]:
		row.add_child(control)
	add_child(row)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_icon.texture = get_theme_icon(&"StatusWarning", &"EditorIcons")


func warn(message: String, details: String) -> void:
	_label.text = message
	_label.tooltip_text = details
	show()


func text() -> String:
	return _label.text
