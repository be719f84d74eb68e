@tool
extends Node
## Updates the editor after files were written: open scenes, resources, its list of files.

## Emitted when the editor knows all files of one call.
signal updated(paths: PackedStringArray)
## Emitted if the editor still has the earlier contents of the file.
signal failed(path: String, reason: String)

const _FileList := preload("file_list.gd")
const _HeldResource := preload("held_resource.gd")
const _KeptSelection := preload("kept_selection.gd")
const _OpenScripts := preload("open_scripts.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _SceneTabs := preload("scene_tabs.gd")
const _TrialLoad := preload("trial_load.gd")
const _UnsavedEdits := preload("unsaved_edits.gd")

## The time for work in one frame.
const _FRAME_BUDGET_USEC := 12_000
## The editor refuses to read a scene again while another one comes to the front.
const _MAX_TRIES := 60
const _MAX_WAIT := 10

var unsaved: _UnsavedEdits

## The work to do, and the whole of the calls that it is part of.
var _queue: PackedStringArray = []
var _calls: Array[PackedStringArray] = []
var _discarded: PackedStringArray = []
var _selection: _KeptSelection
## The maximum number of frames to wait until the editor reports that nodes are selected again.
var _wait := 0
## The scene at the front, and its tab, while one is read again.
var _front := ""
var _front_tab := -1
var _tries := 0
var _closed := ""


func _ready() -> void:
	set_process(false)


func is_working() -> bool:
	return not _queue.is_empty() or _selection != null


## Begins when the editor has finished its current work: it may be changing the history of a scene, which is cleared. The editor may
## have unsaved changes of the files in `discarded`, which are lost.
func update(paths: PackedStringArray, discarded: PackedStringArray = []) -> void:
	if not is_working():
		_work.call_deferred()
	_discarded.append_array(discarded)
	var others: PackedStringArray = []
	for path: String in paths:
		# Objects that the editor could save over the new file come first.
		if _SceneFiles.is_open(path) or ResourceLoader.has_cached(path):
			_queue.append(path)
		else:
			others.append(path)
	_queue.append_array(others)
	_calls.append(paths)


func on_scene_closed(path: String) -> void:
	_closed = path


func _process(_delta: float) -> void:
	_work()


func _work() -> void:
	set_process(true)
	_end_reload()
	var began := Time.get_ticks_usec()
	while not _queue.is_empty() and _selection == null and Time.get_ticks_usec() - began < _FRAME_BUDGET_USEC:
		_update_first()
	if is_working():
		return
	set_process(false)
	var calls := _calls
	_calls = []
	_discarded.clear()
	for paths: PackedStringArray in calls:
		updated.emit(paths)


func _update_first() -> void:
	var path := _queue[0]
	if _tries == 0:
		_FileList.update(path)
	var reason := _obstacle(path)
	if reason.is_empty() and _SceneFiles.is_open(path) and FileAccess.file_exists(path):
		_reload(path)
		return
	_queue.remove_at(0)
	if reason.is_empty() and _OpenScripts.is_script(path):
		_OpenScripts.refresh(path)
	elif reason.is_empty() and _HeldResource.is_held(path):
		reason = _refresh(path)
	if not reason.is_empty():
		failed.emit(path, reason)


## The reason why the editor must keep its contents. It may have been changed in the moment since the file was written.
func _obstacle(path: String) -> String:
	if _tries > 0:
		return ""
	var asks_all := _SceneFiles.is_open(path) or _OpenScripts.is_script(path)
	if path not in _discarded and (unsaved.has(path) if asks_all else _HeldResource.is_touched(path)):
		return "it was changed in the editor at the same time, which does not have the new text; save it, or open it again"
	if _SceneFiles.is_open(path) and FileAccess.file_exists(path) and not _TrialLoad.can_load(path):
		return "Godot cannot load it; its tab still holds what it was before"
	if _SceneFiles.is_open(path) and not _SceneTabs.can_reload(path):
		return "Godot crashes when it reads it again next to an empty tab; close its tab without saving, and open it"
	return ""


## The selection is about scenes, and stays.
func _refresh(path: String) -> String:
	if not _KeptSelection.is_inspected(path):
		return _HeldResource.refresh(path)
	var selection := _KeptSelection.new()
	selection.release_inspected()
	var reason := _HeldResource.refresh(path)
	selection.inspect_again()
	return reason


## The selection comes back in the next frame, when the editor is done.
func _reload(path: String) -> void:
	if _tries == 0:
		_selection = _KeptSelection.new()
		_selection.release()
		var root := EditorInterface.get_edited_scene_root()
		_front = root.scene_file_path if root != null else ""
		_front_tab = _SceneTabs.current()
	_closed = ""
	_SceneTabs.leave_empty(path)
	EditorInterface.reload_scene_from_path(path)
	_tries += 1
	if _closed != path and _tries < _MAX_TRIES:
		return
	if _closed != path:
		failed.emit(path, "the open scene could not be read again; close it without saving, and open it")
	_tries = 0
	_queue.remove_at(0)
	unsaved.keep_version(path)


## The Scene dock shows the node that was selected; after that it is time for a resource.
func _on_selection_changed() -> void:
	_wait = mini(_wait, 1)


## If the tab was the last one, another one may have come to the front.
func _end_reload() -> void:
	if _selection == null:
		return
	if _wait > 0:
		_wait -= 1
		if _wait == 0:
			_selection.inspect_again()
			_selection = null
		return
	if _tries > 0:
		_reload(_queue[0])
		return
	var root := EditorInterface.get_edited_scene_root()
	if _front_tab != -1 and root != null and root.scene_file_path != _front:
		_SceneTabs.show(_front_tab)
	_selection.restore()
	_wait = _MAX_WAIT
	if not EditorInterface.get_selection().selection_changed.is_connected(_on_selection_changed):
		EditorInterface.get_selection().selection_changed.connect(_on_selection_changed, CONNECT_ONE_SHOT)
