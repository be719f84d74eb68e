@tool
extends RefCounted
## Problems under one heading of the Problems panel.

## EQUAL: they differ only in their place, in many files or in one. DEPENDENTS: the files that a broken one breaks, if they are many.
enum _Kind { FILE, RULE, SEVERITY, EQUAL, DEPENDENTS }

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Query := preload("problems_query.gd")
const _SaveLosses := preload("../saving/save_losses.gd")

var kind: _Kind
## Different from that of every other group: the path of a FILE, the name of a SEVERITY.
var key: String
## In the order in which they are shown; see `add`. Those of a FILE are its own, and then those of the files that it breaks.
var diagnostics: Array[_Diagnostic] = []
## For a FILE that Godot cannot load, and its DEPENDENTS: all other files that cannot be opened because of it.
var broken_paths: PackedStringArray = []
## For a FILE: the data that saves dropped from it, the newest first.
var losses: Array[_SaveLosses] = []
## By severity.
var _counts: Dictionary[String, int] = {}


func _init(kind_: _Kind, key_: String) -> void:
	kind = kind_
	key = key_


func add(diagnostic: _Diagnostic) -> void:
	diagnostics.append(diagnostic)
	_counts[diagnostic.severity] = _counts.get(diagnostic.severity, 0) + 1


## The worst; empty without diagnostics.
func severity() -> String:
	for each: String in _Query.SEVERITIES:
		if count(each) > 0:
			return each
	return ""


## Whether it is found in another file than the one that the heading names.
func is_elsewhere(diagnostic: _Diagnostic) -> bool:
	return kind == _Kind.DEPENDENTS or kind == _Kind.FILE and diagnostic.path != key


func is_folded_at_first() -> bool:
	return kind in [_Kind.EQUAL, _Kind.DEPENDENTS]


func count(severity_: String) -> int:
	return _counts.get(severity_, 0)


## The number of things in it, including losses of saves.
func size() -> int:
	var total := diagnostics.size()
	for save: _SaveLosses in losses:
		total += save.losses.size()
	return total


## How many of them can be fixed so that Godot loads the same.
func safe_count() -> int:
	var total := 0
	for diagnostic: _Diagnostic in diagnostics:
		total += int(diagnostic.is_safe_to_fix())
	return total


## They are in the order of their files.
func is_in_one_file() -> bool:
	return diagnostics.is_empty() or diagnostics[0].path == diagnostics[-1].path


func paths() -> PackedStringArray:
	var found: Dictionary[String, bool] = {}
	for diagnostic: _Diagnostic in diagnostics:
		found[diagnostic.path] = true
	return PackedStringArray(found.keys())


## Those of a FILE itself.
func codes() -> PackedStringArray:
	var found: Dictionary[String, bool] = {}
	for diagnostic: _Diagnostic in diagnostics:
		if kind != _Kind.FILE or not is_elsewhere(diagnostic):
			found[diagnostic.code] = true
	return PackedStringArray(found.keys())
