@tool
extends PanelContainer
## Says that something still names files by paths that they had before they moved, and offers to repair that.

signal repair_pressed
signal dismiss_pressed

var _icon := TextureRect.new()
var _label := Label.new()


func _init() -> void:
	visible = false
	_icon.stretch_mode = TextureRect.STRETCH_KEEP_CENTERED
	_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_label.mouse_filter = Control.MOUSE_FILTER_PASS
	var repair := Button.new()
	repair.text = "Repair..."
	repair.tooltip_text = "Shows all places, and lets them name the new paths."
	repair.pressed.connect(repair_pressed.emit)
	var dismiss := Button.new()
	dismiss.text = "Dismiss"
	dismiss.pressed.connect(dismiss_pressed.emit)
	var row := HBoxContainer.new()
	for control: Control in [_icon, _label, repair, dismiss]:
		row.add_child(control)
	add_child(row)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_icon.texture = get_theme_icon(&"StatusWarning", &"EditorIcons")


func tell(message: String, details: String) -> void:
	_label.text = message
	_label.tooltip_text = details
	show()


func text() -> String:
	return _label.text
