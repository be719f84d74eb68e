@tool
extends RefCounted
## What is known to be wrong, file by file: what the linter found, and what the last save dropped.

## Emitted once a frame, however much has changed.
signal changed

const Finding := preload("finding.gd")
const SaveLosses := preload("save_losses.gd")

var _findings: Dictionary[String, Array] = {}
var _losses: Dictionary[String, SaveLosses] = {}
var _is_announced := false


## Of all files, by path.
func paths() -> PackedStringArray:
	var all := PackedStringArray(_findings.keys())
	for path: String in _losses:
		if path not in _findings:
			all.append(path)
	all.sort()
	return all


func findings_of(path: String) -> Array[Finding]:
	var findings: Array[Finding] = []
	if _findings.has(path):
		findings.assign(_findings[path])
	return findings


func set_findings(path: String, findings: Array[Finding]) -> void:
	if findings.is_empty() and path not in _findings:
		return
	if findings.is_empty():
		_findings.erase(path)
	else:
		_findings[path] = findings
	_announce()


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
			_findings.erase(path)
			_losses.erase(path)
	_announce()


func count(severity: String) -> int:
	var total := 0
	for findings: Array in _findings.values():
		for finding: Finding in findings:
			if finding.severity == severity:
				total += 1
	return total


func loss_count() -> int:
	var total := 0
	for losses: SaveLosses in _losses.values():
		total += losses.losses.size()
	return total


## The codes that were found, sorted.
func codes() -> PackedStringArray:
	var found: Dictionary[String, bool] = {}
	for findings: Array in _findings.values():
		for finding: Finding in findings:
			found[finding.code] = true
	var sorted := PackedStringArray(found.keys())
	sorted.sort()
	return sorted


func _announce() -> void:
	if not _is_announced:
		_is_announced = true
		_emit_changed.call_deferred()


func _emit_changed() -> void:
	_is_announced = false
	changed.emit()
