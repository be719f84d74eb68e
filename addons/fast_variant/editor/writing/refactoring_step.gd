@tool
extends "history_step.gd"
## A refactoring as a step of the editor's undo, with the contents of its files before and after it.

const _Refactoring := preload("../refactoring/refactoring.gd")
const _SafeFile := preload("safe_file.gd")

var refactoring: _Refactoring

## By the path of each file before: its content before and after, as bytes or null.
var _contents: Dictionary[String, Array] = {}


func _init(refactoring_: _Refactoring) -> void:
	super(refactoring_.title)
	refactoring = refactoring_
	for path: String in refactoring.files:
		_contents[path] = [_SafeFile.content(path), null]


## To be called when it was carried out for the first time.
func keep_after() -> void:
	for path: String in _contents:
		_contents[path][1] = _SafeFile.content(refactoring.new_path(path))


func is_over(is_forward: bool) -> bool:
	return refactoring.is_applied() == is_forward


## The files that already have the contents that the step would write, by their current path. The value is the contents at the
## beginning of the step.
func reached(is_forward: bool) -> Dictionary[String, PackedByteArray]:
	var found: Dictionary[String, PackedByteArray] = {}
	for path: String in _contents:
		var from: Variant = _contents[path][0 if is_forward else 1]
		var to: Variant = _contents[path][1 if is_forward else 0]
		var place := path if is_forward else refactoring.new_path(path)
		if from != null and to != null and from != to and _SafeFile.content(place) == to:
			found[place] = from
	return found
