@tool
extends PanelContainer
## Shows the data that the newest save dropped until the user dismisses it, and brings it back.

signal show_pressed(losses: _SaveLosses)
signal restore_pressed(losses: _SaveLosses)
signal dismiss_pressed(losses: _SaveLosses)
signal dismiss_all_pressed

const _LossList := preload("loss_list.gd")
const _SaveLosses := preload("save_losses.gd")
const _Words := preload("../shared/words.gd")

const _NOTE_SECONDS := 12.0

## The shown losses, or those to show after a note; null without losses.
var losses: _SaveLosses

var _icon := TextureRect.new()
var _label := Label.new()
var _show := Button.new()
var _restore := Button.new()
var _dismiss := Button.new()
var _dismiss_all := Button.new()
## Says how many other saves dropped something.
var _others := ""
## How long a result is shown.
var _timer := Timer.new()


func _init() -> void:
	visible = false
	_icon.stretch_mode = TextureRect.STRETCH_KEEP_CENTERED
	_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_label.mouse_filter = Control.MOUSE_FILTER_PASS
	_show.tooltip_text = "Shows the file before and after the save."
	_show.pressed.connect(_on_show_pressed)
	_restore.tooltip_text = "Writes the file as it was before the save, and opens it again. Later changes stay, if both can be merged."
	_restore.pressed.connect(_on_restore_pressed)
	_dismiss.text = "Dismiss"
	_dismiss.pressed.connect(_on_dismiss_pressed)
	_dismiss_all.text = "Dismiss All"
	_dismiss_all.tooltip_text = "Forgets what earlier saves dropped, too."
	_dismiss_all.pressed.connect(dismiss_all_pressed.emit)
	_timer.one_shot = true
	_timer.timeout.connect(_show_losses)
	var row := HBoxContainer.new()
	for control: Control in [_icon, _label, _show, _restore, _dismiss, _dismiss_all]:
		row.add_child(control)
	add_child(row)
	add_child(_timer)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_show_icon()


## Shows the newest of them; a note stays until its time is over, or a newer save drops something.
func show_losses(list: _LossList) -> void:
	var last_time := losses.time if losses != null else 0.0
	losses = list.newest()
	_others = _describe_others(list)
	if losses != null and losses.time > last_time:
		_timer.stop()
	if _timer.is_stopped():
		_show_losses()


## Shows for a while the result, or the reason why nothing was done.
func say(note: String) -> void:
	_label.text = note
	_label.tooltip_text = note
	visible = true
	for button: Button in [_show, _restore, _dismiss_all]:
		button.hide()
	if _timer.is_inside_tree():
		_timer.start(_NOTE_SECONDS)
	_show_icon()


func text() -> String:
	return _label.text


func _show_losses() -> void:
	visible = losses != null
	if losses == null:
		return
	_label.text = losses.summary().trim_suffix(".") + _others
	var lines: PackedStringArray = ["%s, %s" % [losses.path, losses.when()]]
	for loss: _SaveLosses._Loss in losses.losses:
		lines.append("%s: %s" % [loss.describe(), loss.reason])
	_label.tooltip_text = "\n".join(lines)
	_show.text = losses.show_title()
	_restore.text = losses.restore_title()
	for button: Button in [_show, _restore]:
		button.show()
	_dismiss_all.visible = _others != "."
	_show_icon()


func _describe_others(list: _LossList) -> String:
	if list.size() < 2:
		return "."
	var saves := _Words.counted(list.size() - 1, "%d earlier save", "%d earlier saves")
	var things := _Words.counted(list.count() - losses.losses.size(), "%d thing", "%d things")
	return "; %s dropped %s." % [saves, things]


func _show_icon() -> void:
	var is_note := not _timer.is_stopped() or losses == null
	_icon.texture = get_theme_icon(&"StatusSuccess" if is_note else &"StatusWarning", &"EditorIcons")


func _on_show_pressed() -> void:
	show_pressed.emit(losses)


func _on_restore_pressed() -> void:
	restore_pressed.emit(losses)


func _on_dismiss_pressed() -> void:
	if _timer.is_stopped():
		dismiss_pressed.emit(losses)
	else:
		_timer.stop()
		_show_losses()
