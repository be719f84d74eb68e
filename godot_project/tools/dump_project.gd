extends SceneTree
## Writes what comes out of every text scene and resource of a project, and compares it with what came out before: for the
## promise that safe fixes change nothing that Godot loads.
##
##   godot --headless --path PROJECT -s DUMP_PROJECT.gd -- DUMP [BEFORE]
##
## DUMP gets a line of JSON for each file. With BEFORE, a dump of an earlier run, each file is the same, or repaired (the
## engine complained of it before, and does so less now), or it differs, which is told.

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
	var before := _read(arguments[1]) if arguments.size() > 1 else {}
	var out := FileAccess.open(arguments[0], FileAccess.WRITE)
	var counts: Dictionary[String, int] = {"same": 0, "repaired": 0, "differ": 0}
	var paths := _texts_in("res://")
	paths.sort()
	for path in paths:
		var now := _dump(path)
		out.store_line(JSON.stringify(now))
		if arguments.size() > 1:
			counts[_compare(path, before.get(path, {}), now)] += 1
	print("dump: %d same, %d repaired, %d differ" % [counts["same"], counts["repaired"], counts["differ"]])
	print(SUCCESS)
	quit()


func _read(path: String) -> Dictionary:
	var found := {}
	var file := FileAccess.open(path, FileAccess.READ)
	while file.get_position() < file.get_length():
		var entry: Dictionary = JSON.parse_string(file.get_line())
		found[entry["path"]] = entry
	return found


func _texts_in(folder: String) -> Array[String]:
	var found: Array[String] = []
	for name in DirAccess.get_files_at(folder):
		if name.get_extension() in ["tscn", "tres"] and not name.begins_with("crashes_"):
			found.append(folder.path_join(name))
	for name in DirAccess.get_directories_at(folder):
		if not FileAccess.file_exists(folder.path_join(name).path_join(".gdignore")):
			found.append_array(_texts_in(folder.path_join(name)))
	return found


func _dump(path: String) -> Dictionary:
	_complaints.errors = 0
	_complaints.warnings = 0
	var resource := ResourceLoader.load(path)
	var dump := "" if resource == null else Dump.new(path).of(resource)
	var tree := ""
	if resource is PackedScene:
		var scene: PackedScene = resource
		var instance := scene.instantiate()
		if instance != null:
			# Whether the editor shows the inside of an instance is nothing that a game loads, and two rules are about that.
			tree = _editable.sub(Dump.new(path).of_tree(instance), "", true)
			instance.free()
	return {
		"path": path, "dump": dump, "tree": tree,
		"errors": _complaints.errors, "warnings": _complaints.warnings,
	}


## A scene counts as the same if the same tree comes out of it.
func _compare(path: String, before: Dictionary, now: Dictionary) -> String:
	if before.is_empty():
		print("DIFFERS %s: it was not there before" % path)
		return "differ"
	if now["warnings"] > before["warnings"] or now["errors"] > before["errors"]:
		print("DIFFERS %s: the engine complains more of it" % path)
		return "differ"
	var tree: String = now["tree"]
	if now["dump"] == before["dump"] or not tree.is_empty() and tree == before["tree"]:
		return "same"
	if now["errors"] < before["errors"]:
		return "repaired"
	var key := "dump" if tree.is_empty() else "tree"
	var old_text: String = before[key]
	var new_text: String = now[key]
	var old := old_text.split("\n")
	var new := new_text.split("\n")
	for index in maxi(old.size(), new.size()):
		var old_line := old[index] if index < old.size() else "nothing"
		var new_line := new[index] if index < new.size() else "nothing"
		if old_line != new_line:
			print("DIFFERS %s: `%s`, and before `%s`" % [path, new_line.left(200), old_line.left(200)])
			break
	return "differ"
