@tool
extends Button
## Shows in the Problems panel that `gdscene.toml` chooses the rules, or that it has an error. Opens it.

## Emitted to show the file at this line.
signal place_opened(path: String, line: int)

const _ConfigurationWatch := preload("configuration_watch.gd")

var configuration: _ConfigurationWatch


func _init() -> void:
	text = _ConfigurationWatch.PATH.get_file()
	flat = true


func _ready() -> void:
	pressed.connect(_on_pressed)
	configuration.changed.connect(_show)
	_show()


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED and configuration != null:
		_show()


func _show() -> void:
	visible = configuration.is_there()
	var message := configuration.error_message()
	if message.is_empty():
		icon = null
		tooltip_text = "This file chooses the rules, their severity, and the folders without them.\nIt overrides the Project Settings. Click to open it."
	else:
		icon = get_theme_icon(&"StatusError", &"EditorIcons")
		tooltip_text = "Line %d: %s.\nUntil you correct the line, the file has no effect, and the default rules apply." % [configuration.line(), message]


func _on_pressed() -> void:
	place_opened.emit(_ConfigurationWatch.PATH, configuration.line())
