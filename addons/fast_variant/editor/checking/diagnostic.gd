@tool
extends RefCounted
## One thing that the linter found. A copy of `SceneDiagnostic`, so that nothing of the native library is held while it
## is reloaded.

const _SceneFiles := preload("../shared/scene_files.gd")

## `REF001`
var code: String
## `undefined-ext-id`
var rule_name: String
## `error`, `warning` or `info`
var severity: String
var message: String
var help: String
var path: String
## From 1.
var line: int
## From 1, in characters.
var column: int
## How long the marked text is, in bytes of UTF-8.
var length: int
## Relative to the scene's root, which is `.`; empty if it is about no node.
var node_path: String
## The effect of the fix, or empty.
var fix_title: String
## `safe`, `unsafe` or `display-only`
var fix_applicability: String
## Other files that the fix changes or makes.
var fix_files: PackedStringArray
## The file that is broken, or that needs a broken one, if that is why this file cannot be opened; see root_causes.gd.
var needed_path: String

## Set when it is first requested.
var _searchable: String
var _what: String


func is_fixable() -> bool:
	return fix_applicability == "safe" or fix_applicability == "unsafe"


## Whether Godot loads the same after the fix.
func is_safe_to_fix() -> bool:
	return fix_applicability == "safe"


## The fix and its applicability, in the words of the command; empty without a fix.
func fix_words() -> String:
	if fix_title.is_empty():
		return ""
	return "Fix: %s (%s)" % [fix_title, "needs a manual decision" if fix_applicability == "display-only" else fix_applicability]


## All that the command shows for it: the message, the consequence and what may help, and the fix.
func details() -> String:
	var lines: PackedStringArray = [message]
	for line_: String in [help, fix_words()]:
		if not line_.is_empty():
			lines.append(line_)
	return "\n".join(lines)


## Whether it is about a remainder of a merge that can be resolved: a note of `gdscene merge`, or git's markers in a scene or
## resource.
func is_merge_conflict() -> bool:
	return code == "SYN006" and (severity == "warning" or _SceneFiles.is_text(path))


## Whether it is about a connection of a scene.
func is_of_connection() -> bool:
	return code.begins_with("SIG") and _SceneFiles.is_scene(path)


## The same for all that differ only in their place.
func what() -> String:
	if _what.is_empty():
		_what = code + message
	return _what


## For people.
func line_and_column() -> String:
	return "%d:%d" % [line, column]


## Whether `words`, in lower case, are somewhere in it.
func mentions(words: String) -> bool:
	if _searchable.is_empty():
		_searchable = describe().to_lower()
	return _searchable.contains(words)


## As `SceneRewriter.fix_listed` takes it.
func place() -> String:
	return "%s:%d:%d" % [code, line, column]


## In one line, as compilers do.
func describe() -> String:
	return "%s:%d:%d: %s[%s %s]: %s" % [path, line, column, severity, code, rule_name, message]
