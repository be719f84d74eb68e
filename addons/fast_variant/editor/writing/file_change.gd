@tool
extends RefCounted
## The change of one file in a step that can be undone.

var path: String
## The bytes, or null if there was no file.
var before: Variant
## The bytes, or null if the file was removed.
var after: Variant
## Whether the file has the change now.
var is_done := false


func _init(path_: String, before_: Variant, after_: Variant) -> void:
	path = path_
	before = before_
	after = after_
