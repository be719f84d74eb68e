@tool
extends RefCounted
## The texts that the editor may write: the text on the disk for each open scene and each loaded resource, and the text that the
## editor has read or written last. A save may write all of them, not only the scene at the front.

const _SceneFiles := preload("../shared/scene_files.gd")

## The resolution of the file system's times, in seconds: a file that was read within this time after it was written may have been
## written again.
const _COARSE := 2

var _texts: Dictionary[String, PackedByteArray] = {}
## The bytes that the editor has read or written last: the same, unless another program has written the file since.
var _held: Dictionary[String, PackedByteArray] = {}
var _newer: Dictionary[String, bool] = {}
## When each file was written, and when it was read.
var _written: Dictionary[String, int] = {}
var _read: Dictionary[String, float] = {}
## All text resources of the project; which of them are loaded is asked each time.
var _resources: PackedStringArray = []
var _is_list_due := true


## The project's files are others than before.
func list_again() -> void:
	_is_list_due = true


## Reads open or loaded files that are not kept yet, or were written since; forgets the others.
func keep_all() -> void:
	var wanted: Dictionary[String, bool] = {}
	for path: String in EditorInterface.get_open_scenes():
		if _SceneFiles.is_text(path):
			wanted[path] = true
	for path: String in loaded_resources():
		wanted[path] = true
	for path: String in _texts:
		# Loaded, and perhaps edited, though the editor's file system has not seen it yet.
		if not _SceneFiles.is_scene(path) and ResourceLoader.has_cached(path):
			wanted[path] = true
	for path: String in wanted:
		keep(path)
	for path: String in _texts.keys():
		if path not in wanted:
			forget(path)


## Reads files that are open or loaded by now, and not kept yet.
func keep_new() -> void:
	keep_new_scenes()
	for path: String in loaded_resources():
		if not _texts.has(path):
			keep(path)


func keep_new_scenes() -> void:
	for path: String in EditorInterface.get_open_scenes():
		if not _texts.has(path):
			keep(path)


func keep(path: String) -> void:
	if not _SceneFiles.is_text(path):
		return
	if not FileAccess.file_exists(path):
		forget(path)
		return
	var time := FileAccess.get_modified_time(path)
	if _texts.has(path) and not _may_differ(path, time):
		return
	_texts[path] = _SceneFiles.read(path)
	_written[path] = time
	_read[path] = Time.get_unix_time_from_system()
	if _held.has(path) and _held[path] != _texts[path]:
		_newer[path] = true
	else:
		# One array serves both.
		_held[path] = _texts[path]
		_newer.erase(path)


## The editor has just read or written the file.
func hold(path: String) -> void:
	keep(path)
	if _texts.has(path):
		_held[path] = _texts[path]
		_newer.erase(path)


## The editor lets go of the file.
func forget(path: String) -> void:
	_texts.erase(path)
	_held.erase(path)
	_newer.erase(path)
	_written.erase(path)
	_read.erase(path)


func has(path: String) -> bool:
	return _texts.has(path)


func text_of(path: String) -> PackedByteArray:
	return _texts.get(path, PackedByteArray())


## The text that the editor has read or written last.
func held_of(path: String) -> PackedByteArray:
	return _held.get(path, PackedByteArray())


## Whether another program has written the file since the editor did.
func is_newer(path: String) -> bool:
	return _newer.has(path)


## The kept resources that have changed.
func changed_resources() -> PackedStringArray:
	var changed: PackedStringArray = []
	for path: String in _texts:
		if _SceneFiles.is_scene(path) or not FileAccess.file_exists(path):
			continue
		if _may_differ(path, FileAccess.get_modified_time(path)) and _SceneFiles.read(path) != _texts[path]:
			changed.append(path)
	return changed


## The text resources of the project that the editor has loaded.
func loaded_resources() -> PackedStringArray:
	if _is_list_due:
		_is_list_due = false
		_resources = _SceneFiles.texts_in(["res://"])
	var loaded: PackedStringArray = []
	for path: String in _resources:
		if not _SceneFiles.is_scene(path) and ResourceLoader.has_cached(path):
			loaded.append(path)
	# The editor may not have scanned a new folder yet.
	var inspected := EditorInterface.get_inspector().get_edited_object() as Resource
	if inspected != null:
		var path := inspected.resource_path.get_slice("::", 0)
		if _SceneFiles.is_text(path) and not _SceneFiles.is_scene(path) and path not in loaded:
			loaded.append(path)
	return loaded


func _may_differ(path: String, time: int) -> bool:
	return time != _written[path] or _read[path] - time < _COARSE
