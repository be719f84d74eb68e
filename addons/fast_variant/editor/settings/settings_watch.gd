@tool
extends Node
## Notices when one of the addon's settings was changed, the team's or a personal one.

## Emitted with their names.
signal changed(names: PackedStringArray)

const _Settings := preload("settings.gd")

## The values as they were seen last, by name.
var _values: Dictionary[String, Variant] = {}


func _enter_tree() -> void:
	_take_values()
	ProjectSettings.settings_changed.connect(_look)
	EditorInterface.get_editor_settings().settings_changed.connect(_look)


## Returns the names of settings with changed values.
func _take_values() -> PackedStringArray:
	var names: PackedStringArray = []
	for setting: String in _Settings.team_names() + _Settings.personal_names():
		var value: Variant = _Settings.value(setting)
		# Values of different types cannot be compared, but a setting has one type.
		if not _values.has(setting) or _values[setting] != value:
			_values[setting] = value
			names.append(setting)
	return names


func _look() -> void:
	var names := _take_values()
	if not names.is_empty():
		changed.emit(names)
