@tool
extends RefCounted
## Problems under one heading of the Problems panel.

## EQUAL: they differ only in their place, in many files or in one.
enum Kind { FILE, RULE, SEVERITY, EQUAL }

const Diagnostic := preload("../checking/diagnostic.gd")
const Query := preload("problems_query.gd")
const SaveLosses := preload("../saving/save_losses.gd")

var kind: Kind
## Different from that of every other group. Of a FILE its path, of a SEVERITY its name.
var key: String
## In the order in which they are shown; see `add`.
var diagnostics: Array[Diagnostic] = []
## Of a FILE; null if its last save dropped nothing.
var losses: SaveLosses
## By severity.
var _counts: Dictionary[String, int] = {}


func _init(kind_: Kind, key_: String) -> void:
	kind = kind_
	key = key_


func add(diagnostic: Diagnostic) -> void:
	diagnostics.append(diagnostic)
	_counts[diagnostic.severity] = _counts.get(diagnostic.severity, 0) + 1


## The worst; empty without diagnostics.
func severity() -> String:
	for each: String in Query.SEVERITIES:
		if count(each) > 0:
			return each
	return ""


func count(severity_: String) -> int:
	return _counts.get(severity_, 0)


## How many of them can be fixed so that Godot loads the same.
func safe_count() -> int:
	var total := 0
	for diagnostic: Diagnostic in diagnostics:
		total += int(diagnostic.is_safe_to_fix())
	return total


## They are in the order of their files.
func is_in_one_file() -> bool:
	return diagnostics.is_empty() or diagnostics[0].path == diagnostics[-1].path


func paths() -> PackedStringArray:
	var found: Dictionary[String, bool] = {}
	for diagnostic: Diagnostic in diagnostics:
		found[diagnostic.path] = true
	return PackedStringArray(found.keys())


func codes() -> PackedStringArray:
	var found: Dictionary[String, bool] = {}
	for diagnostic: Diagnostic in diagnostics:
		found[diagnostic.code] = true
	return PackedStringArray(found.keys())
