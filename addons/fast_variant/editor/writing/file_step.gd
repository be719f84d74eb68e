@tool
extends "history_step.gd"
## Changes of single files as a step of the editor's undo.

const _FileChange := preload("file_change.gd")

var changes: Array[_FileChange]


func _init(title_: String, changes_: Array[_FileChange]) -> void:
	super(title_)
	changes = changes_


func is_over(is_forward: bool) -> bool:
	return changes.all(func(change: _FileChange) -> bool: return change.is_done == is_forward)
