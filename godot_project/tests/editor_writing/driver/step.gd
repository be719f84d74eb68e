@tool
extends RefCounted
## One step of a history of the editor, and what it did.

var title: String
## Of a step of the user: the values before and after, by the path of the scene or resource.
var path := ""
var before: Dictionary = {}
var after: Dictionary = {}
## Of a step of the addon: by path, the bytes before and after; null if there is no file.
var files_before: Dictionary[String, Variant] = {}
var files_after: Dictionary[String, Variant] = {}
## Which of the files have the step now: an undo that was refused leaves one as it is.
var done: Dictionary[String, bool] = {}
## Of an addon that was switched off since: nothing happens any more.
var is_dead := false


func is_of_addon() -> bool:
	return path.is_empty()
