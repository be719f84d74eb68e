@tool
extends RefCounted
## A step of the editor's undo that changes files.

var title: String
## Whether the editor's undo passes it over, as it cannot be taken back.
var is_skipped := false


func _init(title_: String) -> void:
	title = title_


func skip() -> void:
	is_skipped = true


## Whether there is nothing left to do in this direction. Each kind of step has its own answer.
func is_over(_is_forward: bool) -> bool:
	return false
