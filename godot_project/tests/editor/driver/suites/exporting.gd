@tool
extends "../suite.gd"
## Exports from Godot's Export dialog: what stops them, what is only listed, and the question whether to export anyway.

const ExportHarm := preload("res://addons/fast_variant/editor/exporting/export_harm.gd")
const ExportStopWindow := preload("res://addons/fast_variant/editor/exporting/export_stop_window.gd")
const Native := preload("res://addons/fast_variant/editor/shared/native.gd")

const SCENE := "res://exported.tscn"
const GOOD := """[gd_scene format=3]

[node name="Root" type="Node"]
"""
## Godot loads it, and says nothing.
const DEAD_CONNECTION := GOOD + "\n[connection signal=\"ready\" from=\".\" to=\".\" method=\"gone\"]\n"
const UNLOADABLE := GOOD + "editor_description = ExtResource(\"1\")\n"
const PRESETS := "res://export_presets.cfg"

## Beside the project, so that no export holds an earlier one.
var _folder := ProjectSettings.globalize_path("res://").path_join("../exported")
var _dialog: Window


func test_rules_that_stop_an_export_exist() -> void:
	for code: String in ExportHarm.CODES:
		check(not Native.explain(code).is_empty(), "there is a rule %s" % code)


func test_exports_from_the_dialog() -> void:
	DirAccess.make_dir_recursive_absolute(_folder)
	await _open_dialog()
	await _what_does_no_harm_is_listed()
	await _the_question_lets_it_pass()
	await _closing_decides_nothing()
	await _stop_is_remembered()
	await _every_error_stops_it()
	await _export_anyway_is_remembered()
	await _nothing_is_said()
	await _of_a_game_godot_lists_the_reasons()
	await _close_dialog()


func _what_does_no_harm_is_listed() -> void:
	await _export(DEAD_CONNECTION, "listed.pck")
	check(_is_there("listed.pck"), "a dead connection does not stop an export")
	check(_window() == null, "nothing is asked")
	await until(_has_label.bind("listed.pck: exported, with errors in scenes."), "a toast")


func _the_question_lets_it_pass() -> void:
	await _export(UNLOADABLE, "asked.zip")
	check(not _is_there("asked.zip"), "a file that Godot cannot load stops an export")
	check(_window() != null and _window().visible, "the question is there")
	if _window() == null:
		return
	check(_window().heading().contains("asked.zip: not exported, because of 1 error"), _window().heading())
	check(_window().reasons.get_parsed_text().contains("%s:4:" % SCENE), _window().reasons.get_parsed_text())
	check_equal(_window().gui_get_focus_owner(), _window().get_cancel_button(), "what has the focus")
	_window().remember.button_pressed = false
	await _export_anyway("asked.zip")
	check(_window() == null, "the question is gone")
	check_equal(Settings.on_export(), Settings._OnExport.ASK, "nothing is remembered")
	await until(_has_label.bind("asked.zip: exported, with errors in scenes."), "a toast")


func _closing_decides_nothing() -> void:
	await _export(UNLOADABLE, "closed.pck")
	check(_window() != null, "it is asked again")
	_press(KEY_ESCAPE)
	await frames(3)
	check(_window() == null and not _is_there("closed.pck"), "Escape closes the question")
	check_equal(Settings.on_export(), Settings._OnExport.ASK, "and decides nothing")


func _stop_is_remembered() -> void:
	await _export(UNLOADABLE, "stopped.pck")
	_press(KEY_ENTER)
	await frames(3)
	check(_window() == null and not _is_there("stopped.pck"), "Enter stops")
	check_equal(Settings.on_export(), Settings._OnExport.STOP, "Stop is remembered")
	check(read("res://project.godot").contains("scenes/errors_on_export=%d" % Settings._OnExport.STOP), "in the project")
	await _export(UNLOADABLE, "stopped.pck")
	check(_window() != null and not _window().get_ok_button().visible, "then it is said, and not asked")
	check(_window() != null and _window().heading().contains("Errors on Export stops it"), "and by what")
	_press(KEY_ENTER)
	await frames(3)
	await _export(DEAD_CONNECTION, "stopped.pck")
	check(_is_there("stopped.pck"), "what does no harm passes still")


func _every_error_stops_it() -> void:
	ProjectSettings.set_setting(Settings.ON_EXPORT, Settings._OnExport.STOP_FOR_ALL)
	await _export(DEAD_CONNECTION, "all.pck")
	check(_window() != null and not _is_there("all.pck"), "every error stops it")
	_press(KEY_ENTER)
	await frames(3)


func _export_anyway_is_remembered() -> void:
	ProjectSettings.set_setting(Settings.ON_EXPORT, Settings._OnExport.ASK)
	await _export(UNLOADABLE, "anyway.pck")
	await _export_anyway("anyway.pck")
	check_equal(Settings.on_export(), Settings._OnExport.WARN, "Export Anyway is remembered")
	await _export(UNLOADABLE, "warned.pck")
	check(_window() == null and _is_there("warned.pck"), "nothing is asked any more")


func _nothing_is_said() -> void:
	ProjectSettings.set_setting(Settings.ON_EXPORT, Settings._OnExport.IGNORE)
	await _export(UNLOADABLE, "ignored.pck")
	check(_window() == null and _is_there("ignored.pck"), "nothing is asked")
	check(not _has_label("ignored.pck: exported, with errors in scenes."), "and nothing said")


