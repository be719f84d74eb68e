extends SceneTree
## Measures the engine's cost of the files in `res://cases/index.tsv`: loads each, instantiates it, adds it to the tree, runs it and
## frees it.
##
##   godot --headless --path PROJECT -s res://limits.gd -- FIRST LAST
##
## Prints `case NUMBER STAGE` before each stage, and `used NUMBER MILLISECONDS KIBIBYTES` after it ran: processor time, and the
## maximum of additional memory.

const SUCCESS := "harmless files: DONE"
const INDEX := "res://cases/index.tsv"
## `USER_HZ`: how the system counts processor time.
const TICK_MSEC := 10


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var lines := FileAccess.get_file_as_string(INDEX).split("\n", false)
	await _run(load("res://own/warm.tscn") as PackedScene, 4)
	for number in range(arguments[0].to_int(), arguments[1].to_int()):
		var fields := lines[number].split("\t")
		await _measure(number, "res://cases/" + fields[0])
	print("case %s end" % arguments[1])
	print(SUCCESS)
	quit()


func _measure(number: int, path: String) -> void:
	_start_peak()
	var memory := _memory("VmRSS:")
	print("case %d load" % number)
	var start := _msec()
	var scene := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if scene is PackedScene:
		print("case %d run" % number)
		await _run(scene as PackedScene, 30)
	elif scene == null:
		print("not loaded: %s" % path)
	scene = null
	print("used %d %d %d" % [number, _msec() - start, _memory("VmHWM:") - memory])


func _run(scene: PackedScene, frames: int) -> void:
	var node := scene.instantiate()
	if node == null:
		print("not instantiated: %s" % scene.resource_path)
		return
	root.add_child(node)
	for frame in frames:
		await process_frame
	await physics_frame
	if is_instance_valid(node):
		node.free()


func _start_peak() -> void:
	var file := FileAccess.open("/proc/self/clear_refs", FileAccess.WRITE)
	file.store_string("5")
	file.close()


func _memory(key: String) -> int:
	var file := FileAccess.open("/proc/self/status", FileAccess.READ)
	while true:
		var line := file.get_line()
		if line.begins_with(key):
			return line.trim_prefix(key).strip_edges().to_int()
	return 0


## Processor time of all threads.
func _msec() -> int:
	var fields := FileAccess.open("/proc/self/stat", FileAccess.READ).get_line().get_slice(") ", 1).split(" ")
	return (fields[11].to_int() + fields[12].to_int()) * TICK_MSEC
