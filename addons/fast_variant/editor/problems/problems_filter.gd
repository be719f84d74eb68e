@tool
extends HBoxContainer
## The problems that the panel shows, and their groups: by text, by severity, only the open scene.

signal changed

const _Query := preload("problems_query.gd")
const _Rows := preload("problems_rows.gd")
const _View := preload("problems_view.gd")

const _GROUPINGS: Dictionary[_View._Grouping, String] = {
	_View._Grouping.FILE: "By File", _View._Grouping.RULE: "By Rule", _View._Grouping.SEVERITY: "By Severity"
}
## The version of the kept state: infos were shown in the one before.
const _STATE_VERSION := 2
## Nothing is searched while the user types.
const _TYPING_SECONDS := 0.15

const _ICON_COLORS: Array[StringName] = [
	&"icon_normal_color", &"icon_pressed_color", &"icon_hover_color", &"icon_hover_pressed_color", &"icon_focus_color"
]
const _OFF := Color(1, 1, 1, 0.4)

var text := LineEdit.new()
var this_scene := Button.new()
var grouping := OptionButton.new()
## The file of the scene that is edited, or empty.
var scene_path := ""
var _buttons: Dictionary[String, Button] = {}
var _typing := Timer.new()


func _init() -> void:
	text.placeholder_text = "Filter Problems"
	text.clear_button_enabled = true
	text.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	text.text_changed.connect(_on_typed.unbind(1))
	add_child(text)
	_typing.one_shot = true
	_typing.wait_time = _TYPING_SECONDS
	_typing.timeout.connect(_on_changed)
	add_child(_typing)
	for severity: String in _Query.SEVERITIES:
		_add_severity(severity)
	this_scene.toggle_mode = true
	this_scene.flat = true
	this_scene.tooltip_text = "This Scene Only"
	this_scene.toggled.connect(_on_changed.unbind(1))
	add_child(this_scene)
	grouping.tooltip_text = "How problems are grouped."
	grouping.fit_to_longest_item = false
	for each: _View._Grouping in _GROUPINGS:
		grouping.add_item(_GROUPINGS[each], each)
	grouping.item_selected.connect(_on_changed.unbind(1))
	add_child(grouping)
	_show_what_is_on()


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		for severity: String in _buttons:
			_buttons[severity].icon = get_theme_icon(_Rows.SEVERITY_ICONS[severity], &"EditorIcons")
		text.right_icon = get_theme_icon(&"Search", &"EditorIcons")
		text.custom_minimum_size.x = 150 * EditorInterface.get_editor_scale()
		this_scene.icon = get_theme_icon(&"PackedScene", &"EditorIcons")


func query() -> _Query:
	var wanted := _Query.new()
	for severity: String in _Query.SEVERITIES:
		wanted.is_shown[severity] = _buttons[severity].button_pressed
	wanted.words = text.text.strip_edges().to_lower()
	wanted.is_one_file = this_scene.button_pressed
	wanted.path = scene_path
	return wanted


func grouping_id() -> _View._Grouping:
	return grouping.get_selected_id() as _View._Grouping


## Shows how many there are; if some of them do not fit the filter, how many do.
func show_counts(view: _View) -> void:
	for severity: String in _Query.SEVERITIES:
		var total := view.totals[severity]
		var count := view.matching[severity]
		_buttons[severity].text = str(total) if count == total else "%d of %d" % [count, total]


## Another scene came to the front.
func set_scene(path: String) -> void:
	if path == scene_path:
		return
	scene_path = path
	if this_scene.button_pressed:
		changed.emit()


## Infos, which are off as a rule, are shown if nothing else was hidden.
func clear() -> void:
	var is_narrow := query().is_narrow() or not _buttons["error"].button_pressed or not _buttons["warning"].button_pressed
	text.text = ""
	this_scene.set_pressed_no_signal(false)
	for severity: String in _buttons:
		if severity != "info" or not is_narrow:
			_buttons[severity].set_pressed_no_signal(true)
	_on_changed()


func show_only(words: String) -> void:
	text.text = words
	_on_changed()


func state() -> Dictionary:
	var switched_off: PackedStringArray = []
	for severity: String in _Query.SEVERITIES:
		if not _buttons[severity].button_pressed:
			switched_off.append(severity)
	return {
		"version": _STATE_VERSION, "text": text.text, "hidden": switched_off,
		"this_scene": this_scene.button_pressed, "grouping": grouping_id(),
	}


func restore(state_before: Dictionary) -> void:
	text.text = state_before.get("text", "")
	var switched_off: PackedStringArray = state_before.get("hidden", PackedStringArray())
	if state_before.get("version", 1) < _STATE_VERSION and "info" not in switched_off:
		switched_off.append("info")
	for severity: String in _Query.SEVERITIES:
		_buttons[severity].set_pressed_no_signal(severity not in switched_off)
	this_scene.set_pressed_no_signal(state_before.get("this_scene", false) == true)
	var kept: int = state_before.get("grouping", _View._Grouping.FILE)
	grouping.select(maxi(grouping.get_item_index(kept), 0))
	_show_what_is_on()


func _add_severity(severity: String) -> void:
	var button := Button.new()
	button.toggle_mode = true
	button.set_pressed_no_signal(_Query.new().is_shown[severity])
	button.flat = true
	button.tooltip_text = _Rows.SEVERITY_TITLES[severity]
	button.toggled.connect(_on_changed.unbind(1))
	# The icons have colours of their own.
	for color: StringName in _ICON_COLORS:
		button.add_theme_color_override(color, Color.WHITE)
	_buttons[severity] = button
	add_child(button)


func _on_typed() -> void:
	_typing.start()


func _on_changed() -> void:
	_typing.stop()
	_show_what_is_on()
	changed.emit()


func _show_what_is_on() -> void:
	for severity: String in _buttons:
		_buttons[severity].modulate = Color.WHITE if _buttons[severity].button_pressed else _OFF
	this_scene.modulate = Color.WHITE if this_scene.button_pressed else _OFF
