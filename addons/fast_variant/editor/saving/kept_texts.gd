@tool
extends RefCounted
## The texts that the editor may write: what was on the disk of each open scene, and of each resource that is loaded. A
## save may write all of them, not only what is at the front.

const SceneFiles := preload("../shared/scene_files.gd")

## What the file system tells of times is as coarse as this, in seconds: a file that was read so soon after it was written
## may have been written again since.
const _COARSE := 2

var _texts: Dictionary[String, PackedByteArray] = {}
## When each file was written, and when it was read.
var _written: Dictionary[String, int] = {}
var _read: Dictionary[String, float] = {}
## All text resources of the project; which of them are loaded is asked each time.
var _resources: PackedStringArray = []
var _is_list_due := true


## The project's files are others than before.
func list_again() -> void:
	_is_list_due = true


## Reads what is open or loaded and not kept yet, or was written since; forgets the others.
func keep_all() -> void:
	var wanted: Dictionary[String, bool] = {}
	for path: String in EditorInterface.get_open_scenes():
		if SceneFiles.is_text(path):
			wanted[path] = true
	for path: String in loaded_resources():
		wanted[path] = true
	for path: String in _texts:
		# Loaded, and perhaps edited, though the editor's file system has not seen it yet.
		if not SceneFiles.is_scene(path) and ResourceLoader.has_cached(path):
			wanted[path] = true
	for path: String in wanted:
		keep(path)
	for path: String in _texts.keys():
		if path not in wanted:
			_forget(path)


## Reads what is loaded by now, and not kept yet.
func keep_new() -> void:
	for path: String in loaded_resources():
		if not _texts.has(path):
			keep(path)


func keep(path: String) -> void:
	if not SceneFiles.is_text(path):
		return
	if not FileAccess.file_exists(path):
		_forget(path)
		return
	var time := FileAccess.get_modified_time(path)
	if _texts.has(path) and not _may_differ(path, time):
		return
	_texts[path] = SceneFiles.read(path)
	_written[path] = time
	_read[path] = Time.get_unix_time_from_system()


func has(path: String) -> bool:
	return _texts.has(path)


func text_of(path: String) -> PackedByteArray:
	return _texts.get(path, PackedByteArray())


## Those of the kept resources that are no longer what was kept.
func changed_resources() -> PackedStringArray:
	var changed: PackedStringArray = []
	for path: String in _texts:
		if SceneFiles.is_scene(path) or not FileAccess.file_exists(path):
			continue
		if _may_differ(path, FileAccess.get_modified_time(path)) and SceneFiles.read(path) != _texts[path]:
			changed.append(path)
	return changed


## The text resources of the project that the editor has loaded.
func loaded_resources() -> PackedStringArray:
	if _is_list_due:
		_is_list_due = false
		_resources = SceneFiles.texts_in(["res://"])
	var loaded: PackedStringArray = []
	for path: String in _resources:
		if not SceneFiles.is_scene(path) and ResourceLoader.has_cached(path):
			loaded.append(path)
	# The editor may not have looked into a new folder yet.
	var inspected := EditorInterface.get_inspector().get_edited_object() as Resource
	if inspected != null:
		var path := inspected.resource_path.get_slice("::", 0)
		if SceneFiles.is_text(path) and not SceneFiles.is_scene(path) and path not in loaded:
			loaded.append(path)
	return loaded


func _may_differ(path: String, time: int) -> bool:
	return time != _written[path] or _read[path] - time < _COARSE


func _forget(path: String) -> void:
	_texts.erase(path)
	_written.erase(path)
	_read.erase(path)
