@tool
extends Label
## Explains in the Project Settings how `gdscene.toml` affects the settings there, and where the personal ones are.

const _ConfigurationWatch := preload("configuration_watch.gd")

const _PERSONAL := " Personal settings are in Editor Settings > Fast Variant; switch Advanced Settings on there."

var configuration: _ConfigurationWatch


func _ready() -> void:
	autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	configuration.changed.connect(_show)
	_show()


func _show() -> void:
	var message := configuration.error_message()
	if not configuration.is_there():
		text = "These settings are for the editor. A file gdscene.toml next to project.godot can choose the rules."
	elif message.is_empty():
		text = "gdscene.toml chooses the rules, their severity, and the folders without them. It overrides these settings."
	else:
		text = "gdscene.toml, line %d: %s. Until you correct the line, the file has no effect." % [configuration.line(), message]
	text += _PERSONAL
