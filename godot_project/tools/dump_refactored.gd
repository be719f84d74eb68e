extends SceneTree
## Writes what comes out of every scene, resource, script and setting of a project, and compares it with what came out before
## refactorings: for the promise that only the names and paths change that were asked for.
##
##   godot --headless --path PROJECT -s DUMP_REFACTORED.gd -- before DUMP [CHANGES]
##   godot --headless --path PROJECT -s DUMP_REFACTORED.gd -- after DUMP CHANGES BEFORE
##
## DUMP gets a line of JSON for each file. CHANGES is a list, as JSON, of what `refactor_candidates.rs` says of each refactoring
## that was carried out. BEFORE is a dump of an earlier run: everything has to be as it was, once what was asked for is mapped
## back, and nothing may have an old name; what differs is told.

const Names := preload("refactored_names.gd")
const Objects := preload("refactored_objects.gd")
const Scripts := preload("refactored_scripts.gd")
const SUCCESS := "dump: DONE"
## Texts in which paths may stand.
const TEXTS: PackedStringArray = [
	"cfg", "cs", "csv", "gd", "gdextension", "gdshader", "gdshaderinc", "godot", "import", "json", "md", "tres", "tscn", "txt",
]
## What shows of each file, at the most.
const SHOWN := 3


## Keeps what the engine complains of.
class Complaints:
	extends Logger

	var messages := PackedStringArray()

	func _log_error(
			_function: String, _file: String, _line: int, code: String, rationale: String, _editor_notify: bool,
			_error_type: int, _script_backtraces: Array[ScriptBacktrace]) -> void:
		messages.append(code if rationale.is_empty() else rationale)


var _complaints := Complaints.new()
var _names: Names
var _scripts: Scripts
var _res_path := RegEx.create_from_string("(?:res|uid)://[^\\s\"'`,;<>()\\[\\]{}|*?\\\\]*")
var _numbers := RegEx.create_from_string("#?-?\\d+")
var _old_form := RegEx.create_from_string("(?m)^\\[gd_(?!.* uid=).*|^\\[gd_.* load_steps=.*|^\\[node (?=.* (?:type|instance)=)(?!.* unique_id=).*")
var _is_godot3 := RegEx.create_from_string("\\A\\[gd_.* format=2\\b")
var _resource_tag := RegEx.create_from_string("(?m)^\\[(?:ext|sub)_resource .*\\bid=\"([^\"]+)\"")
var _header_class := RegEx.create_from_string("\\A\\[gd_resource [^\\n]*script_class=\"([^\"]*)\"")


func _initialize() -> void:
	OS.add_logger(_complaints)
	var arguments := OS.get_cmdline_user_args()
	var is_after := arguments[0] == "after"
	_names = Names.new(arguments[2] if arguments.size() > 2 else "", is_after)
	_scripts = Scripts.new(_names)
	var out := FileAccess.open(arguments[1], FileAccess.WRITE)
	var now := {}
	for path in _files_in("res://"):
		var entry := _entry(path)
		now[entry["path"]] = entry
		out.store_line(JSON.stringify(entry))
	out.close()
	if is_after:
		_compare(_read(arguments[3]), now)
	print(SUCCESS)
	quit()


func _read(path: String) -> Dictionary:
	var found := {}
	var file := FileAccess.open(path, FileAccess.READ)
	while file.get_position() < file.get_length():
		var entry: Dictionary = JSON.parse_string(file.get_line())
		found[entry["path"]] = entry
	return found


func _files_in(folder: String) -> PackedStringArray:
	var found := PackedStringArray()
	for name in DirAccess.get_files_at(folder):
		if name.get_extension() in TEXTS or FileAccess.file_exists(folder.path_join(name) + ".import"):
			found.append(folder.path_join(name))
	for name in DirAccess.get_directories_at(folder):
		if not FileAccess.file_exists(folder.path_join(name).path_join(".gdignore")):
			found.append_array(_files_in(folder.path_join(name)))
	return found


## `path` is that from before.
func _entry(path: String) -> Dictionary:
	_complaints.messages.clear()
	var facts := {}
	var left := PackedStringArray()
	if path == "res://project.godot":
		_tell_settings(facts)
	# A table of texts becomes several resources, and none itself.
	elif path.get_extension() in ["tscn", "tres", "gd"] or FileAccess.file_exists(path + ".import") and not path.ends_with(".csv"):
		_tell_loaded(path, facts, left)
	var messages := PackedStringArray()
	for message in _complaints.messages:
		messages.append(_numbers.sub(_names.text(message), "0", true))
	var paths := _paths(path) if path.get_extension() in TEXTS else PackedStringArray()
	var unused: Array[String] = []
	if path.get_extension() in ["tscn", "tres"]:
		unused = _unused(FileAccess.get_file_as_string(path))
	return {
		"path": _names.text(path), "facts": facts, "left": Array(left), "paths": Array(paths), "complaints": Array(messages),
		"unused": unused,
	}


