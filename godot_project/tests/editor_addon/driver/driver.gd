@tool
extends EditorPlugin
## Runs one test inside the editor, and quits: the file that the environment variable FV_EDITOR_TEST names. Without it,
## it does nothing.

## How long to wait for the editor, in milliseconds. Frames say nothing about time on a busy machine.
const PATIENCE := 120_000

var _failed := false


func _enter_tree() -> void:
	if not OS.get_environment("FV_EDITOR_TEST").is_empty():
		_run.call_deferred()


func _run() -> void:
	await until(func() -> bool: return not EditorInterface.get_resource_filesystem().is_scanning(), "the first scan")
	var script: GDScript = load("res://driver/%s.gd" % OS.get_environment("FV_EDITOR_TEST"))
	var test: RefCounted = script.new()
	await test.call(&"run", self)
	print("editor test: %s" % ("FAILED" if _failed else "SUCCESS"))
	get_tree().quit(1 if _failed else 0)


func until(condition: Callable, what: String) -> void:
	var end := Time.get_ticks_msec() + PATIENCE
	while not condition.call():
		if Time.get_ticks_msec() > end:
			fail("waited in vain for: %s" % what)
			return
		await get_tree().process_frame


func check(condition: bool, what: String) -> void:
	if not condition:
		fail(what)


func equal(got: Variant, wanted: Variant, what: String) -> void:
	if got != wanted:
		fail("%s: %s instead of %s" % [what, got, wanted])


func fail(reason: String) -> void:
	_failed = true
	print("FAIL  ", reason)
