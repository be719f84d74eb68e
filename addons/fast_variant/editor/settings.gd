@tool
extends RefCounted
## The addon's settings, as they stand under Project Settings > Fast Variant > Scenes.

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

## Values of [constant TOASTS].
enum Toasts { NONE, ERRORS, ERRORS_AND_WARNINGS }

## Values of [constant ON_EXPORT].
enum OnExport { IGNORE, WARN, FAIL }

## Name, default, hint and hint string. The type is that of the default.
const _TABLE: Array[Array] = [
	[CHECK_ON_SAVE, true, PROPERTY_HINT_NONE, ""],
	[CHECK_ON_OPEN, true, PROPERTY_HINT_NONE, ""],
	[CHECK_PROJECT, true, PROPERTY_HINT_NONE, ""],
	[AUDIT_SAVES, true, PROPERTY_HINT_NONE, ""],
	[SHOW_PANEL, true, PROPERTY_HINT_NONE, ""],
	[FORMAT_ON_SAVE, false, PROPERTY_HINT_NONE, ""],
	[TOASTS, Toasts.ERRORS_AND_WARNINGS, PROPERTY_HINT_ENUM, "None,Errors,Errors and Warnings"],
	[PRINT, false, PROPERTY_HINT_NONE, ""],
	[ON_EXPORT, OnExport.FAIL, PROPERTY_HINT_ENUM, "Ignore,Warn,Fail"],
	[EXCLUDED, ["res://addons"], PROPERTY_HINT_NONE, ""],
]


static func register() -> void:
	for index: int in _TABLE.size():
		var name: String = _TABLE[index][0]
		var initial: Variant = _initial(name)
		if not ProjectSettings.has_setting(name):
			ProjectSettings.set_setting(name, initial)
		ProjectSettings.set_initial_value(name, initial)
		ProjectSettings.set_as_basic(name, true)
		ProjectSettings.set_order(name, index + 1)
		ProjectSettings.add_property_info({
			"name": name, "type": typeof(initial), "hint": _TABLE[index][2], "hint_string": _TABLE[index][3]
		})


## Takes away what nobody has changed.
static func unregister() -> void:
	for row: Array in _TABLE:
		var name: String = row[0]
		if ProjectSettings.get_setting(name) == _initial(name):
			ProjectSettings.clear(name)


static func names() -> PackedStringArray:
	var found: PackedStringArray = []
	for row: Array in _TABLE:
		var name: String = row[0]
		found.append(name)
	return found


static func is_on(name: String) -> bool:
	return ProjectSettings.get_setting(name, _initial(name)) == true


static func toasts() -> Toasts:
	var value: int = ProjectSettings.get_setting(TOASTS, _initial(TOASTS))
	return value as Toasts


static func on_export() -> OnExport:
	var value: int = ProjectSettings.get_setting(ON_EXPORT, _initial(ON_EXPORT))
	return value as OnExport


## Whether findings in this file are not wanted.
static func is_excluded(path: String) -> bool:
	var folders: PackedStringArray = ProjectSettings.get_setting(EXCLUDED, _initial(EXCLUDED))
	for folder: String in folders:
		if path.begins_with(folder.trim_suffix("/") + "/"):
			return true
	return false


static func _initial(name: String) -> Variant:
	for row: Array in _TABLE:
		if row[0] == name:
			return _packed(row[1])
	return null


## A constant cannot hold a packed array.
static func _packed(value: Variant) -> Variant:
	if not value is Array:
		return value
	var list: Array = value
	return PackedStringArray(list)
