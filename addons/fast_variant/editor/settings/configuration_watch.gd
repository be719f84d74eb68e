@tool
extends Node
## Notices when `gdscene.toml` was changed, by another program, too: the editor itself does not look at such files.

## Emitted when the file was written, has come or is gone.
signal changed

const _Native := preload("../shared/native.gd")

## The linter's configuration of the project.
const PATH := "res://gdscene.toml"

## The hash of the file when it was last read; empty if it did not exist.
var _hash := ""
var _error: Dictionary = {}


## Before the panel asks, which is ready sooner than the addon's own nodes.
func _enter_tree() -> void:
	_look()


func _notification(what: int) -> void:
	if what == NOTIFICATION_APPLICATION_FOCUS_IN:
		look()


## Looks whether the file is another one now.
func look() -> void:
	var before := _hash
	_look()
	if _hash != before:
		changed.emit()


func is_there() -> bool:
	return not _hash.is_empty()


## Empty if the file is right.
func error_message() -> String:
	return _error.get("message", "")


## The line that is wrong, or the first.
func line() -> int:
	return _error.get("line", 1)


func _look() -> void:
	_hash = FileAccess.get_md5(PATH) if FileAccess.file_exists(PATH) else ""
	_error = _Native.configuration_error() if is_there() else {}
