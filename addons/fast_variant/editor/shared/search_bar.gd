@tool
extends HBoxContainer
## A bar that searches for words. Scripts that extend it do the search.

signal closed

const _Words := preload("words.gd")

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


## The selected text is searched for.
func open() -> void:
	visible = true
	var selected := _selected_text()
	if not selected.is_empty() and not selected.contains("\n"):
		text.text = selected
	text.grab_focus()
	text.select_all()
	_mark_matches()


func close() -> void:
	visible = false
	_end_search()
	closed.emit()


## Selects the next match, or with -1 the one before; behind the last is the first.
func go(_step: int) -> void:
	pass


## In the searched text.
func _selected_text() -> String:
	return ""


## Marks all that is found.
func _mark_matches() -> void:
	pass


## Takes the marks away.
func _end_search() -> void:
	pass


## Selects the first match from where the user is.
func _search_from_here() -> void:
	pass


func _on_text_changed(_text: String) -> void:
	_mark_matches()
	_search_from_here()
	text.grab_focus()


func _on_text_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	# The field itself would only end its editing.
	if event.is_action_pressed(&"ui_cancel"):
		text.accept_event()
		close()
	elif key != null and key.pressed and key.keycode in [KEY_ENTER, KEY_KP_ENTER]:
		text.accept_event()
		go(-1 if key.shift_pressed else 1)


func _on_match_case_toggled(_is_on: bool) -> void:
	_mark_matches()