func _tell_loaded(path: String, facts: Dictionary, left: PackedStringArray) -> void:
	facts["uid"] = ResourceUID.id_to_text(ResourceLoader.get_resource_uid(path))
	var resource := ResourceLoader.load(path)
	if resource == null:
		facts["is"] = "nothing"
	elif resource is GDScript:
		facts.merge(_scripts.facts(resource as GDScript, left))
	elif resource is PackedScene or path.get_extension() == "tres":
		var objects := Objects.new(path, _names, _scripts)
		if resource is PackedScene:
			var scene: PackedScene = resource
			var instance := scene.instantiate()
			if instance != null:
				objects.tell_tree(instance)
				instance.free()
		else:
			facts["class in its header"] = _header(path)
			objects.tell_resource(resource)
		facts.merge(objects.facts)
		left.append_array(objects.left)
	else:
		facts["is"] = resource.get_class()


## The class that the header names, and whether there is one.
func _header(path: String) -> String:
	var found := _header_class.search(FileAccess.get_file_as_string(path))
	if found == null:
		return "none"
	var name := found.get_string(1)
	for known in ProjectSettings.get_global_class_list():
		if known["class"] == name:
			return _names.text(name)
	return "%s, which is not known" % name


func _tell_settings(facts: Dictionary) -> void:
	for property in ProjectSettings.get_property_list():
		var key: String = property["name"]
		var value: Variant = ProjectSettings.get_setting(key)
		facts["setting " + key] = _names.text(var_to_str(value)) + Objects._state_of(str(value))


## The paths that stand in a text, and whether each leads somewhere.
func _paths(path: String) -> PackedStringArray:
	var text := FileAccess.get_file_as_string(path)
	if path.get_extension() == "gd":
		text = _scripts.without_comments(text)
	var found := {}
	for place in _res_path.search_all(text):
		var name := place.get_string()
		if not name.begins_with("res://.godot/"):
			found[_names.text(name) + Objects._state_of(name)] = true
	var paths := PackedStringArray(found.keys())
	paths.sort()
	return paths


# --- Before and after ---------------------------------------------------------------------------------

func _compare(before: Dictionary, now: Dictionary) -> void:
	var counts: Dictionary[String, int] = {"same": 0, "differ": 0}
	var made := _files_of("made")
	var gone := _files_of("gone")
	for path: String in before:
		if not now.has(path) and not path in gone:
			_tell_difference(path, PackedStringArray(["it is no longer there"]))
			counts["differ"] += 1
	for path: String in now:
		if path in made:
			continue
		var differences := PackedStringArray(["it was not there before"])
		if before.has(path) and not path in gone:
			differences = _compare_entry(path, before[path], now[path])
		counts["same" if differences.is_empty() else "differ"] += 1
		_tell_difference(path, differences)
	var whole := _expectations(now) + _new_complaints(before, now) + _lost_paths(before, now)
	_tell_difference("the project", whole)
	counts["differ"] += mini(whole.size(), 1)
	print("dump: %d same, %d differ" % [counts["same"], counts["differ"]])


func _files_of(key: String) -> PackedStringArray:
	var files := PackedStringArray()
	for change in _names.changes:
		var listed: Array = change.get(key, [])
		files.append_array(PackedStringArray(listed))
	return files


func _tell_difference(path: String, differences: PackedStringArray) -> void:
	for difference in differences.slice(0, SHOWN):
		print("DIFFERS %s: %s" % [path, difference])
	if differences.size() > SHOWN:
		print("DIFFERS %s: and %d more" % [path, differences.size() - SHOWN])


func _compare_entry(path: String, before: Dictionary, now: Dictionary) -> PackedStringArray:
	var found := PackedStringArray()
	var left: Array = now["left"]
	for place: String in left:
		found.append("the old name is left: " + place)
	var old: Dictionary = before["facts"]
	var new: Dictionary = now["facts"]
	for key: String in old:
		var is_equal: bool = new.has(key) and _are_equal(path, key, old[key], new[key])
		if not is_equal:
			found.append("`%s` is `%s`, and was `%s`" % [key, str(new.get(key, "nothing")).left(300), str(old[key]).left(300)])
	for key: String in new:
		if not old.has(key):
			found.append("`%s` is `%s`, and was not there" % [key, str(new[key]).left(300)])
	for id: String in now["unused"]:
		if not id in before["unused"]:
			found.append("nothing uses `%s` any more" % id)
	if not _moves_resources() and before["paths"] != now["paths"]:
		var old_paths: Array = before["paths"]
		var new_paths: Array = now["paths"]
		found.append("the paths in it are %s, and were %s" % _differing(old_paths, new_paths))
	return found


