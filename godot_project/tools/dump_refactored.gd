extends SceneTree
## Writes what comes out of every text scene, resource and script of a project, and compares it with what came out before a
## refactoring: for the promise that only the name or the path changes that was asked for.
##
##   godot --headless --path PROJECT -s DUMP_REFACTORED.gd -- DUMP [BEFORE NEW OLD]
##
## DUMP gets a line of JSON for each file. With BEFORE, a dump of an earlier run, each file has to be the same once NEW is read
## as OLD; what differs is told. Files are compared by their path, and lines of a dump in any order: properties are listed by
## name.

const Dump := preload("lint_differential_dump.gd")
const SUCCESS := "dump: DONE"


## Counts what the engine complains of.
class Complaints:
	extends Logger

	var errors := 0
	var warnings := 0

	func _log_error(
			_function: String, _file: String, _line: int, _code: String, _rationale: String, _editor_notify: bool,
			error_type: int, _script_backtraces: Array[ScriptBacktrace]) -> void:
		if error_type == ERROR_TYPE_WARNING:
			warnings += 1
		else:
			errors += 1


var _complaints := Complaints.new()
var _editable := RegEx.create_from_string("(?m) editable (true|false)$")


func _initialize() -> void:
	OS.add_logger(_complaints)
	var arguments := OS.get_cmdline_user_args()
	var out := FileAccess.open(arguments[0], FileAccess.WRITE)
	var now := {}
	for path in _files_in("res://"):
		var entry := _dump(path)
		now[path] = entry
		out.store_line(JSON.stringify(entry))
	out.close()
	if arguments.size() > 1:
		_compare(_read(arguments[1]), now, arguments[2], arguments[3])
	print(SUCCESS)
	quit()


func _read(path: String) -> Dictionary:
	var found := {}
	var file := FileAccess.open(path, FileAccess.READ)
	while file.get_position() < file.get_length():
		var entry: Dictionary = JSON.parse_string(file.get_line())
		found[entry["path"]] = entry
	return found


func _files_in(folder: String) -> Array[String]:
	var found: Array[String] = []
	for name in DirAccess.get_files_at(folder):
		if name.get_extension() in ["tscn", "tres", "gd"]:
			found.append(folder.path_join(name))
	for name in DirAccess.get_directories_at(folder):
		if not FileAccess.file_exists(folder.path_join(name).path_join(".gdignore")):
			found.append_array(_files_in(folder.path_join(name)))
	return found


func _dump(path: String) -> Dictionary:
	_complaints.errors = 0
	_complaints.warnings = 0
	var resource := ResourceLoader.load(path)
	var dump := "nothing"
	if resource is GDScript:
		dump = _of_script(resource as GDScript)
	elif resource is PackedScene:
		var scene: PackedScene = resource
		var instance := scene.instantiate()
		if instance != null:
			dump = _editable.sub(Dump.new(path).of_tree(instance), "", true)
			instance.free()
	elif resource != null:
		dump = Dump.new(path).of(resource)
	return {"path": path, "dump": dump, "errors": _complaints.errors, "warnings": _complaints.warnings}


## What others can see of a script. That it compiles is in it.
func _of_script(script: GDScript) -> String:
	var lines := PackedStringArray(["%s extends %s" % [script.get_global_name(), script.get_instance_base_type()]])
	lines.append("can instantiate: %s" % script.can_instantiate())
	for property in script.get_script_property_list():
		lines.append("property %s: %s" % [property["name"], property["type"]])
	for method in script.get_script_method_list():
		var arguments: Array = method["args"]
		lines.append("method %s of %d" % [method["name"], arguments.size()])
	for info in script.get_script_signal_list():
		var arguments: Array = info["args"]
		lines.append("signal %s of %d" % [info["name"], arguments.size()])
	return "\n".join(lines)


func _compare(before: Dictionary, now: Dictionary, new: String, old: String) -> void:
	var counts: Dictionary[String, int] = {"same": 0, "renamed": 0, "differ": 0}
	var seen := {}
	for path: String in now:
		var entry: Dictionary = now[path]
		var old_path := path.replace(new, old)
		seen[old_path] = true
		if not before.has(old_path):
			print("DIFFERS %s: it was not there before" % path)
			counts["differ"] += 1
			continue
		counts[_compare_entry(path, before[old_path], entry, new, old)] += 1
	for path: String in before:
		if not seen.has(path):
			print("DIFFERS %s: it is no longer there" % path)
			counts["differ"] += 1
	print("dump: %d same, %d renamed, %d differ" % [counts["same"], counts["renamed"], counts["differ"]])


func _compare_entry(path: String, before: Dictionary, now: Dictionary, new: String, old: String) -> String:
	for kind: String in ["errors", "warnings"]:
		if now[kind] > before[kind]:
			print("DIFFERS %s: the engine complains more of it" % path)
			return "differ"
	var old_dump: String = before["dump"]
	var new_dump: String = now["dump"]
	if new_dump == old_dump:
		return "same"
	var old_lines := _sorted(old_dump)
	var new_lines := _sorted(new_dump.replace(new, old))
	if new_lines == old_lines:
		return "renamed"
	for index in maxi(old_lines.size(), new_lines.size()):
		var old_line := old_lines[index] if index < old_lines.size() else "nothing"
		var new_line := new_lines[index] if index < new_lines.size() else "nothing"
		if old_line != new_line:
			print("DIFFERS %s: `%s`, and before `%s`" % [path, new_line.left(300), old_line.left(300)])
			break
	return "differ"


func _sorted(dump: String) -> PackedStringArray:
	var lines := dump.split("\n")
	lines.sort()
	return lines
