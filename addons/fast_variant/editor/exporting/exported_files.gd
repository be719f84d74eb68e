@tool
extends RefCounted
## The files that an export writes next to each other, for an export that fails: the game, its pack, and the files that belong to
## them. Others that are in the folder are left alone.

## The files next to `game.exe`, or another name of the game (editor_export_platform_pc.cpp and export_plugin.cpp of the
## platforms, Godot 4.6.3).
const _BELONGING: PackedStringArray = [".pck", ".sh", ".console.exe"]
## For the web, the files next to `game.html`; only names of the game are written there.
const _WEB := "html"

var _path: String
## When the export began.
var _began := int(Time.get_unix_time_from_system())
var _were_there: PackedStringArray


## `path` is that of the game.
func _init(path: String) -> void:
	# The editor works in the project's folder.
	_path = path if path.is_absolute_path() else ProjectSettings.globalize_path("res://").path_join(path)
	_were_there = DirAccess.get_files_at(_path.get_base_dir()) if _is_folder_there() else PackedStringArray()


## Removes the files written since then. Returns the names.
func remove() -> PackedStringArray:
	var removed: PackedStringArray = []
	if not _is_folder_there():
		return removed
	var libraries := _project_libraries()
	for file: String in DirAccess.get_files_at(_path.get_base_dir()):
		var place := _path.get_base_dir().path_join(file)
		var is_new := file not in _were_there
		var is_written := _belongs_to_game(file, is_new) or (is_new and file in libraries)
		if is_written and FileAccess.get_modified_time(place) >= _began and DirAccess.remove_absolute(place) == OK:
			removed.append(file)
	return removed


func _is_folder_there() -> bool:
	return DirAccess.dir_exists_absolute(_path.get_base_dir())


## Files with these names are written again, even if they existed.
func _belongs_to_game(file: String, is_new: bool) -> bool:
	var game := _path.get_file()
	if file == game:
		return true
	for suffix: String in _BELONGING:
		if file == game.get_basename() + suffix:
			return true
	return is_new and game.get_extension() == _WEB and file.begins_with(game.get_basename() + ".")


## The names of the libraries of all extensions, and of libraries that they need: they are copied next to the game.
func _project_libraries() -> PackedStringArray:
	var names: PackedStringArray = []
	for extension: String in GDExtensionManager.get_loaded_extensions():
		var configuration := ConfigFile.new()
		if configuration.load(extension) != OK:
			continue
		for section: String in ["libraries", "dependencies"]:
			if configuration.has_section(section):
				for key: String in configuration.get_section_keys(section):
					_add_names(configuration.get_value(section, key), names)
	return names


## `value` is a path, or a dictionary with paths as keys.
func _add_names(value: Variant, names: PackedStringArray) -> void:
	if value is String:
		var path: String = value
		names.append(path.get_file())
	elif value is Dictionary:
		var files: Dictionary = value
		for file: Variant in files:
			names.append(str(file).get_file())
