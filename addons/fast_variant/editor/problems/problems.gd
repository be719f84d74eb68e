@tool
extends RefCounted
## What is known to be wrong, file by file: what the linter found, and what the last save dropped.

## Emitted once a frame, however much has changed.
signal changed

const Diagnostic := preload("../checking/diagnostic.gd")
const Query := preload("problems_query.gd")
const SaveLosses := preload("../saving/save_losses.gd")

var _diagnostics: Dictionary[String, Array] = {}
var _losses: Dictionary[String, SaveLosses] = {}
var _is_announced := false


## Of all files, by path.
func paths() -> PackedStringArray:
	var all := PackedStringArray(_diagnostics.keys())
	for path: String in _losses:
		if path not in _diagnostics:
			all.append(path)
	all.sort()
	return all


func diagnostics_of(path: String) -> Array[Diagnostic]:
	var diagnostics: Array[Diagnostic] = []
	if _diagnostics.has(path):
		diagnostics.assign(_diagnostics[path])
	return diagnostics


func set_diagnostics(path: String, diagnostics: Array[Diagnostic]) -> void:
	if diagnostics.is_empty() and path not in _diagnostics:
		return
	if diagnostics.is_empty():
		_diagnostics.erase(path)
	else:
		_diagnostics[path] = diagnostics
	_announce()


## Of the files from which the last save dropped something.
func paths_with_losses() -> PackedStringArray:
	var found := PackedStringArray(_losses.keys())
	found.sort()
	return found


## Null if the last save dropped nothing.
func losses_of(path: String) -> SaveLosses:
	return _losses.get(path)


## Null forgets them.
func set_losses(path: String, losses: SaveLosses) -> void:
	if losses != null:
		_losses[path] = losses
		_announce()
	elif _losses.erase(path):
		_announce()


## Leaves only these files.
func retain(paths_to_keep: PackedStringArray) -> void:
	var kept: Dictionary[String, bool] = {}
	for path: String in paths_to_keep:
		kept[path] = true
	for path: String in paths():
		if path not in kept:
			_diagnostics.erase(path)
			_losses.erase(path)
	_announce()


## How bad the worst of a file is: 0 is an error, 3 that nothing is wrong.
func rank(path: String) -> int:
	var found := Query.SEVERITIES.size()
	for diagnostic: Diagnostic in diagnostics_of(path):
		found = mini(found, Query.SEVERITIES.find(diagnostic.severity))
	return found


func count(severity: String) -> int:
	var total := 0
	for diagnostics: Array in _diagnostics.values():
		for diagnostic: Diagnostic in diagnostics:
			if diagnostic.severity == severity:
				total += 1
	return total


func loss_count() -> int:
	var total := 0
	for losses: SaveLosses in _losses.values():
		total += losses.losses.size()
	return total


func _announce() -> void:
	if not _is_announced:
		_is_announced = true
		_emit_changed.call_deferred()


func _emit_changed() -> void:
	_is_announced = false
	changed.emit()
