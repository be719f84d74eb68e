# Loads files of a project, one after another, for `gdscene check --engine`. The command writes this script, a file with
# the paths and one with a token to a folder of its own, and reads the lines with the token on standard error.
#
# A project can make any warning an error, so every declaration has a type and every result a name.
extends SceneTree

# The engine reads messages of the command after this number of script lines.
const LINES_PER_POLL: int = 2100
# The command answers at once, unless it is gone. In milliseconds.
const LONGEST_SILENCE: int = 60000

# The command's number of a script to compile again; -1 without a request.
var _again: int = -1
var _token: String = ""


# Nodes of autoloads exist now, but they enter the tree after this. So no `_ready()` runs.
func _initialize() -> void:
	Engine.print_error_messages = true
	var script: Script = get_script()
	var folder: String = script.resource_path.get_base_dir()
	_token = FileAccess.get_file_as_string(folder.path_join("token"))
	var list: String = FileAccess.get_file_as_string(folder.path_join("paths"))
	var paths: Dictionary = {}
	if EngineDebugger.is_active():
		EngineDebugger.register_message_capture("gdscene", _on_message)
		var limit: Variant = ProjectSettings.get_setting("network/limits/debugger/max_warnings_per_second")
		EngineDebugger.send_message("gdscene:hello", [_token, limit])
	var extensions: PackedStringArray = ResourceLoader.get_recognized_extensions_for_type("")
	for line: String in list.split("\n", false):
		var number: int = line.get_slice("\t", 0).to_int()
		var path: String = line.get_slice("\t", 1)
		paths[number] = path
		var what: String = line.get_slice("\t", 2)
		if what == "later":
			continue
		_mark("begin", number)
		if what == "imported" or extensions.has(path.get_extension().to_lower()):
			_mark("loaded" if _loads(path) else "refused", number)
		else:
			_mark("skipped", number)
	_mark("done", 0)
	if EngineDebugger.is_active():
		EngineDebugger.send_message("gdscene:done", [_token])
		_compile_again(paths)
	# The command knows all it wants to. An orderly end would start the game's autoloads first.
	var _result: Error = OS.kill(OS.get_process_id())


func _loads(path: String) -> bool:
	var loaded: Resource = ResourceLoader.load(path)
	var is_loaded: bool = loaded != null
	if is_instance_of(loaded, Shader):
		# A shader is compiled when something wants to draw with it.
		var _rid: RID = loaded.get_rid()
	loaded = null
	_poll()
	return is_loaded


# The debugger drops warnings if there are many in one second. Then the command asks for scripts again, in its own time.
func _compile_again(paths: Dictionary) -> void:
	var last: int = Time.get_ticks_msec()
	while Time.get_ticks_msec() - last < LONGEST_SILENCE:
		_poll()
		if _again < 0:
			OS.delay_msec(1)
			continue
		var number: int = _again
		_again = -1
		var path: String = paths[number]
		_mark("again", number)
		var loaded: Resource = ResourceLoader.load(path)
		if is_instance_of(loaded, Script):
			var script: Script = loaded
			var _result: Error = script.reload(true)
		_poll()
		EngineDebugger.send_message("gdscene:compiled", [_token, number])
		last = Time.get_ticks_msec()


func _on_message(message: String, data: Array) -> bool:
	if message == "again":
		_again = data[0]
	return message == "again"


# Sends what was reported, and takes messages of the command.
func _poll() -> void:
	for _line: int in LINES_PER_POLL:
		pass


# On standard error, between the errors that the engine prints there.
func _mark(what: String, number: int) -> void:
	printerr("%s %s %d" % [_token, what, number])
