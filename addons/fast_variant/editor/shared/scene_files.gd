@tool
extends RefCounted
## The files of scenes and resources. `file_rewriter.gd` writes them.

const _SCENES: PackedStringArray = ["tscn", "escn"]
const _RESOURCES: PackedStringArray = ["tres"]
const _SETTINGS: PackedStringArray = ["project.godot", "override.cfg", "plugin.cfg", "export_presets.cfg"]
const _SETTINGS_EXTENSIONS: PackedStringArray = ["import", "gdextension"]


static func is_scene(path: String) -> bool:
	return path.get_extension().to_lower() in _SCENES


## Whether it is a text that the linter knows.
static func is_text(path: String) -> bool:
	return is_scene(path) or path.get_extension().to_lower() in _RESOURCES


## Whether it is a settings file that the linter knows (rust/godot-tscn/src/config_file.rs).
static func is_settings(path: String) -> bool:
	return path.get_file() in _SETTINGS or path.get_extension() in _SETTINGS_EXTENSIONS


## Empty if there is no such file.
static func read(path: String) -> PackedByteArray:
	if not FileAccess.file_exists(path):
		return PackedByteArray()
	return FileAccess.get_file_as_bytes(path)


## The bytes as a text, or null if that would change them.
static func as_text(bytes: PackedByteArray) -> Variant:
	if bytes.has(0):
		return null
	var text := bytes.get_string_from_utf8()
	if text.to_utf8_buffer() != bytes:
		return null
	return text


static func is_open(path: String) -> bool:
	return path in EditorInterface.get_open_scenes()


## The root of the scene, if it is open; before Godot 4.5 only that of the scene at the front is at hand.
static func root_of(path: String) -> Node:
	var roots: Array = [EditorInterface.get_edited_scene_root()]
	var editor := Engine.get_singleton(&"EditorInterface")
	if editor.has_method(&"get_open_scene_roots"):
		roots = editor.call(&"get_open_scene_roots")
	for root: Node in roots:
		if root != null and root.scene_file_path == path:
			return root
	return null


## The files that the linter knows among these files and folders.
static func texts_in(paths: PackedStringArray) -> PackedStringArray:
	var texts: PackedStringArray = []
	for path: String in paths:
		if path.ends_with("/"):
			_add_files(EditorInterface.get_resource_filesystem().get_filesystem_path(path), texts, is_text)
		elif is_text(path):
			texts.append(path)
	return texts


## The scripts in a folder.
static func scripts_in(folder: String) -> PackedStringArray:
	var scripts: PackedStringArray = []
	_add_files(EditorInterface.get_resource_filesystem().get_filesystem_path(folder), scripts, func(file: String) -> bool:
		return file.get_extension() == "gd")
	return scripts


static func _add_files(folder: EditorFileSystemDirectory, files: PackedStringArray, is_wanted: Callable) -> void:
	if folder == null:
		return
	for index: int in folder.get_file_count():
		if is_wanted.call(folder.get_file(index)):
			files.append(folder.get_file_path(index))
	for index: int in folder.get_subdir_count():
		_add_files(folder.get_subdir(index), files, is_wanted)
