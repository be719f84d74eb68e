@tool
extends "suite.gd"
## What the parts of this test share.

const Contents := preload("contents.gd")
const Hands := preload("hands.gd")
const Mouse := preload("mouse.gd")

var hands: Hands = Mouse.new() if OS.has_environment("FV_XDOTOOL") else Hands.new()
var passed := 0


func _ready() -> void:
	add_child(hands)


## Waits until the editor has read the project, and the addon has checked it.
func rest() -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	await until(func() -> bool: return not file_system.is_scanning(), "the editor has read the files")
	await until(func() -> bool: return watch() != null, "the addon is there")
	await settled()


func file_bytes(path: String) -> PackedByteArray:
	return FileAccess.get_file_as_bytes(path) if FileAccess.file_exists(path) else PackedByteArray()
