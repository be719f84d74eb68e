@tool
extends Button
## Shows in the Problems panel that `gdscene.toml` chooses the rules, or that it has an error. Opens it, or creates it.

## Emitted to show the file at this line.
signal place_opened(path: String, line: int)
signal create_requested

const _ConfigurationWatch := preload("configuration_watch.gd")

var configuration: _ConfigurationWatch


func _init() -> void:
	flat = true


func _ready() -> void:
	pressed.connect(_on_pressed)
	configuration.changed.connect(_show)
	_show()


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED and configuration != null:
		_show()


func _show() -> void:
	text = _ConfigurationWatch.PATH.get_file() if configuration.is_there() else "Create %s" % _ConfigurationWatch.PATH.get_file()
	var message := configuration.error_message()
	if not configuration.is_there():
		icon = null
		tooltip_text = "Creates a file that chooses the rules, their severity, and the folders without them.\nAll of it is commented out at first."
	elif message.is_empty():
		icon = null
		tooltip_text = "This file chooses the rules, their severity, and the folders without them.\nIt overrides the Project Settings. Click to open it."
	else:
		icon = get_theme_icon(&"StatusError", &"EditorIcons")
		tooltip_text = "Line %d: %s.\nUntil you correct the line, the file has no effect, and the default rules apply." % [configuration.line(), message]


func _on_pressed() -> void:
	if configuration.is_there():
		place_opened.emit(_ConfigurationWatch.PATH, configuration.line())
	else:
		create_requested.emit()
