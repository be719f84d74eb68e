@tool
extends HBoxContainer
## Above a text: the finding at the caret, and the way to the other findings.

signal step_pressed(step: int)
signal code_pressed(code: String)

const _Diagnostic := preload("../checking/diagnostic.gd")
const _WindowPlace := preload("../shared/window_place.gd")
const _Words := preload("../shared/words.gd")

var message := Label.new()
var code := LinkButton.new()
var count := Label.new()
var _previous := Button.new()
var _next := Button.new()
var _shown := ""


func _init() -> void:
	visible = false
	code.tooltip_text = "Explain the rule."
	message.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_WindowPlace.limit_lines(message)
	_previous.tooltip_text = "Previous Finding (Shift+F8)"
	_next.tooltip_text = "Next Finding (F8)"
	_previous.pressed.connect(step_pressed.emit.bind(-1))
	_next.pressed.connect(step_pressed.emit.bind(1))
	code.pressed.connect(_on_code_pressed)
	for control: Control in [code, message, count, _previous, _next]:
		control.size_flags_vertical = Control.SIZE_SHRINK_CENTER
		add_child(control)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_previous.icon = get_theme_icon(&"MoveUp", &"EditorIcons")
		_next.icon = get_theme_icon(&"MoveDown", &"EditorIcons")


## `finding` is the one at the caret; null without one.
func show_finding(finding: _Diagnostic, all: Array[_Diagnostic]) -> void:
	visible = not all.is_empty()
	_shown = finding.code if finding != null else ""
	# An error in `gdscene.toml` has no rule.
	code.visible = not _shown.is_empty()
	code.text = _shown
	if finding == null:
		message.text = _Words.counted(all.size(), "%d finding in this file", "%d findings in this file")
		message.tooltip_text = ""
		count.text = ""
	else:
		message.text = finding.message
		message.tooltip_text = finding.details()
		count.text = "%d of %d" % [all.find(finding) + 1, all.size()]


func _on_code_pressed() -> void:
	code_pressed.emit(_shown)
