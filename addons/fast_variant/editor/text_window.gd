@tool
extends Window
## A window on the text of a scene: for those that Godot cannot open, and to see a line.

signal save_requested(path: String, text: String)

const SceneFiles := preload("scene_files.gd")

var _path := ""
var _background := PanelContainer.new()
var _editor := CodeEdit.new()
var _save := Button.new()
var _external := Button.new()


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	visible = false
	# So that it is not a dialog of a window that may be closed.
	wrap_controls = true
	close_requested.connect(hide)
	var column := VBoxContainer.new()
	column.add_child(_editor)
	column.add_child(_make_buttons())
	_background.set_anchors_preset(Control.PRESET_FULL_RECT)
	_background.add_child(column)
	add_child(_background)
	_editor.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_editor.gutters_draw_line_numbers = true
	_editor.highlight_current_line = true
	_editor.draw_tabs = true
	_editor.text_changed.connect(_on_text_changed)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_background.add_theme_stylebox_override(&"panel", get_theme_stylebox(&"panel", &"AcceptDialog"))
		_editor.add_theme_font_override(&"font", get_theme_font(&"source", &"EditorFonts"))


func open(path: String, line: int, column: int) -> void:
	var text: Variant = SceneFiles.as_text(SceneFiles.read(path))
	_path = path
	title = path
	_editor.editable = text != null
	_editor.text = text if text != null else "This file is not UTF-8. Open it in an external program."
	_save.disabled = true
	popup_centered_ratio(0.6)
	var at := clampi(line - 1, 0, _editor.get_line_count() - 1)
	_editor.set_caret_line(at)
	_editor.set_caret_column(maxi(column - 1, 0))
	_editor.center_viewport_to_caret()
	_editor.grab_focus()


func _make_buttons() -> Control:
	var row := HBoxContainer.new()
	row.alignment = BoxContainer.ALIGNMENT_END
	_external.text = "Open in External Program"
	_external.pressed.connect(_on_external_pressed)
	_save.text = "Save"
	_save.disabled = true
	_save.pressed.connect(_on_save_pressed)
	row.add_child(_external)
	row.add_child(_save)
	return row


func _shortcut_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_cancel"):
		hide()
		set_input_as_handled()


func _on_text_changed() -> void:
	_save.disabled = not _editor.editable


func _on_save_pressed() -> void:
	_save.disabled = true
	save_requested.emit(_path, _editor.text)


func _on_external_pressed() -> void:
	OS.shell_open(ProjectSettings.globalize_path(_path))
