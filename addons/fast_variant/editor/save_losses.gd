@tool
extends RefCounted
## What one save dropped from one file, and the text before it.

const Loss := preload("loss.gd")

var path: String
## The file before the save.
var before: PackedByteArray
var losses: Array[Loss] = []


func _init() -> void:
	set_translation_domain(&"godot.editor")


## In one sentence.
func summary() -> String:
	return tr_n("Saving %s dropped %d thing.", "Saving %s dropped %d things.", losses.size()) % [path.get_file(), losses.size()]
