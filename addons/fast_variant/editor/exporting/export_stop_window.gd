@tool
extends ConfirmationDialog
## Says that an export was stopped, and why. If the user may choose, it can be started again.

signal export_anyway_pressed(is_remembered: bool)
signal stop_pressed(is_remembered: bool)

const _ExportOutcome := preload("export_outcome.gd")
const _Settings := preload("../settings/settings.gd")
const _WindowPlace := preload("../shared/window_place.gd")
const _Words := preload("../shared/words.gd")

const _SIZE := Vector2(760, 380)
## The number of reasons in the list.
const _MOST := 500

var reasons := RichTextLabel.new()
var remember := CheckBox.new()
var _heading := Label.new()


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	title = "Export Stopped"
	set_unparent_when_invisible(true)
	_WindowPlace.limit_lines(_heading)
	reasons.selection_enabled = true
	reasons.context_menu_enabled = true
	reasons.focus_mode = Control.FOCUS_ALL
	reasons.size_flags_vertical = Control.SIZE_EXPAND_FILL
	remember.text = "Do the same from now on"
	remember.tooltip_text = "Sets Errors on Export to Warn or to Stop, in Project Settings > Fast Variant > Scenes."
	remember.button_pressed = true
	var column := VBoxContainer.new()
	for control: Control in [_heading, reasons, remember]:
		column.add_child(control)
	add_child(column)
	confirmed.connect(func() -> void: export_anyway_pressed.emit(remember.button_pressed))
	# Not `canceled`, because closing the window decides nothing.
	get_cancel_button().pressed.connect(func() -> void: stop_pressed.emit(remember.button_pressed))


## Comes up in front of all windows. Enter stops.
func show_outcome(outcome: _ExportOutcome, action: int) -> void:
	var may_choose := action == _Settings._OnExport.ASK
	_heading.text = "%s: not exported, because of %s in scenes and resources%s. " % [
		", ".join(outcome.stopped), _Words.counted(outcome.reasons.size(), "%d error", "%d errors"),
		"" if action == _Settings._OnExport.STOP_FOR_ALL else ": Godot cannot load a file, or the game would lack a part of it"
	]
	if may_choose:
		_heading.text += "Godot's export cannot wait for an answer, so it was stopped; Export Anyway starts it again."
	else:
		_heading.text += "Project Settings > Fast Variant > Scenes > Errors on Export stops it."
	_heading.tooltip_text = _heading.text
	var shown := outcome.reasons.slice(0, _MOST)
	if outcome.reasons.size() > _MOST:
		shown.append("and %d more" % (outcome.reasons.size() - _MOST))
	reasons.text = "\n".join(shown)
	remember.visible = may_choose
	get_ok_button().visible = may_choose
	ok_button_text = "Export Anyway"
	cancel_button_text = "Stop" if may_choose else "Close"
	var size_here := Vector2i(_SIZE * EditorInterface.get_editor_scale())
	popup_exclusive_centered_clamped(EditorInterface.get_base_control(), size_here)
	# Godot gives the focus to OK when the window appears.
	get_cancel_button().grab_focus.call_deferred()


func heading() -> String:
	return _heading.text
