@tool
extends RefCounted
## The steps of one of the editor's histories.

const Step := preload("step.gd")

var _id: int
var _steps: Array[Step] = []


func _init(id: int) -> void:
	_id = id


func version() -> int:
	var history := _undo_redo()
	return history.get_version() if history != null else 0


func current_title() -> String:
	return _undo_redo().get_current_action_name()


## The editor has just done it.
func push(step: Step) -> void:
	var at := _undo_redo().get_current_action()
	_steps.resize(maxi(at, 0))
	_steps.append(step)


## The step that the editor has just undone or done again; null if this test does not know it.
func move(is_forward: bool) -> Step:
	var at := _undo_redo().get_current_action() + (0 if is_forward else 1)
	return _steps[at] if at >= 0 and at < _steps.size() else null


func kill_steps_of_addon() -> void:
	for step: Step in _steps:
		if step != null and step.is_of_addon():
			step.is_dead = true


func _undo_redo() -> UndoRedo:
	var manager := EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(_id)
