@tool
extends Node
## Says on top of Godot's Export dialog that an export was stopped, and why: of a pack or zip Godot shows no messages at all.
## Where the setting lets the user choose, it asks whether to export anyway.
##
## Godot notifies plugins of an export while it runs, and does not wait for them. So the question comes when the export has been
## stopped, in the next frame. The answer starts it again, by the signal of Godot's dialog that started it before. Exports from the
## command line use none of these dialogs, and so are never asked about.

const _ExportGuard := preload("export_guard.gd")
const _ExportOutcome := preload("export_outcome.gd")
const _ExportStopWindow := preload("export_stop_window.gd")
const _Settings := preload("../settings/settings.gd")
const _Toasts := preload("../checking/toasts.gd")

## The parts of Godot's Export dialog, which has a child for each way to start an export (editor/export/project_export.cpp, Godot 4.6.3).
const _DIALOG_CLASS := "ProjectExportDialog"
## Those of the children: a file was chosen, or a button of *Export All* pressed.
const _STARTING_SIGNALS: Array[StringName] = [&"file_selected", &"custom_action"]

## Null while nothing is asked.
var window: _ExportStopWindow

var _guard: _ExportGuard
var _toasts: _Toasts
## Null if this editor has none of this class.
var _dialog: Window
## Starts the last export again.
var _start_again: Callable


func _init(guard: _ExportGuard, toasts: _Toasts) -> void:
	_guard = guard
	_toasts = toasts
	_guard.ended.connect(_on_export_ended)


func attach(_plugin: EditorPlugin) -> void:
	var dialogs := EditorInterface.get_base_control().find_children("*", _DIALOG_CLASS, true, false)
	if dialogs.is_empty():
		return
	_dialog = dialogs[0]
	_dialog.visibility_changed.connect(_on_dialog_shown)
	for child: Node in _dialog.find_children("*", "AcceptDialog", true, false):
		for name_of_signal: StringName in _STARTING_SIGNALS:
			if child.has_signal(name_of_signal):
				var started := Signal(child, name_of_signal)
				# Godot's own connection is older, so that its export has ended by then.
				started.connect(_on_export_started.bind(started))


func detach(_plugin: EditorPlugin) -> void:
	if window != null:
		window.queue_free()


## The outcomes of other exports, such as those to a device, do not belong to this dialog.
func _on_dialog_shown() -> void:
	_guard.take_outcome()


func _on_export_started(argument: Variant, started: Signal) -> void:
	_start_again = started.emit.bind(argument)
	_show_outcome.call_deferred()


func _on_export_ended() -> void:
	if _dialog == null and DisplayServer.get_name() != "headless":
		_tell(_guard.take_outcome())


func _show_outcome() -> void:
	var outcome := _guard.take_outcome()
	var may_choose := _Settings.on_export() == _Settings._OnExport.ASK
	if not outcome.stopped.is_empty() and (may_choose or not _are_messages_shown()):
		_open(outcome)
	elif outcome.stopped.is_empty() and not _are_messages_shown():
		_tell(outcome)


func _open(outcome: _ExportOutcome) -> void:
	window = _ExportStopWindow.new()
	window.export_anyway_pressed.connect(_on_export_anyway)
	window.stop_pressed.connect(_on_stop)
	window.visibility_changed.connect(_on_window_hidden)
	window.show_outcome(outcome, _Settings.on_export())


func _tell(outcome: _ExportOutcome) -> void:
	const LISTED := "The Output panel lists them."
	if not outcome.stopped.is_empty():
		_toasts.push("%s: not exported, because of errors in scenes." % ", ".join(outcome.stopped),
				EditorToaster.SEVERITY_ERROR, LISTED)
	elif not outcome.listed.is_empty():
		_toasts.push("%s: exported, with errors in scenes." % ", ".join(outcome.listed), EditorToaster.SEVERITY_WARNING, LISTED)


## Whether Godot has shown the messages of the export.
func _are_messages_shown() -> bool:
	for child: Node in _dialog.find_children("*", "AcceptDialog", true, false):
		var other: AcceptDialog = child
		if other.visible:
			return true
	return false


func _on_export_anyway(is_remembered: bool) -> void:
	if is_remembered:
		_remember(_Settings._OnExport.WARN)
	_export_again.call_deferred()


func _export_again() -> void:
	# The messages of the stopped export would hide the progress of the new one.
	for child: Node in _dialog.find_children("*", "AcceptDialog", true, false):
		var other: AcceptDialog = child
		other.hide()
	_guard.is_let_pass = true
	_start_again.call()
	_guard.is_let_pass = false


func _on_stop(is_remembered: bool) -> void:
	if is_remembered and _Settings.on_export() == _Settings._OnExport.ASK:
		_remember(_Settings._OnExport.STOP)


## An `OnExport` of the settings. Not typed so, because Godot would look in an autoload `Settings` of the project.
func _remember(action: int) -> void:
	ProjectSettings.set_setting(_Settings.ON_EXPORT, action)
	var error := ProjectSettings.save()
	if error != OK:
		_toasts.push("project.godot: the answer is not kept: %s." % error_string(error), EditorToaster.SEVERITY_ERROR)


func _on_window_hidden() -> void:
	if window != null and not window.visible:
		window.queue_free()
		window = null
