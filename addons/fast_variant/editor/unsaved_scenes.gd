@tool
extends Node
## Knows which open scenes were changed since they were saved: to rewrite their files would lose that.

var undo_redo: EditorUndoRedoManager

## By path, the version of the scene's history when it was saved or opened, and now.
var _saved: Dictionary[String, int] = {}
var _now: Dictionary[String, int] = {}


func _ready() -> void:
	undo_redo.version_changed.connect(_on_version_changed)
	undo_redo.history_changed.connect(_on_version_changed)


func _exit_tree() -> void:
	undo_redo.version_changed.disconnect(_on_version_changed)
	undo_redo.history_changed.disconnect(_on_version_changed)


func has(path: String) -> bool:
	return path in EditorInterface.get_open_scenes() and _now.get(path, 0) != _saved.get(path, 0)


func on_saved(path: String) -> void:
	_on_version_changed()
	_saved[path] = _now.get(path, 0)


func on_shown(root: Node) -> void:
	if root == null or root.scene_file_path.is_empty():
		return
	_on_version_changed()
	var path := root.scene_file_path
	if not _saved.has(path):
		_saved[path] = _now.get(path, 0)


func on_closed(path: String) -> void:
	_saved.erase(path)
	_now.erase(path)


func _on_version_changed() -> void:
	var root := EditorInterface.get_edited_scene_root()
	if root == null or root.scene_file_path.is_empty():
		return
	var history := undo_redo.get_history_undo_redo(undo_redo.get_object_history_id(root))
	if history != null:
		_now[root.scene_file_path] = history.get_version()
