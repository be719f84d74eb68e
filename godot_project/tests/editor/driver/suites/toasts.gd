@tool
extends "../suite.gd"
## What is told in the corner of the editor, and what is not.

const ERROR := "an error"
const WARNING := "a warning"
const OTHER := "another warning"
const PATH := "res://toasts/told.tscn"

var _told: PackedStringArray = []


func test_only_new_errors_are_told() -> void:
	await _begin()
	var first := _many(60)
	first.merge(_files([ERROR], [WARNING]))
	parts().toasts.tell_of_project(first)
	check_equal(await _told_now(), PackedStringArray(["61 files have errors."]), "the first check")
	parts().toasts.tell_of_project(_files([ERROR], []))
	parts().toasts.tell_of_project(_files([ERROR], [OTHER, WARNING]))
	check_equal(await _told_now(), PackedStringArray(), "other warnings, the same error")
	# Equal toasts are one for the editor.
	var files := _files([ERROR, "a second error"], [])
	for name_: String in ["a", "b", "c"]:
		files["res://toasts/%s.tscn" % name_] = _diagnostics([ERROR], [])
	parts().toasts.tell_of_project(files)
	check_equal(await _told_now(), PackedStringArray(["4 files have errors."]), "a second error, and three more files")


func test_two_checks_are_told_once() -> void:
	await _begin()
	parts().toasts.tell_of_project(_files([ERROR], []))
	parts().toasts.tell_of_project(_many(70))
	check_equal(await _told_now(), PackedStringArray(["71 files have errors."]), "two checks")


func test_saved_files_are_told_together() -> void:
	await _begin()
	parts().toasts.tell(PATH, _diagnostics([ERROR], [WARNING, OTHER]))
	check_equal(await _told_now(), PackedStringArray(["told.tscn: 1 error, 2 warnings"]), "one file")
	parts().toasts.tell(PATH, _diagnostics([ERROR], [WARNING, OTHER]))
	check_equal(await _told_now(), PackedStringArray(), "the same again")
	parts().toasts.tell("res://toasts/a.tscn", _diagnostics([], [WARNING]))
	parts().toasts.tell("res://toasts/b.tscn", _diagnostics([], [WARNING]))
	check_equal(await _told_now(), PackedStringArray(["2 files have warnings."]), "two files")


func test_what_the_panel_shows_is_not_told() -> void:
	await _begin()
	parts().toasts.is_panel_in_sight = func() -> bool: return true
	parts().toasts.tell(PATH, _diagnostics([ERROR], []))
	check_equal(await _told_now(), PackedStringArray(), "while the panel is in sight")
	parts().toasts.is_panel_in_sight = parts().panel.is_visible_in_tree


## As if nothing was known, and the panel was hidden.
func _begin() -> void:
	await until(parts().checker.is_at_rest, "no check is on its way")
	parts().toasts._known = {"error": {}, "warning": {}}
	parts().toasts.is_panel_in_sight = func() -> bool: return false
	_told = _labels()


## What has come since it was asked last.
func _told_now() -> PackedStringArray:
	await until(func() -> bool: return parts().toasts._timer.is_stopped(), "the toast has gone")
	await frames(3)
	var now := _labels()
	var news: PackedStringArray = []
	for label: String in now:
		if now.count(label) - news.count(label) > _told.count(label):
			news.append(label)
	_told = now
	return news


## Of toasts that count files or problems. Of equal ones the editor makes one with a number behind it.
func _labels() -> PackedStringArray:
	var found: PackedStringArray = []
	for node: Node in EditorInterface.get_base_control().find_children("*", "EditorToaster", true, false):
		for label: Node in node.find_children("*", "Label", true, false):
			var text := (label as Label).text
			if text.contains("file") or text.begins_with("told.tscn"):
				found.append(text)
	return found


func _files(errors: PackedStringArray, warnings: PackedStringArray) -> Dictionary[String, Array]:
	return {PATH: _diagnostics(errors, warnings)}


## A number that no other suite shows: the editor shows equal toasts as one.
func _many(count: int) -> Dictionary[String, Array]:
	var files: Dictionary[String, Array] = {}
	for number: int in count:
		files["res://toasts/many_%d.tscn" % number] = _diagnostics([ERROR], [])
	return files


func _diagnostics(errors: PackedStringArray, warnings: PackedStringArray) -> Array[Diagnostic]:
	var found: Array[Diagnostic] = []
	for message: String in errors + warnings:
		var diagnostic := Diagnostic.new()
		diagnostic.code = "TST001"
		diagnostic.severity = "error" if message in errors else "warning"
		diagnostic.message = message
		diagnostic.path = PATH
		found.append(diagnostic)
	return found
