@tool
extends EditorPlugin
## Does in an editor what operations ask for, with the engine's own calls, and saves the scenes, for scripts/test/project/edits.sh.
##
##   godot --headless --editor --path PROJECT -- save LIST OUTPUT
##   godot --headless --editor --path PROJECT -- apply CASES OUTPUT
##
## `save` loads the scenes and resources in LIST, a path in each line, and saves them again until that changes nothing more. OUTPUT
## gets the paths of those that come to that.
##
## `apply` reads a case from each line of CASES, does its operations on the file as it is on the disk, saves it to the same path,
## moves what was saved to `OUTPUT/NUMBER.godot` and puts the old bytes back. Ids of external resources are chosen by chance; the
## case says which ones ours are, and the file is saved with these once more. `OUTPUT/NUMBER.ids` gets those of chance,
## `OUTPUT/NUMBER.setters` what setters did beyond keeping the value.

const Operations := preload("edit_operations.gd")

const SUCCESS := "edit scenes: DONE"
## So often a scene may be saved before it has to stay the same.
const SAVES := 4


func _enter_tree() -> void:
	_begin.call_deferred()


func _begin() -> void:
	var files := EditorInterface.get_resource_filesystem()
	while files.is_scanning() or files.get_filesystem() == null or files.get_filesystem().get_file_count() == 0:
		await get_tree().process_frame
	var arguments := OS.get_cmdline_user_args()
	if arguments.size() == 3:
		match arguments[0]:
			"save":
				_save_all(arguments[1], arguments[2])
			"apply":
				_apply_all(arguments[1], arguments[2])
		print(SUCCESS)
	get_tree().quit()


# --- Saving ---------------------------------------------------------------------------------------------


func _save_all(list: String, output: String) -> void:
	var paths := FileAccess.get_file_as_string(list).split("\n", false)
	var whole: PackedStringArray = []
	for path in paths:
		# What others need of it, like the ids of nodes, has to be there before these are saved.
		if _is_whole(path) and _save(path):
			whole.append(path)
	var stable: PackedStringArray = []
	for path in whole:
		if _becomes_stable(path):
			stable.append(path)
	var file := FileAccess.open(output, FileAccess.WRITE)
	file.store_string("".join(Array(stable).map(func(path: String) -> String: return path + "\n")))
	file.close()
	print("edit scenes: %d are saved the same again" % stable.size())


## Whether all that it needs is there.
func _is_whole(path: String) -> bool:
	var open: PackedStringArray = [path]
	var seen := {}
	while not open.is_empty():
		var next := open[-1]
		open.remove_at(open.size() - 1)
		if seen.has(next):
			continue
		seen[next] = true
		if not ResourceLoader.exists(next):
			return false
		for dependency in ResourceLoader.get_dependencies(next):
			var parts := dependency.split("::")
			open.append(parts[-1])
	return true


func _becomes_stable(path: String) -> bool:
	var before := FileAccess.get_file_as_bytes(path)
	for _time in SAVES:
		if not _save(path):
			return false
		var after := FileAccess.get_file_as_bytes(path)
		if after == before:
			return true
		before = after
	return false


func _save(path: String) -> bool:
	var scene := Operations.opened(path)
	if scene == null:
		return false
	var is_saved := scene.save(path)
	scene.free_nodes()
	return is_saved


# --- Operations -----------------------------------------------------------------------------------------


func _apply_all(cases: String, output: String) -> void:
	var lines := FileAccess.get_file_as_string(cases).split("\n", false)
	for line in lines:
		var case: Dictionary = JSON.parse_string(line)
		_apply(case, output)
	print("edit scenes: %d cases" % lines.size())


func _apply(case: Dictionary, output: String) -> void:
	var number: int = int(case["number"])
	var path: String = case["file"]
	var original := FileAccess.get_file_as_bytes(path)
	var operations: Array = case["engine"]
	var scene: Operations
	if original.is_empty():
		scene = Operations.created(operations[0])
		operations = operations.slice(1)
	else:
		scene = Operations.opened(path)
	if scene == null:
		push_error("case %d: %s cannot be loaded" % [number, path])
		return
	for operation: Dictionary in operations:
		scene.apply(operation)
	_write(output.path_join("%d.setters" % number), JSON.stringify(scene.setters).to_utf8_buffer())
	_forget(scene, case)
	if scene.save(path):
		var chosen := _chosen(case)
		if not chosen.is_empty():
			_write(output.path_join("%d.ids" % number), JSON.stringify(chosen).to_utf8_buffer())
			_give(case)
			var _saved := scene.save(path)
		_write(output.path_join("%d.godot" % number), FileAccess.get_file_as_bytes(path))
	scene.free_nodes()
	if original.is_empty():
		var _removed := DirAccess.remove_absolute(path)
	else:
		_write(path, original)


## Ids that another case was given for the same file and resource.
func _forget(scene: Operations, case: Dictionary) -> void:
	for path: String in case["ext_ids"]:
		var resource: Resource = load(path)
		scene.kept.append(resource)
		resource.set_id_for_path(case["file"], "")


## The ids that the engine has chosen, by path.
func _chosen(case: Dictionary) -> Dictionary:
	var chosen := {}
	for path: String in case["ext_ids"]:
		var resource: Resource = load(path)
		chosen[path] = resource.get_id_for_path(case["file"])
	return chosen


func _give(case: Dictionary) -> void:
	var ids: Dictionary = case["ext_ids"]
	for path: String in ids:
		var resource: Resource = load(path)
		resource.set_id_for_path(case["file"], ids[path])


func _write(path: String, bytes: PackedByteArray) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	var _stored := file.store_buffer(bytes)
	file.close()