## The question is in front of Godot's own list. Where nothing is to be asked, Godot's list is enough.
func _of_a_game_godot_lists_the_reasons() -> void:
	ProjectSettings.set_setting(Settings.ON_EXPORT, Settings._OnExport.ASK)
	var preset: Object = _dialog.call(&"get_current_preset")
	# The export copies it, whatever it is.
	preset.set(&"custom_template/debug", OS.get_executable_path())
	await frames(3)
	await _export(UNLOADABLE, "game.x86_64", "Export Project...")
	check(not _is_there("game.x86_64") and not _is_there("game.pck"), "an error stops a game")
	check(_window() != null and _lists().size() == 1, "the question is in front of Godot's list")
	if _window() != null:
		_window().remember.button_pressed = false
	await _export_anyway("game.x86_64")
	check(_is_there("game.pck") and _lists().size() == 1, "what Godot says of the second export is shown: %s" % [_lists()])
	await _close_lists()
	ProjectSettings.set_setting(Settings.ON_EXPORT, Settings._OnExport.STOP)
	await _export(UNLOADABLE, "game.x86_64", "Export Project...")
	check(not _is_there("game.x86_64") and _window() == null and _lists().size() == 1, "Godot's list alone")
	await _close_lists()


## Windows of Godot with messages of an export.
func _lists() -> Array[AcceptDialog]:
	var found: Array[AcceptDialog] = []
	for list: AcceptDialog in _dialog.find_children("*", "AcceptDialog", true, false):
		if list.visible and list != _window():
			found.append(list)
	return found


func _close_lists() -> void:
	for list: AcceptDialog in _lists():
		list.get_ok_button().pressed.emit()
	await frames(2)


func _export_anyway(file: String) -> void:
	print("[expected errors")
	if _window() != null:
		_window().get_ok_button().pressed.emit()
	await frames(3)
	await until(_is_there.bind(file), "%s is exported anyway" % file)
	print("expected errors]")


## With a preset, added by its menu.
func _open_dialog() -> void:
	await choose_in_menu("Export...")
	_dialog = EditorInterface.get_base_control().find_children("*", "ProjectExportDialog", true, false)[0]
	var menu := _button("Add...") as MenuButton
	for index: int in menu.get_popup().item_count:
		if menu.get_popup().get_item_text(index) == "Linux":
			menu.get_popup().index_pressed.emit(index)
	await frames(3)
	# What other suites have left.
	var others: PackedStringArray = []
	for path: String in parts().problems.paths():
		others.append(path.trim_prefix("res://"))
	var resources: Node = _dialog.find_child("Resources", true, false)
	var exclude: LineEdit = resources.find_children("*", "LineEdit", true, false)[-1]
	exclude.text = ", ".join(others)
	exclude.text_changed.emit(exclude.text)
	await frames(3)


func _close_dialog() -> void:
	for button: Button in _dialog.find_children("*", "Button", true, false):
		if button.tooltip_text == "Delete":
			button.pressed.emit()
	await frames(2)
	for question: ConfirmationDialog in _dialog.find_children("*", "ConfirmationDialog", true, false):
		if question.visible:
			question.get_ok_button().pressed.emit()
	await get_tree().create_timer(1.5).timeout
	_dialog.hide()
	ProjectSettings.set_setting(Settings.ON_EXPORT, Settings._OnExport.ASK)
	ProjectSettings.save()
	await remove([SCENE, PRESETS])
	_remove_folder()
	await settled()


func _remove_folder() -> void:
	for file: String in DirAccess.get_files_at(_folder):
		DirAccess.remove_absolute(_folder.path_join(file))
	DirAccess.remove_absolute(_folder)


## The button, a name, and Save.
func _export(text: String, file: String, button := "Export PCK/ZIP...") -> void:
	make(SCENE, text)
	print("[expected errors")
	_button(button).pressed.emit()
	await frames(3)
	for chooser: FileDialog in _dialog.find_children("*", "FileDialog", true, false):
		if chooser.visible:
			chooser.current_path = _folder.path_join(file)
			await frames(2)
			chooser.get_ok_button().pressed.emit()
			await frames(3)
			for question: ConfirmationDialog in chooser.find_children("*", "ConfirmationDialog", true, false):
				if question.visible:
					question.get_ok_button().pressed.emit()
	await frames(3)
	print("expected errors]")


func _is_there(file: String) -> bool:
	return FileAccess.file_exists(_folder.path_join(file))


## Null if nothing is asked.
func _window() -> ExportStopWindow:
	return parts().export_question.window


func _press(key: Key) -> void:
	for is_pressed: bool in [true, false]:
		var event := InputEventKey.new()
		event.keycode = key
		event.pressed = is_pressed
		Input.parse_input_event(event)
		Input.flush_buffered_events()


func _button(text: String) -> Button:
	for button: Button in _dialog.find_children("*", "Button", true, false):
		if button.text == text:
			return button
	return null


func _has_label(text: String) -> bool:
	for label: Label in EditorInterface.get_base_control().find_children("*", "Label", true, false):
		if label.text == text:
			return true
	return false
