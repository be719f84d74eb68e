@tool
extends RefCounted
## The known problems, file by file: the linter's findings, and data that saves dropped.

## Emitted once a frame, however much has changed.
signal changed

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Query := preload("problems_query.gd")
const _LossList := preload("../saving/loss_list.gd")
const _RootCauses := preload("root_causes.gd")

var losses := _LossList.new()

var _diagnostics: Dictionary[String, Array] = {}
var _is_announced := false


func _init() -> void:
	losses.changed.connect(_announce)


## The paths of all files with findings.
func paths() -> PackedStringArray:
	var all := PackedStringArray(_diagnostics.keys())
	for path: String in losses.paths():
		if path not in _diagnostics:
			all.append(path)
	all.sort()
	return all


func diagnostics_of(path: String) -> Array[_Diagnostic]:
	var diagnostics: Array[_Diagnostic] = []
	if _diagnostics.has(path):
		diagnostics.assign(_diagnostics[path])
	return diagnostics


func set_diagnostics(path: String, diagnostics: Array[_Diagnostic]) -> void:
	if diagnostics.is_empty() and path not in _diagnostics:
		return
	if diagnostics.is_empty():
		_diagnostics.erase(path)
	else:
		# While the file has the text that was checked.
		for diagnostic: _Diagnostic in diagnostics:
			_RootCauses.read_needed_path(diagnostic)
		_diagnostics[path] = diagnostics
	_announce()


## Leaves only the diagnostics of these files.
func retain(paths_to_keep: PackedStringArray) -> void:
	var kept: Dictionary[String, bool] = {}
	for path: String in paths_to_keep:
		kept[path] = true
	for path: String in _diagnostics.keys():
		if path not in kept:
			_diagnostics.erase(path)
	_announce()


## How bad the worst of a file is: 0 is an error, 3 that nothing is wrong.
func rank(path: String) -> int:
	var found := _Query.SEVERITIES.size()
	for diagnostic: _Diagnostic in diagnostics_of(path):
		found = mini(found, _Query.SEVERITIES.find(diagnostic.severity))
	return found


func count(severity: String) -> int:
	var total := 0
	for diagnostics: Array in _diagnostics.values():
		for diagnostic: _Diagnostic in diagnostics:
			if diagnostic.severity == severity:
				total += 1
	return total


func _announce() -> void:
	if not _is_announced:
		_is_announced = true
		_emit_changed.call_deferred()


func _emit_changed() -> void:
	_is_announced = false
	changed.emit()
