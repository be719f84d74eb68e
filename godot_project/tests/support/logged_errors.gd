extends RefCounted
## Counts the errors that a call logs.
##
## They must be printed to be counted: Godot hands no muted error to a logger. So they stand in the output between two
## marks, which scripts/lib/engine_run.sh knows. The marks go the way of the errors, so that the order is right.

const BEGIN := "[expected errors"
const END := "expected errors]"
## Loaded only where it can be compiled: the class `Logger` is new in Godot 4.5.
const LOGGER_PATH := "res://tests/support/counting_logger.gd"


static func can_be_counted() -> bool:
	return ClassDB.class_exists(&"Logger")


## The texts of all errors that `action` logs.
static func of(action: Callable) -> PackedStringArray:
	var script: GDScript = load(LOGGER_PATH)
	var logger: Object = script.new()
	printerr(BEGIN)
	OS.call(&"add_logger", logger)
	action.call()
	OS.call(&"remove_logger", logger)
	printerr(END)
	return logger.get(&"errors")
