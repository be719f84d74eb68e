@tool
extends EditorPlugin
## Does in a running editor what writes files, again and again, with the mouse and the keys of an X server where there is
## one (`FV_XDOTOOL`). `FV_WRITING` says what: `rounds` or `sequences`.
##
## It says that it edits lamps, as plugins of others do: the editor hands a node that it has freed to such plugins first.

const Part := preload("part.gd")
const PARTS: Dictionary[String, GDScript] = {
	"rounds": preload("rounds.gd"),
	"sequences": preload("sequences.gd"),
}
const SUCCESS := "editor writing test: SUCCESS"
## As long as the time in this file goes on, the editor does not hang.
const HEARTBEAT_SECONDS := 1.0

var _since := 0.0


func _enter_tree() -> void:
	if OS.has_environment("FV_WRITING"):
		_run.call_deferred()


func _process(delta: float) -> void:
	_since += delta
	if _since > HEARTBEAT_SECONDS and OS.has_environment("FV_HEARTBEAT"):
		_since = 0.0
		_beat()


## Under another name first, so that a half-written time is not read.
func _beat() -> void:
	var path := OS.get_environment("FV_HEARTBEAT")
	var file := FileAccess.open(path + ".half", FileAccess.WRITE)
	file.store_line(str(int(Time.get_unix_time_from_system())))
	file.close()
	DirAccess.rename_absolute(path + ".half", path)


func _handles(object: Object) -> bool:
	return object is Lamp


func _edit(object: Object) -> void:
	if object is Lamp:
		(object as Lamp).queue_redraw()


func _run() -> void:
	var part: Part = PARTS[OS.get_environment("FV_WRITING")].new()
	add_child(part)
	await part.rest()
	if part.failures.is_empty():
		await part.run()
	print("%d passed, %d failed" % [part.passed, part.failures.size()])
	if part.failures.is_empty():
		print(SUCCESS)
	# As the user closes the window.
	get_tree().quit(0 if part.failures.is_empty() else 1)
