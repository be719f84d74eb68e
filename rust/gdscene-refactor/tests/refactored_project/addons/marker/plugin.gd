@tool
extends EditorPlugin

const Helper := preload("helper.gd")


func _enter_tree() -> void:
	Helper.note("entered")
