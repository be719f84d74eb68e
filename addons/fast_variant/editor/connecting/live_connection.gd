@tool
extends RefCounted
## A connection that the editor holds in the scene at the front. Each change is a step of the editor's undo.

const _SceneConnection := preload("scene_connection.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Self := preload("live_connection.gd")

var _source: Node
var _target: Node
var _signal: StringName
var _callable: Callable
var _flags: int


## Null if the scene is not at the front, or does not have the connection.
static func find(path: String, connection: _SceneConnection) -> RefCounted:
	var root := EditorInterface.get_edited_scene_root()
	if root == null or root != _SceneFiles.root_of(path):
		return null
	var source := root.get_node_or_null(connection.from)
	var target := root.get_node_or_null(connection.to)
	if source == null or target == null or not source.has_signal(connection.signal_name):
		return null
	for each: Dictionary in source.get_signal_connection_list(connection.signal_name):
		var callable: Callable = each["callable"]
		var flags: int = each["flags"]
		if callable.get_object() == target and callable.get_method() == connection.method and flags & Object.CONNECT_PERSIST:
			var found := _Self.new()
			found._source = source
			found._target = target
			found._signal = connection.signal_name
			found._callable = callable
			found._flags = flags
			return found
	return null


func remove(undo_redo: EditorUndoRedoManager, title: String) -> void:
	undo_redo.create_action(title, UndoRedo.MERGE_DISABLE, _source)
	undo_redo.add_do_method(_source, &"disconnect", _signal, _callable)
	undo_redo.add_undo_method(_source, &"connect", _signal, _callable, _flags)
	undo_redo.commit_action()


func call_instead(undo_redo: EditorUndoRedoManager, title: String, method: String) -> void:
	var other := Callable(_target, method)
	# As in the old one: first the added arguments, then the omitted ones.
	if _callable.get_bound_arguments_count() > 0:
		other = other.bindv(_callable.get_bound_arguments())
	if _callable.get_unbound_arguments_count() > 0:
		other = other.unbind(_callable.get_unbound_arguments_count())
	undo_redo.create_action(title, UndoRedo.MERGE_DISABLE, _source)
	undo_redo.add_do_method(_source, &"disconnect", _signal, _callable)
	undo_redo.add_do_method(_source, &"connect", _signal, other, _flags)
	undo_redo.add_undo_method(_source, &"disconnect", _signal, other)
	undo_redo.add_undo_method(_source, &"connect", _signal, _callable, _flags)
	undo_redo.commit_action()
