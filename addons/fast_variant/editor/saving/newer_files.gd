@tool
extends Node
## Warns before a save: of open scenes and scripts with unsaved edits that another program has written since the editor read them.
## Godot asks about such files when its window gets the focus, and does not mention unsaved edits.

const _DroppedWindow := preload("dropped_window.gd")
const _OpenScripts := preload("../writing/open_scripts.gd")
const _ProblemsPanel := preload("../problems/problems_panel.gd")
const _SaveAudit := preload("save_audit.gd")
const _SaveLosses := preload("save_losses.gd")
const _Saves := preload("saves.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Settings := preload("../settings/settings.gd")
const _Toasts := preload("../checking/toasts.gd")
const _UnsavedEdits := preload("../writing/unsaved_edits.gd")
const _WarningBanner := preload("../shared/warning_banner.gd")
const _Words := preload("../shared/words.gd")

## Programs write while the editor has the focus, too.
const _SECONDS := 2.0

var banner := _WarningBanner.new("Compare", "Shows the text on the disk next to the text that the editor has read.")
var window: _DroppedWindow

var _audit: _SaveAudit
var _toasts: _Toasts
var _unsaved: _UnsavedEdits
## The data that a save would overwrite, by file.
var _newer: Dictionary[String, _SaveLosses] = {}
## The texts on the disk that a warning has shown, by file.
var _shown: Dictionary[String, PackedByteArray] = {}
## The texts on the disk for which the user has dismissed the warning, by file.
var _dismissed: Dictionary[String, PackedByteArray] = {}
var _timer := Timer.new()


func _init(panel: _ProblemsPanel, saves: _Saves, toasts: _Toasts, unsaved: _UnsavedEdits, window_: _DroppedWindow) -> void:
	_audit = saves.audit
	_toasts = toasts
	_unsaved = unsaved
	window = window_
	banner.action_pressed.connect(_on_compare_pressed)
	banner.dismiss_pressed.connect(_on_dismiss_pressed)
	panel.add_banner(banner)
	saves.saved.connect(look.unbind(1), CONNECT_DEFERRED)
	_timer.wait_time = _SECONDS
	_timer.autostart = true
	_timer.timeout.connect(look)
	add_child(_timer)


func attach(plugin: EditorPlugin) -> void:
	plugin.scene_changed.connect(look.unbind(1), CONNECT_DEFERRED)
	plugin.scene_closed.connect(look.unbind(1), CONNECT_DEFERRED)
	EditorInterface.get_base_control().get_window().focus_entered.connect(look)


## Looks at the open files, and reports news.
func look() -> void:
	var known := _newer
	_newer = {}
	if is_inside_tree() and _Settings.is_on(_Settings.AUDIT_SAVES):
		_audit.look()
		for path: String in EditorInterface.get_open_scenes() + _OpenScripts.paths():
			_look_at(path, known.get(path))
	for path: String in _shown.keys():
		if not _newer.has(path):
			_shown.erase(path)
			_dismissed.erase(path)
	_show()


## The files with unsaved edits that are newer on the disk.
func paths() -> PackedStringArray:
	return PackedStringArray(_newer.keys())


func _look_at(path: String, known: _SaveLosses) -> void:
	if not _audit.is_newer(path) or not _unsaved.has(path):
		return
	var newer := _audit.newer(path, known)
	if newer != null:
		_newer[path] = newer


func _show() -> void:
	var shown: PackedStringArray = []
	var is_new := false
	for path: String in _newer:
		var text := _newer[path].before
		if _dismissed.get(path) == text:
			continue
		shown.append(path)
		is_new = is_new or _shown.get(path) != text
		_shown[path] = text
	if shown.is_empty():
		banner.hide()
		return
	var lines: PackedStringArray = []
	for path: String in shown:
		lines.append(_describe(path))
	var message := lines[0]
	if lines.size() > 1:
		message = "%d files have unsaved edits, and were changed on the disk. Saving overwrites that." % lines.size()
	banner.warn(message, "\n".join(lines))
	if is_new and not banner.is_visible_in_tree():
		_toasts.push(message, EditorToaster.SEVERITY_WARNING, "\n".join(lines), "Compare", _on_compare_pressed)


func _describe(path: String) -> String:
	var lines := _Words.counted(_newer[path].line_count(), "%d line of it was", "%d lines of it were")
	return "%s has unsaved edits, and %s changed on the disk. Saving overwrites that." % [path.get_file(), lines]


func _on_compare_pressed() -> void:
	for path: String in _newer:
		if _dismissed.get(path) != _newer[path].before:
			window.show_newer(_newer[path], _describe(path))
			return


func _on_dismiss_pressed() -> void:
	for path: String in _newer:
		_dismissed[path] = _newer[path].before
	_show()
