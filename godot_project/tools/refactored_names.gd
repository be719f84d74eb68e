extends RefCounted
## What refactorings have renamed and moved: gives what is there after them the names from before.
##
## Only what was asked for is mapped. A place that still has the old name, where the new one was to come, is left behind.

## One for each refactoring: its `kind`, and what `refactor_candidates.rs` says of it.
var changes: Array[Dictionary] = []
## Whether the files are those after the refactorings.
var is_after := false

## New texts and what they were, the longest first.
var _texts: Array[PackedStringArray] = []
var _origins: Dictionary[String, PackedStringArray] = {}


func _init(file: String, after: bool) -> void:
	is_after = after
	if file.is_empty():
		return
	var listed: Array = JSON.parse_string(FileAccess.get_file_as_string(file))
	for change: Dictionary in listed:
		changes.append(change)
		if is_after:
			_add_texts(change)
	_texts.sort_custom(func(one: PackedStringArray, other: PackedStringArray) -> bool: return one[0].length() > other[0].length())


func of_kind(kind: String) -> Array[Dictionary]:
	return changes.filter(func(change: Dictionary) -> bool: return change["kind"] == kind)


## Members of scripts: properties, methods and signals, by what is renamed.
func of_member(kind: String) -> Array[Dictionary]:
	return of_kind("rename-" + kind)


## A text as it was before. New names are made so that they stand nowhere else.
func text(now: String) -> String:
	for pair in _texts:
		now = now.replace(pair[0], pair[1])
	return now


## The paths of the nodes of a loaded scene as they are and as they were, the deepest first.
func node_pairs(root: Node) -> Array[PackedStringArray]:
	var pairs: Array[PackedStringArray] = []
	if not is_after:
		return pairs
	for change in changes:
		if change["kind"] == "rename-node" or change["kind"] == "move-node":
			_find_pairs(root, root, change, pairs)
	pairs.sort_custom(func(one: PackedStringArray, other: PackedStringArray) -> bool: return one[0].length() > other[0].length())
	return pairs


## The path of a node as it was, by those of `node_pairs`.
static func node_path(now: String, pairs: Array[PackedStringArray]) -> String:
	for pair in pairs:
		if _leads_to(now, pair[1]) and not _leads_to(now, pair[0]):
			return "left behind: " + now
	for pair in pairs:
		if _leads_to(now, pair[0]):
			now = pair[1] + now.substr(pair[0].length())
	return now


static func _leads_to(path: String, node: String) -> bool:
	return path == node or path.begins_with(node + "/")


func _find_pairs(root: Node, node: Node, change: Dictionary, pairs: Array[PackedStringArray]) -> void:
	var scene: String = change["scene"]
	if not node.scene_file_path.is_empty() and scene in _scenes_of(node.scene_file_path):
		var prefix := "" if node == root else str(root.get_path_to(node)) + "/"
		var old: String = change["old"]
		var new: String = change["new"]
		pairs.append(PackedStringArray([prefix + new, prefix + old]))
	for child in node.get_children():
		_find_pairs(root, child, change, pairs)


## A scene, and those that it inherits.
func _scenes_of(path: String) -> PackedStringArray:
	if not _origins.has(path):
		var found := PackedStringArray([path])
		var scene := ResourceLoader.load(path) as PackedScene
		var state := scene.get_state() if scene != null else null
		while state != null:
			found.append(state.get_path())
			state = state.get_base_scene_state()
		_origins[path] = found
	return _origins[path]


func _add_texts(change: Dictionary) -> void:
	var kind: String = change["kind"]
	if kind == "move-node" or not change.has("new"):
		return
	var new: String = change["new"]
	var old: String = change.get("old", "")
	match kind:
		"rename-node":
			_texts.append(PackedStringArray([new.get_file(), old.get_file()]))
		"mv":
			_texts.append(PackedStringArray([new, old]))
			# By its name alone, too, in paths that are relative.
			if new.get_file() != old.get_file():
				_texts.append(PackedStringArray([new.get_file(), old.get_file()]))
		"extract":
			pass
		_:
			_texts.append(PackedStringArray([new, old]))
