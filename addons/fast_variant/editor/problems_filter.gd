@tool
extends HBoxContainer
## Which diagnostics the Problems panel shows: by text, severity and code.

signal changed

const Diagnostic := preload("diagnostic.gd")
const Problems := preload("problems.gd")

const SEVERITIES: PackedStringArray = ["error", "warning", "info"]
## The editor's icons for them.
const ICONS: Dictionary[String, StringName] = {
	"error": &"StatusError", "warning": &"StatusWarning", "info": &"NodeInfo"
}
const _LABELS: Dictionary[String, String] = {"error": "Errors", "warning": "Warnings", "info": "Infos"}

const _ICON_COLORS: Array[StringName] = [
	&"icon_normal_color", &"icon_pressed_color", &"icon_hover_color", &"icon_hover_pressed_color", &"icon_focus_color"
]
const _OFF := Color(1, 1, 1, 0.4)

var text := LineEdit.new()
var code := OptionButton.new()
var _buttons: Dictionary[String, Button] = {}


func _init() -> void:
	text.placeholder_text = "Filter Problems"
	text.clear_button_enabled = true
	text.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	text.text_changed.connect(_on_changed.unbind(1))
	add_child(text)
	for severity: String in SEVERITIES:
		var button := Button.new()
		button.toggle_mode = true
		button.button_pressed = true
		button.flat = true
		button.tooltip_text = _LABELS[severity]
		button.toggled.connect(_on_changed.unbind(1))
		# The icons have colours of their own.
		for color: StringName in _ICON_COLORS:
			button.add_theme_color_override(color, Color.WHITE)
		_buttons[severity] = button
		add_child(button)
	code.tooltip_text = "Show only diagnostics of one rule."
	code.fit_to_longest_item = false
	code.add_item("All Rules")
	code.item_selected.connect(_on_changed.unbind(1))
	add_child(code)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		for severity: String in _buttons:
			_buttons[severity].icon = get_theme_icon(ICONS[severity], &"EditorIcons")
		text.right_icon = get_theme_icon(&"Search", &"EditorIcons")


func lets_through(diagnostic: Diagnostic) -> bool:
	if not _buttons[diagnostic.severity].button_pressed:
		return false
	if code.selected > 0 and code.get_item_text(code.selected) != diagnostic.code:
		return false
	return text.text.is_empty() or diagnostic.describe().containsn(text.text)


## Shows how many there are, and which codes can be chosen.
func show_counts(problems: Problems) -> void:
	for severity: String in SEVERITIES:
		_buttons[severity].text = str(problems.count(severity))
	var codes := problems.codes()
	var chosen := code.get_item_text(maxi(code.selected, 0))
	if code.selected > 0 and chosen not in codes:
		codes.append(chosen)
	code.clear()
	code.add_item("All Rules")
	for each: String in codes:
		code.add_item(each)
		if each == chosen:
			code.select(code.item_count - 1)


func state() -> Dictionary:
	var switched_off := SEVERITIES.duplicate()
	for severity: String in SEVERITIES:
		if _buttons[severity].button_pressed:
			switched_off.remove_at(switched_off.find(severity))
	var chosen := code.get_item_text(code.selected) if code.selected > 0 else ""
	return {"text": text.text, "hidden": switched_off, "code": chosen}


func restore(state_before: Dictionary) -> void:
	text.text = state_before.get("text", "")
	var switched_off: PackedStringArray = state_before.get("hidden", PackedStringArray())
	for severity: String in SEVERITIES:
		_buttons[severity].set_pressed_no_signal(severity not in switched_off)
	_show_what_is_off()
	var chosen: String = state_before.get("code", "")
	if not chosen.is_empty():
		code.add_item(chosen)
		code.select(code.item_count - 1)


func _on_changed() -> void:
	_show_what_is_off()
	changed.emit()


func _show_what_is_off() -> void:
	for severity: String in _buttons:
		_buttons[severity].modulate = Color.WHITE if _buttons[severity].button_pressed else _OFF
