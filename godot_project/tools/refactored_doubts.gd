extends RefCounted
## What the commands have said to be doubtful: whether a difference is one that they announced.
##
## A doubt is about one place. It excuses what Godot makes of that place, and nothing else: a property of an object in its own
## file, a connection, a path that stands there, what the engine complains of when it loads the file.

const Names := preload("refactored_names.gd")
const Scripts := preload("refactored_scripts.gd")

## Keys of differences that are about a path in a file, which follows, and about what the engine complains of.
const PATH_KEY := "path "
const COMPLAINT_KEY := "complaint"

var _doubts: Array[Dictionary] = []
var _scripts: Scripts
var _script_path := RegEx.create_from_string("\\Apath (\\d+) in (.*)\\z")


func _init(names: Names, scripts: Scripts) -> void:
	_scripts = scripts
	for change in names.changes:
		var listed: Array = change.get("doubts", [])
		for doubt: Dictionary in listed:
			_doubts.append(doubt)


## Whether a doubt is about what differs. `path` is that from before.
func announce(path: String, key: String) -> bool:
	for doubt in _doubts:
		if _is_about(doubt, path, key):
			return true
	return false


func _is_about(doubt: Dictionary, path: String, key: String) -> bool:
	var file: String = doubt["path"]
	var what := key.get_slice("|", key.get_slice_count("|") - 1)
	# The paths in the code of a script are told with each node that has it.
	var in_script := _script_path.search(what)
	if in_script != null:
		return file == in_script.get_string(2) and _names_path(doubt, in_script)
	if file != path:
		return false
	if key == COMPLAINT_KEY or not doubt.has("text"):
		return true
	var text: String = doubt["text"]
	if key.begins_with(PATH_KEY):
		return text.contains(key.trim_prefix(PATH_KEY).get_slice(" (leads ", 0))
	if not doubt.has("object"):
		# A declaration in a script.
		return what.begins_with("constant ") and text.contains(what.trim_prefix("constant "))
	return _is_of_object(doubt, key, what)


## Of a text with objects: the property, signal or track of the object that the doubt stands in.
func _is_of_object(doubt: Dictionary, key: String, what: String) -> bool:
	var object: String = doubt["object"]
	var property: String = doubt["property"]
	if object == "sub_resource":
		# Objects inside of the file have no names in what is told, and the tracks of animations are told with their player.
		var is_track := property.begins_with("tracks/") and what.begins_with("animation ")
		return what == property or is_track and what.get_slice(" ", what.get_slice_count(" ") - 1) == property.get_slice("/", 1)
	return key == "%s|%s" % [object, property]


func _names_path(doubt: Dictionary, found: RegExMatch) -> bool:
	var script := ResourceLoader.load(found.get_string(2)) as GDScript
	if script == null or not doubt.has("text"):
		return false
	var paths := _scripts.node_paths(script)
	var index := found.get_string(1).to_int()
	var text: String = doubt["text"]
	return index < paths.size() and text.contains(paths[index])
