@tool
extends RefCounted
## Whether Godot can load a text, tried before the editor has to: if it cannot read an open scene again, it closes the tab.

const _HeldResource := preload("held_resource.gd")
const _SafeFile := preload("safe_file.gd")
const _SceneFiles := preload("../shared/scene_files.gd")


## Why a text must not replace another one in a file that the editor holds; empty if it may. A text that Godot cannot load
## may replace one that it cannot load either.
static func obstacle(path: String, before: PackedByteArray, after: PackedByteArray) -> String:
	if not _SceneFiles.is_text(path) or not (_SceneFiles.is_open(path) or _HeldResource.is_held(path)):
		return ""
	if _can_load_bytes(path, after) or not _can_load_bytes(path, before):
		return ""
	return "Godot cannot load the new text (see Output), and the editor holds it; close it first"


## The editor logs the errors.
static func can_load(path: String) -> bool:
	var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	var scene := loaded as PackedScene
	return loaded != null and (scene == null or scene.can_instantiate())


## Writes a copy next to the file, because paths in it may be relative; hidden, so that the editor does not list it.
static func _can_load_bytes(path: String, bytes: PackedByteArray) -> bool:
	if bytes == _SceneFiles.read(path):
		return can_load(path)
	var trial := path.get_base_dir().path_join(".gdscene-trial.%s" % path.get_extension())
	if not _SafeFile.put(trial, bytes).is_empty():
		return false
	var is_loaded := can_load(trial)
	DirAccess.remove_absolute(trial)
	return is_loaded
