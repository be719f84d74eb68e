@tool
extends Label
## Explains in the Project Settings how `gdscene.toml` affects the settings there, and where the personal ones are.

const _ConfigurationWatch := preload("configuration_watch.gd")

const _PERSONAL := " Personal settings stand under Editor Settings > Fast Variant, with Advanced Settings switched on there."

var configuration: _ConfigurationWatch


func _ready() -> void:
	autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	configuration.changed.connect(_show)
	_show()


func _show() -> void:
	var message := configuration.error_message()
	if not configuration.is_there():
		text = "These settings are about the editor. Which rules there are, a file gdscene.toml beside project.godot may say."
	elif message.is_empty():
		text = "gdscene.toml says which rules there are, how severe they are and where they are off. It counts more than these settings."
	else:
		text = "gdscene.toml, line %d: %s. Until that is mended, the file counts for nothing." % [configuration.line(), message]
	text += _PERSONAL
