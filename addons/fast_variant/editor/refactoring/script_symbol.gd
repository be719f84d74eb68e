@tool
extends RefCounted
## The meaning of a word in a script, if it can be renamed: a member of the script or of a base script, or a global class.

const _Refactoring := preload("refactoring.gd")
const _Self := preload("script_symbol.gd")

enum _Kind { PROPERTY, METHOD, SIGNAL, CLASS }

const _METHODS: Dictionary[_Kind, StringName] = {
	_Kind.PROPERTY: &"rename_property",
	_Kind.METHOD: &"rename_method",
	_Kind.SIGNAL: &"rename_signal",
	_Kind.CLASS: &"rename_class",
}
const _WORDS: Dictionary[_Kind, String] = {
	_Kind.PROPERTY: "Variable", _Kind.METHOD: "Method", _Kind.SIGNAL: "Signal", _Kind.CLASS: "Class",
}

var kind: _Kind
var name: String
## The script that declares it.
var path: String


## In the current script; null if nothing there can be renamed.
static func at_caret(edit: CodeEdit) -> RefCounted:
	return of(EditorInterface.get_script_editor().get_current_script(), edit.get_word_under_caret()) if edit != null else null


## Why nothing at the caret of the current script can be renamed. Null means that no script is open.
static func what_is_missing(edit: CodeEdit) -> String:
	var script := EditorInterface.get_script_editor().get_current_script()
	var word := edit.get_word_under_caret() if edit != null else ""
	if edit == null or script == null:
		return "Open a script to rename what it declares."
	if script.resource_path.is_empty():
		return "Save the script to rename what it declares."
	if not word.is_valid_ascii_identifier():
		return "Put the caret on the name of a variable, function, signal or class to rename it."
	return "Cannot rename %s here: it is not a variable, function, signal or class that a script declares." % word


## Null if the word is nothing that can be renamed.
static func of(script: Script, word: String) -> RefCounted:
	if script == null or not word.is_valid_ascii_identifier():
		return null
	for declared: Dictionary in ProjectSettings.get_global_class_list():
		if declared["class"] == word:
			var declaring: String = declared["path"]
			return _made(_Kind.CLASS, word, declaring)
	var found: RefCounted = null
	# The last one that has it declares it.
	var at := script
	while at != null and not at.resource_path.is_empty():
		var found_kind := _kind_in(at, word)
		if found_kind == -1:
			break
		found = _made(found_kind as _Kind, word, at.resource_path)
		at = at.get_base_script()
	return found


func describe() -> String:
	return "%s %s of %s" % [_WORDS[kind], name, path]


func renamed(new_name: String) -> _Refactoring:
	if kind == _Kind.CLASS:
		return _Refactoring.new(_METHODS[kind], [name, new_name])
	return _Refactoring.new(_METHODS[kind], [path, name, new_name])


static func _made(found_kind: _Kind, word: String, declaring: String) -> RefCounted:
	var symbol := _Self.new()
	symbol.kind = found_kind
	symbol.name = word
	symbol.path = declaring
	return symbol


static func _kind_in(script: Script, word: String) -> int:
	if _has(script.get_script_signal_list(), word):
		return _Kind.SIGNAL
	if _has(script.get_script_method_list(), word):
		return _Kind.METHOD
	for property: Dictionary in script.get_script_property_list():
		var usage: int = property["usage"]
		if property["name"] == word and usage & PROPERTY_USAGE_SCRIPT_VARIABLE:
			return _Kind.PROPERTY
	return -1


static func _has(members: Array[Dictionary], word: String) -> bool:
	return members.any(func(member: Dictionary) -> bool: return member["name"] == word)
