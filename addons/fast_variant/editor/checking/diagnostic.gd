@tool
extends RefCounted
## One thing that the linter found. A copy of `SceneDiagnostic`, so that nothing of the native library is held while it
## is reloaded.

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
## Relative to the scene's root, which is `.`; empty if it is about no node.
var node_path: String
## What the fix does, or empty.
var fix_title: String
## `safe`, `unsafe` or `display-only`
var fix_applicability: String

## As soon as somebody asked for it.
var _searchable: String
var _what: String


func is_fixable() -> bool:
	return fix_applicability == "safe" or fix_applicability == "unsafe"


## Whether Godot loads the same after the fix.
func is_safe_to_fix() -> bool:
	return fix_applicability == "safe"


## Whether it is about what `gdscene merge` left, which can be settled. Lines of git's are an error.
func is_merge_conflict() -> bool:
	return code == "SYN006" and severity == "warning"


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
