@tool
extends Node
## Notices files that the user moves or renames in Godot's own FileSystem dock, and looks in the background for references to the
## old paths.
##
## The dock repairs scenes, resources and some settings, but no path in a script (`FileSystemDock::_update_dependencies_after_move`
## and `_update_project_settings_after_move`, editor/docks/filesystem_dock.cpp, Godot 4.6.3).

## Emitted when there is something to repair or to look at.
signal left_behind(repair: _Refactoring)
## Emitted when the earlier report is outdated.
signal outdated

const _FileRewriter := preload("../writing/file_rewriter.gd")
const _Refactoring := preload("refactoring.gd")
const _Settings := preload("../settings/settings.gd")

## The dock reports each file separately; reports within this time belong together.
const _SETTLE_SECONDS := 0.5
## Each needs a look at the whole project.
const _MAX_MOVES := 30

var rewriter: _FileRewriter

## The new path of each moved file or folder, by the old one, without slashes at their ends.
var _files: Dictionary[String, String] = {}
var _folders: Dictionary[String, String] = {}
## The repair being planned; null without one.
var _repair: _Refactoring
var _timer := Timer.new()


func _ready() -> void:
	set_process(false)
	_timer.wait_time = _SETTLE_SECONDS
	_timer.one_shot = true
	_timer.timeout.connect(_on_timeout)
	add_child(_timer)
	var dock := EditorInterface.get_file_system_dock()
	dock.files_moved.connect(_on_files_moved)
	dock.folder_moved.connect(_on_folder_moved)


## Whether the search for old paths is still running.
func is_working() -> bool:
	return not _timer.is_stopped() or _repair != null


## The moves that were not forgotten: of a folder that moved as a whole, only the folder.
func moves() -> Dictionary[String, String]:
	var found: Dictionary[String, String] = {}
	for path: String in _folders:
		var has_files := _files.keys().any(func(file: String) -> bool: return file.begins_with(path + "/"))
		# Godot allows no reference to an empty folder.
		if has_files and not _goes_with_folder(path, _folders[path]):
			found[path] = _folders[path]
	for path: String in _files:
		if not _goes_with_folder(path, _files[path]):
			found[path] = _files[path]
	return found


## The moves until now are repaired, or left as they are.
func forget() -> void:
	_files.clear()
	_folders.clear()
	_repair = null
	set_process(false)
	outdated.emit()


func _process(_delta: float) -> void:
	if not _repair.is_ready():
		return
	set_process(false)
	var repair := _repair
	_repair = null
	if not repair.error().is_empty() or (repair.is_empty() and repair.doubts.is_empty()):
		# E.g. there is something at an old path again, which may be meant.
		forget()
	else:
		left_behind.emit(repair)


func _on_files_moved(old: String, new: String) -> void:
	_note(_files, old, new)


func _on_folder_moved(old: String, new: String) -> void:
	_note(_folders, old.trim_suffix("/"), new.trim_suffix("/"))


## A file that moves again is at its last place, and a file that moves back has not moved.
func _note(moved: Dictionary[String, String], old: String, new: String) -> void:
	# The addon repairs all references of its own moves itself, and lets the dock report them.
	if rewriter.is_following() or not _Settings.is_on(_Settings.OFFER_REPAIR):
		return
	var origin := old
	for path: String in moved:
		if moved[path] == old:
			origin = path
	moved.erase(origin)
	if origin != new:
		moved[origin] = new
	_repair = null
	set_process(false)
	_timer.start()


func _goes_with_folder(path: String, new: String) -> bool:
	for folder: String in _folders:
		if path != folder and path.begins_with(folder + "/") and new == _folders[folder] + path.substr(folder.length()):
			return true
	return false


## When Godot is done with its own repair, which it does at once, and knows the files.
func _on_timeout() -> void:
	if EditorInterface.get_resource_filesystem().is_scanning() or rewriter.is_working():
		_timer.start()
		return
	var found := moves()
	outdated.emit()
	if found.is_empty() or found.size() > _MAX_MOVES:
		forget()
		return
	_repair = _Refactoring.new(&"repair_moved", [found])
	set_process(true)
