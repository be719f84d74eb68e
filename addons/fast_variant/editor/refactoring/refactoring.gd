@tool
extends RefCounted
## The changes of a refactoring in all files of the project. Wraps a `SceneRefactoring`, which is reached by name.

const _Native := preload("../shared/native.gd")
const _RefactoringPlace := preload("refactoring_place.gd")

## A file that nothing uses, or that may be used.
class _UnusedFile:
	var path: String
	## E.g. `image`.
	var kind: String
	## In bytes, including the files next to it.
	var size: int
	## Why it may be used; empty for a file that nothing uses.
	var reason: String

	func _init(native: Dictionary) -> void:
		path = native["path"]
		kind = native["kind"]
		size = native["size"]
		reason = native.get("reason", "")

## The editor rewrites its list of uids after each refactoring, so its present content is ignored.
const _UID_CACHE := "res://.godot/uid_cache.bin"

## Where a renamed file has its references, and everything else that changes.
var places: Array[_RefactoringPlace] = []
var doubts: Array[_RefactoringPlace] = []
## The paths of the files with changed content, before files move.
var files: PackedStringArray = []
## The new path of each file or folder that moves, by its old one.
var moves: Dictionary[String, String] = {}
var removals: PackedStringArray = []
## For a search of unused files: files that nothing uses, and files that may be used.
var unused: Array[_UnusedFile] = []
var kept: Array[_UnusedFile] = []
var title: String
## The method of `SceneRewriter`.
var method: StringName

var _native: RefCounted
var _is_read := false


## It is worked out in the background.
func _init(method_to_call: StringName, arguments: Array) -> void:
	method = method_to_call
	_native = _Native.refactoring(method, arguments)


## Whether it is worked out. Then all is known of it.
func is_ready() -> bool:
	var is_finished: bool = _native.call(&"is_finished")
	if is_finished and not _is_read:
		_read()
	return is_finished


## Waits until all is known of it.
func wait() -> void:
	_native.call(&"wait")
	is_ready()


## Why there is no plan, or why it could not be applied or undone last; or nothing.
func error() -> String:
	return _native.call(&"error")


func is_empty() -> bool:
	return _native.call(&"is_empty")


func notes() -> PackedStringArray:
	return _native.call(&"notes")


## All files that it touches, by the paths that they have before.
func touched() -> PackedStringArray:
	var paths := files.duplicate()
	paths.append_array(removals)
	for path: String in moves:
		paths.append(path)
	return paths


## The new files.
func new_files() -> PackedStringArray:
	var made: PackedStringArray = []
	for path: String in files:
		if not FileAccess.file_exists(path):
			made.append(path)
	return made


## The path that a file has afterwards.
func new_path(path: String) -> String:
	for old: String in moves:
		if path == old or path.begins_with(old + "/"):
			return moves[old] + path.substr(old.length())
	return path


func leave_out(numbers: PackedInt32Array) -> void:
	_native.call(&"leave_out", numbers)


## Doubts that change, too, as their text `after` says.
func take_in(numbers: PackedInt32Array) -> void:
	_native.call(&"take_in", numbers)
	files = _native.call(&"files")


## Returns why not, or nothing.
func apply() -> String:
	return "" if _native.call(&"apply") else error()


## Returns why not, or nothing.
func undo() -> String:
	return "" if _native.call(&"undo") else error()


func is_applied() -> bool:
	return _native.call(&"is_applied")


func _read() -> void:
	_is_read = true
	title = _native.call(&"title")
	files = _native.call(&"files")
	removals = _native.call(&"removals")
	var moved: Dictionary = _native.call(&"moves")
	moves.assign(moved)
	var found: Array = _native.call(&"places")
	for place: RefCounted in found:
		places.append(_RefactoringPlace.new(place))
	found = _native.call(&"doubts")
	for number: int in found.size():
		var place: RefCounted = found[number]
		var doubt := _RefactoringPlace.new(place, true)
		doubt.number = number
		if doubt.path != _UID_CACHE:
			doubts.append(doubt)
	found = _native.call(&"unused")
	for file: Dictionary in found:
		unused.append(_UnusedFile.new(file))
	found = _native.call(&"kept")
	for file: Dictionary in found:
		kept.append(_UnusedFile.new(file))
