@tool
extends RefCounted
## The addon's settings. The team's settings are under Project Settings > Fast Variant > Scenes, personal ones under
## Editor Settings > Fast Variant > Scenes. settings_watch.gd notices when they change.

## Values of [constant TOASTS].
enum _ToastLevel { NONE, ERRORS, ERRORS_AND_WARNINGS }

## Values of [constant ON_EXPORT].
enum _OnExport { IGNORE, WARN, ASK, STOP, STOP_FOR_ALL }

const _PersonalList := preload("personal_settings_list.gd")
const _TeamList := preload("settings_list.gd")

const FOLDER := "fast_variant/scenes/"
const CHECK_ON_SAVE := "fast_variant/scenes/check_on_save"
const CHECK_ON_OPEN := "fast_variant/scenes/check_on_open"
const CHECK_PROJECT := "fast_variant/scenes/check_project_in_background"
const AUDIT_SAVES := "fast_variant/scenes/report_what_saving_drops"
const FORMAT_ON_SAVE := "fast_variant/scenes/format_on_save"
const ON_EXPORT := "fast_variant/scenes/errors_on_export"
const EXCLUDED := "fast_variant/scenes/excluded_folders"

# Personal.
const TOASTS := "fast_variant/scenes/toasts"
const SHOW_PANEL := "fast_variant/scenes/show_panel_when_saving_drops_something"
const PRINT := "fast_variant/scenes/print_findings"
const CHECK_BEFORE_PLAY := "fast_variant/scenes/check_before_play"
const VARIANT_TAB := "fast_variant/scenes/variant_tab"
const OFFER_REPAIR := "fast_variant/scenes/offer_repair_after_moves"
const BADGES := "fast_variant/scenes/badges_in_scene_dock"
const SCRIPT_MARKS := "fast_variant/scenes/marks_in_script_editor"


static func register() -> void:
	var order := 0
	for property: Dictionary in _properties(_TeamList):
		order += 1
		_register_in_project(property, order)
	for property: Dictionary in _properties(_PersonalList):
		_register_in_editor(property)


## Removes the settings that the user has not changed.
static func unregister() -> void:
	for name: String in team_names():
		if _is_initial(name, ProjectSettings.get_setting(name)):
			ProjectSettings.clear(name)
	var editor := EditorInterface.get_editor_settings()
	for name: String in personal_names():
		if _is_initial(name, editor.get(name)):
			editor.erase(name)


static func team_names() -> PackedStringArray:
	return _names(_TeamList)


static func personal_names() -> PackedStringArray:
	return _names(_PersonalList)


## A personal one in `project.godot` has priority there. A value of another type, for example written by hand, is
## ignored.
static func value(name: String) -> Variant:
	var initial: Variant = _initial(name)
	var found: Variant = initial
	if ProjectSettings.has_setting(name):
		found = ProjectSettings.get_setting(name)
	elif _is_personal(name):
		found = EditorInterface.get_editor_settings().get_setting(name)
	if initial is PackedStringArray and found is Array:
		return _strings(found)
	return found if typeof(found) == typeof(initial) else initial


static func is_on(name: String) -> bool:
	return value(name) == true


static func toasts() -> _ToastLevel:
	var level: int = value(TOASTS)
	return level as _ToastLevel


static func on_export() -> _OnExport:
	var action: int = value(ON_EXPORT)
	return action as _OnExport


## Whether diagnostics in this file are not wanted.
static func is_excluded(path: String) -> bool:
	var folders: PackedStringArray = value(EXCLUDED)
	for folder: String in folders:
		# A row that was added and not filled yet excludes nothing.
		if not folder.is_empty() and path.begins_with(folder.trim_suffix("/") + "/"):
			return true
	return false


static func _register_in_project(property: Dictionary, order: int) -> void:
	var name := _name(property)
	var initial: Variant = _initial(name)
	if not ProjectSettings.has_setting(name):
		ProjectSettings.set_setting(name, initial)
	ProjectSettings.set_initial_value(name, initial)
	ProjectSettings.set_as_basic(name, true)
	ProjectSettings.set_order(name, order)
	ProjectSettings.add_property_info(_info(property))


static func _register_in_editor(property: Dictionary) -> void:
	var name := _name(property)
	var initial: Variant = _initial(name)
	var editor := EditorInterface.get_editor_settings()
	if not editor.has_setting(name):
		editor.set_setting(name, initial)
	editor.set_initial_value(name, initial, false)
	editor.add_property_info(_info(property))
	# A project that says otherwise shows it. It has no initial value there, as each value counts, that too.
	if ProjectSettings.has_setting(name):
		ProjectSettings.set_as_basic(name, true)
		ProjectSettings.add_property_info(_info(property))


## Values of different types cannot be compared.
static func _is_initial(name: String, found: Variant) -> bool:
	var initial: Variant = _initial(name)
	return typeof(found) == typeof(initial) and found == initial


static func _is_personal(name: String) -> bool:
	var list: Script = _PersonalList
	return list.get_property_default_value(name.trim_prefix(FOLDER)) != null


static func _initial(name: String) -> Variant:
	var list: Script = _PersonalList if _is_personal(name) else _TeamList
	var initial: Variant = list.get_property_default_value(name.trim_prefix(FOLDER))
	# An initial value that the script writes like an Array is an Array here.
	return _strings(initial) if initial is Array else initial


static func _strings(array: Array) -> PackedStringArray:
	var strings: PackedStringArray = []
	for each: Variant in array:
		strings.append(str(each))
	return strings


static func _names(list: Script) -> PackedStringArray:
	var found: PackedStringArray = []
	for property: Dictionary in _properties(list):
		found.append(_name(property))
	return found


static func _name(property: Dictionary) -> String:
	return FOLDER + str(property["name"])


static func _info(property: Dictionary) -> Dictionary:
	return {
		"name": _name(property), "type": property["type"], "hint": property["hint"], "hint_string": property["hint_string"]
	}


static func _properties(list: Script) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for property: Dictionary in list.get_script_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE:
			found.append(property)
	return found
