@tool
extends "suite.gd"
## What the parts of this test share.

const Contents := preload("contents.gd")
const Hands := preload("hands.gd")
const Mouse := preload("mouse.gd")

## How long a thing may take.
const PATIENCE_SECONDS := 30.0
## The editor sleeps longer between its frames while its window has not got the focus.
const SLEEP_USEC := 3000

var hands: Hands = Mouse.new() if OS.has_environment("FV_XDOTOOL") else Hands.new()
var passed := 0


func _ready() -> void:
	add_child(hands)


## Waits until the editor has read the project, and the addon has checked it.
func rest() -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	await until(func() -> bool: return not file_system.is_scanning(), "the editor has read the files")
	await until(func() -> bool: return parts() != null, "the addon is there")
	if parts() != null:
		await settled()


## By time, because frames are short or long.
func until(condition: Callable, what: String) -> void:
	var end := Time.get_ticks_msec() + int(PATIENCE_SECONDS * 1000.0)
	while Time.get_ticks_msec() < end:
		if condition.call():
			return
		OS.low_processor_usage_mode_sleep_usec = SLEEP_USEC
		await get_tree().process_frame
	fail("waited in vain for: %s" % what)


## The editor does not open a scene while another one comes to the front.
func open(path: String) -> void:
	await until(func() -> bool:
		if edited_path() != path:
			EditorInterface.open_scene_from_path(path)
		return edited_path() == path, "%s is open" % path)


func file_bytes(path: String) -> PackedByteArray:
	return FileAccess.get_file_as_bytes(path) if FileAccess.file_exists(path) else PackedByteArray()
