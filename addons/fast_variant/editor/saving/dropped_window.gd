@tool
extends Window
## Shows the data that a save dropped or overwrote: the text before and after it, next to each other. Also shows the data that a
## save would overwrite.

signal restore_pressed(losses: _SaveLosses)
signal dismiss_pressed(losses: _SaveLosses)

const _Loss := preload("loss.gd")
const _SaveLosses := preload("save_losses.gd")
const _SideBySide := preload("side_by_side.gd")
const _Words := preload("../shared/words.gd")

var _background := PanelContainer.new()
var _summary := Label.new()
var _texts := _SideBySide.new()
var _previous := Button.new()
var _next := Button.new()
var _copy := Button.new()
var _restore := Button.new()
var _dismiss := Button.new()
var _close := Button.new()
var _losses: _SaveLosses


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	visible = false
	wrap_controls = true
	close_requested.connect(hide)
	_summary.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_summary.max_lines_visible = 3
	_texts.size_flags_vertical = Control.SIZE_EXPAND_FILL
	var column := VBoxContainer.new()
	for control: Control in [_summary, _texts, _make_buttons()]:
		column.add_child(control)
	_background.set_anchors_preset(Control.PRESET_FULL_RECT)
	_background.add_child(column)
	add_child(_background)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_background.add_theme_stylebox_override(&"panel", get_theme_stylebox(&"panel", &"AcceptDialog"))


## `first` is the loss to begin with; the first one without it.
func show_losses(losses: _SaveLosses, first: _Loss = null) -> void:
	var what := "Overwritten in" if losses.is_overwrite() else "Dropped from"
	_show(losses, "%s %s, %s" % [what, losses.path, losses.when()], losses.summary(), first)
	_texts.set_titles("Before the Save", "After the Save")
	_restore.text = losses.restore_title()
	for button: Button in [_restore, _dismiss]:
		button.show()


## The data that a save would overwrite.
func show_newer(newer: _SaveLosses, summary: String) -> void:
	_show(newer, "%s on the disk" % newer.path, summary, null)
	_texts.set_titles("On the Disk", "As the Editor Has Read It")
	for button: Button in [_restore, _dismiss]:
		button.hide()


func texts() -> _SideBySide:
	return _texts


## The selection in a text, or all dropped data.
func copied_text() -> String:
	var chosen := _texts.selected_text()
	if not chosen.is_empty():
		return chosen
	var sources: PackedStringArray = []
	for loss: _Loss in _losses.losses:
		sources.append(loss.source())
	return "\n".join(sources)


func _show(losses: _SaveLosses, title_: String, summary: String, first: _Loss) -> void:
	_losses = losses
	title = title_
	_summary.text = summary
	_texts.show_texts(losses.before, losses.after, losses.losses)
	popup_centered_ratio(0.7)
	# The texts know their size by then.
	_texts.go_to_loss.call_deferred(maxi(losses.losses.find(first), 0))
	_texts.grab_text_focus()


func _make_buttons() -> Control:
	var row := HBoxContainer.new()
	_previous.text = "Previous"
	_previous.tooltip_text = "The place before (Shift+F8)"
	_previous.pressed.connect(_texts.go_on.bind(-1))
	_next.text = "Next"
	_next.tooltip_text = "The next place (F8)"
	_next.pressed.connect(_texts.go_on.bind(1))
	_copy.text = "Copy"
	_copy.tooltip_text = "Copies what is selected, or else all that was dropped."
	_copy.pressed.connect(_on_copy_pressed)
	_restore.pressed.connect(_on_decided.bind(restore_pressed))
	_dismiss.text = "Dismiss"
	_dismiss.pressed.connect(_on_decided.bind(dismiss_pressed))
	_close.text = "Close"
	_close.pressed.connect(hide)
	var gap := Control.new()
	gap.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	for control: Control in [_previous, _next, gap, _copy, _restore, _dismiss, _close]:
		row.add_child(control)
	return row


func _shortcut_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if event.is_action_pressed(&"ui_cancel"):
		hide()
	elif key != null and key.pressed and key.keycode == KEY_F8:
		_texts.go_on(-1 if key.shift_pressed else 1)
	else:
		return
	set_input_as_handled()


func _on_decided(decision: Signal) -> void:
	hide()
	decision.emit(_losses)


func _on_copy_pressed() -> void:
	DisplayServer.clipboard_set(copied_text())
