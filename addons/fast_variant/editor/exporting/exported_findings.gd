@tool
extends RefCounted
## The problems in the files of an export, as they are when it begins. Without a window, an export may begin before the project has
## been read, and rules for the whole project would find nothing. So it waits for a check of the project.

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Native := preload("../shared/native.gd")

var _job: RefCounted
## By path, its place in the results.
var _places: Dictionary[String, int] = {}


func _init() -> void:
	# Each call reads for a few milliseconds.
	while not _Native.read_classes():
		pass
	_job = _Native.lint_project()
	_job.call(&"wait")
	var paths: PackedStringArray = _job.call(&"paths")
	for index: int in paths.size():
		_places[paths[index]] = index


func of(path: String) -> Array[_Diagnostic]:
	# Checks of the project leave out files that git ignores, and files that only a link leads to.
	if not _places.has(path):
		return _Native.lint_file(path)
	var natives: Array = _job.call(&"diagnostics_of", _places[path])
	return _Native.diagnostics(natives)
