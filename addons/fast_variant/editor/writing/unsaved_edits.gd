@tool
extends Node
## Knows which open scenes, resources and scripts were changed since they were saved: to rewrite their files would lose that.

const _HeldResource := preload("held_resource.gd")
const _OpenScripts := preload("open_scripts.gd")
const _SceneTabs := preload("scene_tabs.gd")

## The version of the history of a scene that was just opened.
const _FIRST_VERSION := 1

var undo_redo := EditorInterface.get_editor_undo_redo()

## By path, the version that the scene's history had when it was opened or saved.
var _saved: Dictionary[String, int] = {}
## When a history changed last.
var _changed_in_frame := -1


func attach(plugin: EditorPlugin) -> void:
	plugin.scene_changed.connect(_on_scene_changed)
	plugin.scene_closed.connect(_on_scene_closed)
	plugin.scene_saved.connect(keep_version)
	undo_redo.version_changed.connect(_on_version_changed)
	undo_redo.history_changed.connect(_on_version_changed)
	for path: String in EditorInterface.get_open_scenes():
		keep_version(path)


## Whether the editor holds changes of this scene, resource or script that are not in its file.
func has(path: String) -> bool:
	if path in EditorInterface.get_open_scenes():
		return _has_scene(path)
	if _OpenScripts.is_script(path):
		return _OpenScripts.is_edited(path)
	return _HeldResource.is_edited(path)


## The scene's tab shows the editor's knowledge, a frame later. Until then, and without such a tab, the history counts.
func _has_scene(path: String) -> bool:
	var mark: Variant = _SceneTabs.is_marked_unsaved(path)
	if mark == true:
		return true
	var is_mark_old := Engine.get_process_frames() - _changed_in_frame <= 1
	var version := _version(path)
	return (mark == null or is_mark_old) and version != _saved.get(path, _FIRST_VERSION)


func keep_version(path: String) -> void:
	_saved[path] = _version(path)


## The version of the history of an open scene, at the front or not. The editor finds the history by an object, and
## resources in a scene belong to it by their path.
func _version(path: String) -> int:
	var probe := Resource.new()
	probe.set_path_cache(path + "::probe")
	var history := undo_redo.get_history_undo_redo(undo_redo.get_object_history_id(probe))
	return history.get_version() if history != null else 0


func _on_scene_changed(root: Node) -> void:
	if root != null and not root.scene_file_path.is_empty() and not _saved.has(root.scene_file_path):
		keep_version(root.scene_file_path)


func _on_scene_closed(path: String) -> void:
	_saved.erase(path)


func _on_version_changed() -> void:
	_changed_in_frame = Engine.get_process_frames()
