@tool
extends RefCounted
## Which files break others: Godot cannot load them, nor open a file that needs them. The linter marks in each such file the path of
## the one that it needs.

const _Diagnostic := preload("../checking/diagnostic.gd")
const _SceneFiles := preload("../shared/scene_files.gd")

## The rule on files that need a broken one. It is an error where the needed file is broken itself, and a warning where that one
## needs a broken file in turn.
const _BROKEN_DEPENDENCY := "RES017"

## By path, the finding of this rule that says most.
var _needs: Dictionary[String, _Diagnostic] = {}
## The files with an error of another rule.
var _has_error: Dictionary[String, bool] = {}
var _dependents: Array[_Diagnostic] = []
## By finding of this rule, the file that has to be repaired.
var _roots: Dictionary[_Diagnostic, String] = {}
## By that file, the paths of all that it breaks.
var _broken: Dictionary[String, Dictionary] = {}


## Reads which file a finding is about, where it says that one is needed: the text that the finding marks.
static func read_needed_path(diagnostic: _Diagnostic) -> void:
	if diagnostic.code == _BROKEN_DEPENDENCY and diagnostic.needed_path.is_empty():
		diagnostic.needed_path = _needed_path(diagnostic)


## Takes a finding into account, whatever it is about.
func add(diagnostic: _Diagnostic) -> void:
	if diagnostic.code != _BROKEN_DEPENDENCY:
		_has_error[diagnostic.path] = _has_error.get(diagnostic.path, false) or diagnostic.severity == "error"
	elif not diagnostic.needed_path.is_empty():
		_dependents.append(diagnostic)
		var known: _Diagnostic = _needs.get(diagnostic.path)
		if known == null or known.severity != "error" and diagnostic.severity == "error":
			_needs[diagnostic.path] = diagnostic


## To be called when all findings are known.
func find_roots() -> void:
	for diagnostic: _Diagnostic in _dependents:
		var root := _find_root(diagnostic)
		if root == diagnostic.path:
			continue
		_roots[diagnostic] = root
		if not _broken.has(root):
			_broken[root] = {}
		_broken[root][diagnostic.path] = true


## The file to repair so that a finding goes away; empty if that is its own.
func root_of(diagnostic: _Diagnostic) -> String:
	return _roots.get(diagnostic, "")


## Whether other files cannot be opened because of this one.
func is_root(path: String) -> bool:
	return _broken.has(path)


## Those files.
func broken_by(path: String) -> PackedStringArray:
	return PackedStringArray(_broken[path].keys()) if is_root(path) else PackedStringArray()


## From file to file, without going in a circle.
func _find_root(diagnostic: _Diagnostic) -> String:
	var at := diagnostic
	var visited: Dictionary[String, bool] = {}
	while not visited.has(at.needed_path):
		visited[at.needed_path] = true
		var is_broken_itself: bool = at.severity == "error" and _has_error.get(at.needed_path, false)
		if is_broken_itself or not _needs.has(at.needed_path):
			break
		at = _needs[at.needed_path]
	return at.needed_path


## As Godot finds the file of an `ext_resource`: by its uid, else by its path.
static func _needed_path(diagnostic: _Diagnostic) -> String:
	var line := _line(diagnostic.path, diagnostic.line)
	var marked := line.substr(diagnostic.column - 1).to_utf8_buffer().slice(0, diagnostic.length).get_string_from_utf8()
	# A string, with its quotes.
	if not marked.begins_with("\"") or not marked.ends_with("\""):
		return ""
	var uid := RegEx.create_from_string(" uid=\"(uid://\\w+)\"").search(line)
	var id := ResourceUID.text_to_id(uid.get_string(1)) if uid != null else ResourceUID.INVALID_ID
	if id != ResourceUID.INVALID_ID and ResourceUID.has_id(id):
		return ResourceUID.get_id_path(id)
	var path := str(str_to_var(marked))
	if path.is_relative_path():
		path = diagnostic.path.get_base_dir().path_join(path).simplify_path()
	return path if _SceneFiles.is_text(path) else ""


## `number` counts from 1.
static func _line(path: String, number: int) -> String:
	var file := FileAccess.open(path, FileAccess.READ)
	for skipped: int in number - 1 if file != null else 0:
		file.get_line()
	return file.get_line() if file != null else ""
