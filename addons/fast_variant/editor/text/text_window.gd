@tool
extends Window
## A window on the text of a scene: for scenes that Godot cannot open, and to see a line. The user's text is lost only if the user
## agrees.

const _ConfigurationWatch := preload("../settings/configuration_watch.gd")
const _Diagnostic := preload("../checking/diagnostic.gd")
const _Problems := preload("../problems/problems.gd")
const _Question := preload("../shared/question.gd")
const _Reader := preload("../reading/reader.gd")
const _Repairs := preload("../fixing/repairs.gd")
const _SafeFile := preload("../writing/safe_file.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _TextCheck := preload("text_check.gd")
const _TextEditor := preload("text_editor.gd")
const _TextFindingsBar := preload("text_findings_bar.gd")
const _TextNote := preload("text_note.gd")
const _TextSearchBar := preload("text_search_bar.gd")
const _TextSource := preload("text_source.gd")
const _WindowPlace := preload("../shared/window_place.gd")

## In seconds.
const _LOOK_INTERVAL := 1.0
## Where a text is kept if the user could not be asked about it.
const _RESCUE := "fast_variant_unsaved_text.txt"

var editor := _TextEditor.new()
var findings_bar := _TextFindingsBar.new()
var note := _TextNote.new()
var search_bar := _TextSearchBar.new()
var question := ConfirmationDialog.new()
var _problems: _Problems
var _repairs: _Repairs
var _path := ""
var _source: _TextSource
## Called when the user has decided about the text.
var _after_question := Callable()
var _is_gone := false
var _background := PanelContainer.new()
var _check := _TextCheck.new(editor)
var _position := LineEdit.new()
var _save := Button.new()
var _external := Button.new()
var _watch := Timer.new()


func _init(problems: _Problems, reader: _Reader, repairs: _Repairs) -> void:
	_problems = problems
	_repairs = repairs
	problems.changed.connect(_show_findings)
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	visible = false
	# So that it is not a dialog of a window that may be closed.
	wrap_controls = true
	close_requested.connect(close)
	focus_entered.connect(_look)
	var column := VBoxContainer.new()
	for control: Control in [findings_bar, note, search_bar, editor, _make_buttons()]:
		column.add_child(control)
	_background.set_anchors_preset(Control.PRESET_FULL_RECT)
	_background.add_child(column)
	add_child(_background)
	_watch.wait_time = _LOOK_INTERVAL
	_watch.timeout.connect(_look)
	add_child(_watch)
	_check.checked.connect(_mark)
	add_child(_check)
	_set_up_question()
	search_bar.editor = editor
	search_bar.closed.connect(editor.grab_focus)
	editor.text_changed.connect(_on_text_changed)
	editor.caret_changed.connect(_show_position)
	editor.finding_changed.connect(_on_finding_changed)
	findings_bar.step_pressed.connect(editor.go_to_finding)
	findings_bar.code_pressed.connect(reader.explain)
	note.copy_pressed.connect(_copy)
	note.reload_pressed.connect(_reload)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_background.add_theme_stylebox_override(&"panel", get_theme_stylebox(&"panel", &"AcceptDialog"))
		editor.custom_minimum_size.y = 120 * EditorInterface.get_editor_scale()
	elif what == NOTIFICATION_EXIT_TREE:
		_rescue()


## Counted from 1. Asks first if there is an unsaved text of another file.
func open(path: String, line: int, column: int) -> void:
	if has_unsaved_text() and path != _path:
		_ask(open.bind(path, line, column))
		return
	var is_shown := visible and path == _path and editor.has_line(line)
	if not visible:
		_WindowPlace.show_share(self, 0.6, Vector2(800, 500))
	if is_shown:
		_look()
	else:
		_read(path, line)
	_watch.start()
	editor.place_caret(line, column)
	editor.grab_focus()


## Asks first if there is an unsaved text.
func close() -> void:
	if has_unsaved_text():
		_ask(_hide)
	else:
		_hide()


func save() -> void:
	if not has_unsaved_text():
		return
	var text := _source.as_saved(editor.text)
	var refusal := _repairs.replace("Edit the Text of %s" % _path.get_file(), _path, _source.bytes, text)
	if refusal.is_empty():
		_source.bytes = text.to_utf8_buffer()
		editor.tag_saved_version()
		_is_gone = false
		note.say("")
	else:
		note.say("Not saved: %s" % refusal, true, true)
	_show_state()


func has_unsaved_text() -> bool:
	return visible and editor.editable and editor.is_changed()


## For the question that the editor asks before it closes; empty if nothing would be lost.
func unsaved_status() -> String:
	return "The text of %s has changes that are not saved." % _path if has_unsaved_text() else ""


func _read(path: String, line: int) -> void:
	_path = path
	_source = _TextSource.new(path, line)
	_is_gone = false
	editor.editable = _source.refusal.is_empty()
	editor.show_text(_source.text, _source.first_line)
	note.say(_source.refusal)
	_show_state()
	_show_findings()


func _hide() -> void:
	hide()
	_watch.stop()
	_check.stop()
	search_bar.close()
	editor.show_text("", 1)


func _ask(after: Callable) -> void:
	_after_question = after
	question.dialog_text = "The text of %s has changes that are not saved." % _path.get_file()
	if question.visible:
		question.grab_focus()
	else:
		_Question.ask(question)


func _set_up_question() -> void:
	question.title = "Unsaved Text"
	question.ok_button_text = "Save"
	question.add_button("Discard", true, "discard")
	question.confirmed.connect(_on_save_chosen)
	question.custom_action.connect(_on_discard_chosen)
	add_child(question)


func _on_save_chosen() -> void:
	save()
	# Refused text is still there, and the window shows the reason.
	if not has_unsaved_text():
		_after_question.call()


func _on_discard_chosen(_action: StringName) -> void:
	question.hide()
	editor.tag_saved_version()
	_after_question.call()


## Follows the file, unless there is a text of the user's.
func _look() -> void:
	if not visible or _source == null or _source.bytes.size() > _TextSource.MAX_WHOLE:
		return
	if not FileAccess.file_exists(_path):
		_is_gone = true
		note.say("The file does not exist any more.", has_unsaved_text())
		return
	var is_as_read := _SceneFiles.read(_path) == _source.bytes
	if _is_gone and is_as_read:
		note.say("")
	_is_gone = false
	if is_as_read:
		return
	if not has_unsaved_text():
		_reload()
	elif not note.visible:
		note.say("The file has changed since it was read here.", true, true)


func _reload() -> void:
	_source = _TextSource.new(_path, editor.get_caret_line() + editor.first_line)
	_is_gone = false
	editor.editable = _source.refusal.is_empty()
	if _source.first_line == 1 and editor.first_line == 1:
		editor.replace_text(_source.text)
	else:
		editor.show_text(_source.text, _source.first_line)
	note.say(_source.refusal)
	_show_state()
	_show_findings()


func _copy() -> void:
	DisplayServer.clipboard_set(editor.text)


## The addon is switched off, or the editor closes without a question: the user cannot be asked.
func _rescue() -> void:
	if not has_unsaved_text():
		return
	var file_path := EditorInterface.get_editor_paths().get_project_settings_dir().path_join(_RESCUE)
	var place := ProjectSettings.globalize_path(file_path)
	var reason := _SafeFile.put(file_path, editor.text.to_utf8_buffer())
	if reason.is_empty():
		push_warning("FastVariant: the unsaved text of %s is in %s." % [_path, place])
		return
	# The editor ends, so the output is the last place that can keep the text.
	push_error("FastVariant: the unsaved text of %s is not in %s: %s. It is:\n%s" % [_path, place, reason, editor.text])


## Those of the file. A text that is not saved is checked by itself; until then, the marks move with their lines.
func _show_findings() -> void:
	if not visible:
		return
	if has_unsaved_text():
		_check.check_soon(_path, _source)
		return
	_check.stop()
	_mark(_TextCheck.in_configuration(editor.text) if _path == _ConfigurationWatch.PATH else _problems.diagnostics_of(_path))


func _mark(found: Array[_Diagnostic]) -> void:
	editor.show_findings(found)
	_on_finding_changed(editor.finding)


func _show_state() -> void:
	var is_unsaved := has_unsaved_text()
	_save.disabled = not is_unsaved
	title = "%s (*)" % _path if is_unsaved else _path


func _show_position() -> void:
	if not _position.has_focus():
		_position.text = "%d:%d" % [editor.get_caret_line() + editor.first_line, editor.get_caret_column() + 1]


func _make_buttons() -> Control:
	var row := HBoxContainer.new()
	_position.tooltip_text = "Line and column. Enter another line to go there (Ctrl+G)."
	# Since Godot 4.5.
	_position.set(&"accessibility_name", "Line and column")
	_position.custom_minimum_size.x = 110 * EditorInterface.get_editor_scale()
	_position.select_all_on_focus = true
	_position.text_submitted.connect(_on_position_submitted)
	_position.focus_exited.connect(_show_position)
	_position.gui_input.connect(_on_position_input)
	var space := Control.new()
	space.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_external.text = "Open in External Program"
	_external.pressed.connect(_on_external_pressed)
	_save.text = "Save"
	_save.tooltip_text = "Save the text (Ctrl+S)"
	_save.disabled = true
	_save.pressed.connect(save)
	for control: Control in [_position, space, _external, _save]:
		row.add_child(control)
	return row


func _shortcut_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed:
		return
	var is_handled := true
	if event.is_action_pressed(&"ui_cancel"):
		_cancel()
	elif key.is_command_or_control_pressed():
		is_handled = _on_command(key.keycode)
	elif key.keycode == KEY_F3:
		search_bar.go(-1 if key.shift_pressed else 1)
	elif key.keycode == KEY_F8:
		editor.go_to_finding(-1 if key.shift_pressed else 1)
	else:
		is_handled = false
	if is_handled:
		set_input_as_handled()


func _on_command(key: Key) -> bool:
	match key:
		KEY_S:
			save()
		KEY_F:
			search_bar.open()
		KEY_G:
			_position.grab_focus()
			_position.select_all()
		_:
			return false
	return true


func _cancel() -> void:
	if search_bar.visible:
		search_bar.close()
	else:
		close()


func _on_text_changed() -> void:
	_show_state()
	_check.check_soon(_path, _source)


func _on_position_submitted(text: String) -> void:
	var parts := text.split(":")
	if parts[0].strip_edges().is_valid_int():
		editor.grab_focus()
		editor.place_caret(parts[0].to_int(), parts[1].to_int() if parts.size() > 1 else 1)


func _on_position_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_cancel"):
		_position.accept_event()
		editor.grab_focus()


func _on_finding_changed(finding: _Diagnostic) -> void:
	findings_bar.show_finding(finding, editor.findings())


func _on_external_pressed() -> void:
	OS.shell_open(ProjectSettings.globalize_path(_path))
