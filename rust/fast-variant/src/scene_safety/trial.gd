extends Node
## Loads, instantiates and runs a file that was judged, in a process of its own. The game that started it waits for the files that
## are written here. Nothing else of the game runs: it has no autoloads, and this is its main scene.

const FRAMES := 30

var _folder := OS.get_environment("FAST_VARIANT_TRIAL")


func _ready() -> void:
	for frame in 4:
		await get_tree().process_frame
	_write("ready", "ready")
	while not FileAccess.file_exists(_folder.path_join("go")):
		OS.delay_msec(1)
	var start := Time.get_ticks_usec()
	var reason := await _try(FileAccess.get_file_as_string(_folder.path_join("go")))
	_write("done", JSON.stringify({reason = reason, seconds = (Time.get_ticks_usec() - start) / 1e6}))
	get_tree().quit()


func _try(path: String) -> String:
	var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if loaded == null:
		return "Godot cannot load it"
	if not loaded is PackedScene:
		return ""
	var node := (loaded as PackedScene).instantiate()
	if node == null:
		return "Godot cannot instantiate it"
	add_child(node)
	for frame in FRAMES:
		await get_tree().process_frame
	if not is_instance_valid(node):
		return "its nodes are gone after %d frames" % FRAMES
	node.free()
	return ""


## Writes the file as a whole, so that the waiting process finds all of it.
func _write(kind: String, text: String) -> void:
	var place := _folder.path_join(kind)
	var file := FileAccess.open(place + ".part", FileAccess.WRITE)
	file.store_string(text)
	file.close()
	DirAccess.rename_absolute(place + ".part", place)
