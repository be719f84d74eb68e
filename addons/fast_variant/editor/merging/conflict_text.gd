@tool
extends RefCounted
## A text with conflicts: the contents of a file, or, if git has left its markers in the file, the result of merging git's two
## sides.

const _SceneFiles := preload("../shared/scene_files.gd")

var path: String
## The contents of the file when it was read.
var on_disk: PackedByteArray
## The text with the conflicts.
var text: PackedByteArray
## More facts about the merge.
var notes: PackedStringArray = []


func _init(path_: String, on_disk_: PackedByteArray, text_: PackedByteArray) -> void:
	path = path_
	on_disk = on_disk_
	text = text_


## Whether the file has git's markers instead of it.
func is_merged_now() -> bool:
	return text != on_disk


## Whether the file was changed since.
func is_stale() -> bool:
	return _SceneFiles.read(path) != on_disk


## The line of git's first marker, from 1.
func first_marker() -> int:
	var lines := on_disk.get_string_from_utf8().split("\n")
	for index: int in lines.size():
		if lines[index].begins_with("<<<<<<<"):
			return index + 1
	return 1
