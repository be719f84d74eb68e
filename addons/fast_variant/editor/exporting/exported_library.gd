@tool
extends RefCounted
## The part of the extension that an export takes. Where there is no library for the platform, the extension is left out: Godot
## would export its file nevertheless, and the game would log errors at each start.

const _Addon := preload("../shared/addon.gd")
const _SafeFile := preload("../writing/safe_file.gd")

const _FILE := "fast_variant.gdextension"
const _ARCHITECTURES: PackedStringArray = [
	"x86_32", "x86_64", "arm32", "arm64", "rv64", "ppc64", "wasm32", "loongarch64", "universal",
]

## The extension's file.
var path := _Addon.folder().path_join(_FILE)

var _configuration := ConfigFile.new()
var _is_read: bool
var _features: PackedStringArray


func _init(features: PackedStringArray) -> void:
	_features = features
	_is_read = _configuration.load(path) == OK


## Whether the extension has a library for the platform, be it built or not. Godot itself reports a file that cannot be read.
func is_supported() -> bool:
	return not _is_read or not library().is_empty()


## Whether that library is missing.
func is_library_missing() -> bool:
	return _is_read and is_supported() and not FileAccess.file_exists(library())


## The library that Godot takes: the one of the key with the most tags, among the keys with tags that all hold
## (`GDExtensionLibraryLoader::find_extension_library`, core/extension/gdextension_library_loader.cpp, Godot 4.6.3). Empty if no
## library fits.
func library() -> String:
	var best := ""
	var best_count := 0
	if not _configuration.has_section("libraries"):
		return best
	for key: String in _configuration.get_section_keys("libraries"):
		var tags := key.split(".")
		if tags.size() > best_count and Array(tags).all(_features.has):
			best = _configuration.get_value("libraries", key)
			best_count = tags.size()
	return _Addon.folder().path_join(best) if best.is_relative_path() and not best.is_empty() else best


## The architectures of the export.
func architectures() -> PackedStringArray:
	var found: PackedStringArray = []
	for feature: String in _features:
		if feature in _ARCHITECTURES:
			found.append(feature)
	return found


## The classes of the extension.
func class_names() -> PackedStringArray:
	return _configuration.get_section_keys("icons") if _configuration.has_section("icons") else PackedStringArray()


## Removes the extension from the list of extensions that games load. Godot exports the list with all extensions in the project,
## even if they are not exported (`EditorExportPlatform::_filter_extension_list_config_file`,
## editor/export/editor_export_platform.cpp, Godot 4.6.3). It reads the list at the end of an export. To be put back then. If the
## editor dies meanwhile, it lists the extension again when it starts.
func unlist() -> void:
	var lines := _listed()
	if lines.has(path):
		lines.remove_at(lines.find(path))
		_list(lines)


func list() -> void:
	var lines := _listed()
	if not lines.has(path):
		lines.append(path)
		_list(lines)


func _listed() -> PackedStringArray:
	return FileAccess.get_file_as_string(_list_path()).split("\n", false)


func _list(lines: PackedStringArray) -> void:
	var folder := _list_path().get_base_dir()
	var project := DirAccess.open("res://")
	# Links may lead to any file of the user.
	var inside := DirAccess.open(folder)
	if project.is_link(folder.trim_prefix("res://")) or inside == null or inside.is_link(_list_path().get_file()):
		push_warning("FastVariant: %s is a symbolic link or missing, so the export keeps its list of extensions." % _list_path())
		return
	var text := ""
	for line: String in lines:
		text += line + "\n"
	var reason := _SafeFile.put(_list_path(), text.to_utf8_buffer())
	if not reason.is_empty():
		push_error("FastVariant: %s is not changed, so the export keeps its list of extensions: %s." % [_list_path(), reason])


func _list_path() -> String:
	var is_hidden: bool = ProjectSettings.get_setting("application/config/use_hidden_project_data_directory", true)
	return "res://%s/extension_list.cfg" % (".godot" if is_hidden else "godot")
