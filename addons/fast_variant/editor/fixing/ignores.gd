@tool
extends RefCounted
## Notes in a scene or resource that a diagnostic is wanted there, in a form that stays when Godot saves: as metadata. A problem
## without a place for metadata, such as a connection, is noted on the root of the file, for all of its kind.

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Native := preload("../shared/native.gd")
const _Rewrite := preload("rewrite.gd")

## A comment goes with the next save.
const _COMMENT := "; gdscene: ignore["


static func here(text: String, diagnostic: _Diagnostic) -> _Rewrite:
	var result := _Native.ignore(text, diagnostic)
	if result.text.count(_COMMENT) == text.count(_COMMENT):
		return result
	var root := _Diagnostic.new()
	root.code = diagnostic.code
	root.line = _root_line(text)
	root.column = 1
	return _Native.ignore(text, root) if root.line > 0 else result


## The line of the node or resource that is the file, from 1; 0 if it has no line.
static func _root_line(text: String) -> int:
	var lines := text.split("\n")
	var is_in_string := false
	for index: int in lines.size():
		var line := lines[index]
		if not is_in_string and (line.begins_with("[resource]") or _is_root(line)):
			return index + 1
		if is_in_string or not line.begins_with(";"):
			is_in_string = is_in_string != (_quotes_in(line) % 2 == 1)
	return 0


static func _is_root(line: String) -> bool:
	return line.begins_with("[node ") and not line.contains(" parent=")


## Without those behind a backslash.
static func _quotes_in(line: String) -> int:
	return line.replace("\\\\", "").replace("\\\"", "").count("\"")