func _are_equal(path: String, key: String, old: String, new: String) -> bool:
	if old == new:
		return true
	if key == "uid":
		return old == "uid://<invalid>" and not _names.of_kind("upgrade").is_empty()
	# Scenes that instance another one have the resources in it: as a part of it, or by their own file.
	for change in _names.of_kind("extract"):
		if _with_file(old, change, change["new"]) == new:
			return true
	for change in _names.of_kind("inline"):
		if _with_file(new, change, change["file"]) == old:
			return true
	for change in _names.of_kind("move-node"):
		# What has moved is not in the lists of children: not where it is, and not where it was.
		var moved: String = change["old"]
		if key.ends_with("|children") and _without(old, moved.get_file()) == new:
			return true
		# The editor works them out from the parent: in a container it is that of a container.
		if key.ends_with("|layout_mode") or key.ends_with("|anchors_preset"):
			return true
		# Without a scene around it, a path cannot be told as the node that it leads to.
		if path.get_extension() == "tres" and old.begins_with("path ") and new.begins_with("path "):
			return true
	return false


## With `file` for what is inside of the scene.
func _with_file(told: String, change: Dictionary, file: String) -> String:
	var scene: String = change["scene"]
	return RegEx.create_from_string("file %s::\\w+" % scene.replace(".", "\\.")).sub(told, "file " + file, true)


func _without(children: String, name: String) -> String:
	var names := children.split(", ")
	var index := names.find(name)
	if index >= 0:
		names.remove_at(index)
	return ", ".join(names)


## Whether what names a file may do so in another file afterwards.
func _moves_resources() -> bool:
	for change in _names.changes:
		if change["kind"] in ["extract", "inline", "dedupe", "prune-inside", "upgrade"]:
			return true
	return false


func _differing(old: Array, new: Array) -> Array:
	return [
		new.filter(func(path: String) -> bool: return not path in old),
		old.filter(func(path: String) -> bool: return not path in new),
	]


## What was to be renamed and is not.
func _expectations(now: Dictionary) -> PackedStringArray:
	var found := PackedStringArray()
	for change in _names.changes:
		var kind: String = change["kind"]
		found.append(_scripts.expect(change))
		if kind == "mv" and (_exists(change["old"]) or not _exists(change["new"])):
			found.append("%s has not moved to %s" % [change["old"], change["new"]])
		found.append(_wrong_dependency(change))
		if kind in ["upgrade", "prune-inside"]:
			found.append_array(_not_done(kind, now))
		for path: String in change.get("made", []):
			if not _exists(path):
				found.append("%s is not there" % path)
		for path: String in change.get("gone", []):
			if _exists(path) or now.has(path):
				found.append("%s is still there" % path)
	return PackedStringArray(Array(found).filter(func(text: String) -> bool: return not text.is_empty()))


## Of a resource that was to get a file of its own, or to lose it.
func _wrong_dependency(change: Dictionary) -> String:
	if not change["kind"] in ["extract", "inline"]:
		return ""
	var scene: String = change["scene"]
	var file: String = change["new"] if change["kind"] == "extract" else change["file"]
	for dependency in ResourceLoader.get_dependencies(scene):
		if dependency.ends_with(file):
			return "" if change["kind"] == "extract" else "%s still uses %s" % [scene, file]
	return "%s does not use %s" % [scene, file] if change["kind"] == "extract" else ""


## What a command for all files has left in one. Godot loads it all the same.
func _not_done(kind: String, now: Dictionary) -> PackedStringArray:
	var found := PackedStringArray()
	for path: String in now:
		if not path.get_extension() in ["tscn", "tres"]:
			continue
		var text := FileAccess.get_file_as_string(path)
		# Files of Godot 3 stay as they are.
		if kind == "upgrade" and _is_godot3.search(text) == null and _old_form.search(text) != null:
			found.append("%s has the form of an older version: %s" % [path, _old_form.search(text).get_string()])
		var unused := _unused(text)
		if kind == "prune-inside" and not unused.is_empty():
			found.append("%s has resources that nothing in it uses: %s" % [path, unused])
	return found


## The ids of the resources in a text that nothing there uses.
func _unused(text: String) -> Array[String]:
	var found: Array[String] = []
	for declared in _resource_tag.search_all(text):
		var id := declared.get_string(1)
		if not text.contains("Resource(\"%s\")" % id):
			found.append(id)
	return found


func _exists(path: String) -> bool:
	return FileAccess.file_exists(path) or DirAccess.dir_exists_absolute(path)


func _new_complaints(before: Dictionary, now: Dictionary) -> PackedStringArray:
	var known: Dictionary[String, int] = {}
	for entry: Dictionary in before.values():
		for message: String in entry["complaints"]:
			known[message] = known.get(message, 0) + 1
	var found := PackedStringArray()
	for entry: Dictionary in now.values():
		for message: String in entry["complaints"]:
			known[message] = known.get(message, 0) - 1
			if known[message] < 0:
				found.append("the engine complains more: %s" % message.left(300))
	return found


## When resources change their file: which paths lead nowhere that did, or that no file named.
func _lost_paths(before: Dictionary, now: Dictionary) -> PackedStringArray:
	var found := PackedStringArray()
	if not _moves_resources():
		return found
	var known := {}
	for entry: Dictionary in before.values():
		for path: String in entry["paths"]:
			known[path] = true
	for entry: Dictionary in now.values():
		for path: String in entry["paths"]:
			if path.ends_with("(leads nowhere)") and not known.has(path):
				found.append("%s names %s" % [entry["path"], path])
	return found
