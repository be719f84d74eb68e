@tool
extends HBoxContainer
## One line above the list of problems: something to know or to do, which can wait. Text that does not fit is in the tooltip.

signal close_pressed
## Whether it is wanted has changed.
signal wanted_changed

## If several are wanted, the first is shown.
var is_wanted := false:
	set(value):
		is_wanted = value
		wanted_changed.emit()

var _label := Label.new()
var _close := LinkButton.new()


func _init(message: String, details: String) -> void:
	_label.text = message
	_label.tooltip_text = details
	_label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_label.mouse_filter = Control.MOUSE_FILTER_PASS
	_close.text = "Close"
	_close.size_flags_vertical = Control.SIZE_SHRINK_CENTER
	_close.pressed.connect(close_pressed.emit)
	add_child(_label)
	add_child(_close)
	hide()


func add_link(title: String, details: String, action: Callable) -> LinkButton:
	var link := LinkButton.new()
	link.text = title
	link.tooltip_text = details
	link.size_flags_vertical = Control.SIZE_SHRINK_CENTER
	link.pressed.connect(action)
	add_child(link)
	move_child(_close, -1)
	return link
