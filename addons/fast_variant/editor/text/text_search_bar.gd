@tool
extends HBoxContainer
## Searches in a text, from where the caret is.

signal closed

const Words := preload("../shared/words.gd")

var editor: CodeEdit
var text := LineEdit.new()
var count := Label.new()
var _match_case := CheckBox.new()
var _previous := Button.new()
var _next := Button.new()
var _close := Button.new()


func _init() -> void:
	visible = false
	text.placeholder_text = "Find"
	# Since Godot 4.5.
	text.set(&"accessibility_name", text.placeholder_text)
	text.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	text.select_all_on_focus = true
	_match_case.text = "Match Case"
	_previous.tooltip_text = "Previous Match (Shift+F3)"
	_next.tooltip_text = "Next Match (F3)"
	_close.tooltip_text = "Close (Escape)"
	text.text_changed.connect(_on_text_changed)
	text.gui_input.connect(_on_text_input)
	_match_case.toggled.connect(_on_match_case_toggled)
	_previous.pressed.connect(go.bind(-1))
	_next.pressed.connect(go.bind(1))
	_close.pressed.connect(close)
	for control: Control in [text, count, _match_case, _previous, _next, _close]:
		add_child(control)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_previous.icon = get_theme_icon(&"MoveUp", &"EditorIcons")
		_next.icon = get_theme_icon(&"MoveDown", &"EditorIcons")
		_close.icon = get_theme_icon(&"Close", &"EditorIcons")


## What is selected is searched for.
func open() -> void:
	visible = true
	if editor.has_selection() and not editor.get_selected_text().contains("\n"):
		text.text = editor.get_selected_text()
	text.grab_focus()
	text.select_all()
	_mark_matches()


func close() -> void:
	visible = false
	editor.set_search_text("")
	editor.queue_redraw()
	closed.emit()


## Selects the next match, or with -1 the one before; behind the last is the first.
func go(step: int) -> void:
	if text.text.is_empty():
		return
	var line := editor.get_caret_line()
	var column := editor.get_caret_column()
	var flags := _flags()
	if step < 0:
		flags |= TextEdit.SEARCH_BACKWARDS
		if editor.has_selection():
			line = editor.get_selection_from_line()
			column = editor.get_selection_from_column()
		column -= 1
		if column < 0:
			line = posmod(line - 1, editor.get_line_count())
			column = maxi(editor.get_line(line).length() - 1, 0)
	_select(editor.search(text.text, flags, line, column))


func _select(match_: Vector2i) -> void:
	# Where nothing is found, x is -1.
	if match_.x < 0:
		return
	editor.select(match_.y, match_.x, match_.y, match_.x + text.text.length())
	editor.center_viewport_to_caret()


func _mark_matches() -> void:
	editor.set_search_text(text.text)
	editor.set_search_flags(_flags())
	editor.queue_redraw()
	count.visible = not text.text.is_empty()
	if count.visible:
		var all := editor.text
		var matches := all.count(text.text) if _match_case.button_pressed else all.countn(text.text)
		count.text = Words.counted(matches, "%d match", "%d matches") if matches > 0 else "No match"


func _flags() -> int:
	return TextEdit.SEARCH_MATCH_CASE if _match_case.button_pressed else 0


func _on_text_changed(_text: String) -> void:
	_mark_matches()
	# From the match that is selected, which may have become longer.
	if editor.has_selection():
		editor.set_caret_column(editor.get_selection_from_column())
	go(1)
	text.grab_focus()


func _on_text_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	# The field itself would only end its editing.
	if event.is_action_pressed(&"ui_cancel"):
		text.accept_event()
		close()
	elif key != null and key.pressed and key.keycode in [KEY_ENTER, KEY_KP_ENTER]:
		go(-1 if key.shift_pressed else 1)
		text.accept_event()


func _on_match_case_toggled(_is_on: bool) -> void:
	_mark_matches()
