@tool
extends RefCounted
## The files that the editor knows, as its FileSystem dock shows them.

## Editor settings with the extensions of files that are not resources.
const _SETTINGS: PackedStringArray = [
	"docks/filesystem/textfile_extensions", "docks/filesystem/other_file_extensions"
]


## To be called when a file was written, added or removed. Godot would add any file, and show one that it does not list by itself,
## such as `.import`, as broken (`EditorFileSystem::update_files`, editor/file_system/editor_file_system.cpp, Godot 4.6.3).
static func update(path: String) -> void:
	if is_known(path) or _is_listed(path.get_extension().to_lower()):
		EditorInterface.get_resource_filesystem().update_file(path)


static func is_known(path: String) -> bool:
	return not EditorInterface.get_resource_filesystem().get_file_type(path).is_empty()


static func _is_listed(extension: String) -> bool:
	var settings := EditorInterface.get_editor_settings()
	for setting: String in _SETTINGS:
		if settings.has_setting(setting) and extension in str(settings.get_setting(setting)).split(",", false):
			return true
	return extension in ResourceLoader.get_recognized_extensions_for_type("")
