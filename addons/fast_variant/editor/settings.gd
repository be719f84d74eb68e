@tool
extends RefCounted
## The addon's settings, as they stand under Project Settings > Fast Variant > Scenes.

## Values of [constant TOASTS].
enum ToastLevel { NONE, ERRORS, ERRORS_AND_WARNINGS }

## Values of [constant ON_EXPORT].
enum OnExport { IGNORE, WARN, FAIL }

const SettingsList := preload("settings_list.gd")

const FOLDER := "fast_variant/scenes/"
const CHECK_ON_SAVE := "fast_variant/scenes/check_on_save"
const CHECK_ON_OPEN := "fast_variant/scenes/check_on_open"
const CHECK_PROJECT := "fast_variant/scenes/check_project_in_background"
const AUDIT_SAVES := "fast_variant/scenes/report_what_saving_drops"
const SHOW_PANEL := "fast_variant/scenes/show_panel_when_saving_drops_something"
const FORMAT_ON_SAVE := "fast_variant/scenes/format_on_save"
const TOASTS := "fast_variant/scenes/toasts"
const PRINT := "fast_variant/scenes/print_findings"
const ON_EXPORT := "fast_variant/scenes/errors_on_export"
const EXCLUDED := "fast_variant/scenes/excluded_folders"


static func register() -> void:
	var order := 0
	for property: Dictionary in _properties():
		var name := _name(property)
		var initial: Variant = _initial(name)
		if not ProjectSettings.has_setting(name):
			ProjectSettings.set_setting(name, initial)
		ProjectSettings.set_initial_value(name, initial)
		ProjectSettings.set_as_basic(name, true)
		order += 1
		ProjectSettings.set_order(name, order)
		ProjectSettings.add_property_info({
			"name": name, "type": property["type"], "hint": property["hint"], "hint_string": property["hint_string"]
		})


## Removes the settings that the user has not changed.
static func unregister() -> void:
	for name: String in names():
		if ProjectSettings.get_setting(name) == _initial(name):
			ProjectSettings.clear(name)


static func names() -> PackedStringArray:
	var found: PackedStringArray = []
	for property: Dictionary in _properties():
		found.append(_name(property))
	return found


static func is_on(name: String) -> bool:
	return ProjectSettings.get_setting(name, _initial(name)) == true


static func toasts() -> ToastLevel:
	var value: int = ProjectSettings.get_setting(TOASTS, _initial(TOASTS))
	return value as ToastLevel


static func on_export() -> OnExport:
	var value: int = ProjectSettings.get_setting(ON_EXPORT, _initial(ON_EXPORT))
	return value as OnExport


static func excluded_folders() -> PackedStringArray:
	return ProjectSettings.get_setting(EXCLUDED, _initial(EXCLUDED))


## Whether diagnostics in this file are not wanted.
static func is_excluded(path: String) -> bool:
	for folder: String in excluded_folders():
		if path.begins_with(folder.trim_suffix("/") + "/"):
			return true
	return false


static func _initial(name: String) -> Variant:
	var list: Script = SettingsList
	var initial: Variant = list.get_property_default_value(name.trim_prefix(FOLDER))
	if not initial is Array:
		return initial
	# What the script writes like an Array comes as one.
	var strings: Array = initial
	return PackedStringArray(strings)


static func _name(property: Dictionary) -> String:
	return FOLDER + str(property["name"])


static func _properties() -> Array[Dictionary]:
	var list: Script = SettingsList
	var found: Array[Dictionary] = []
	for property: Dictionary in list.get_script_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE:
			found.append(property)
	return found
