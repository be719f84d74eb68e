@tool
extends RefCounted
## Writes into the text of `gdscene.toml` that rules are ignored in a file or folder: `[per-path-ignores]`.

const _Rewrite := preload("rewrite.gd")

const _SECTION := "per-path-ignores"
## Characters that mean something in a pattern, or would have to be written otherwise in TOML.
const _SPECIAL := "*?[]{}!\\\""


## `path` begins with `res://`; that of a folder ends with `/`.
static func with_ignored(text: String, path: String, codes: PackedStringArray) -> _Rewrite:
	var pattern := path.trim_prefix("res://")
	if pattern.ends_with("/"):
		pattern += "**"
	var result := _Rewrite.new()
	for character: String in _SPECIAL:
		if pattern.trim_suffix("**").contains(character):
			result.error = "`%s` has a `%s` in its name; write it into [%s] by hand" % [path, character, _SECTION]
			return result
	var lines := text.split("\n")
	result.error = _add(lines, "\"%s\"" % pattern, codes)
	result.text = "\n".join(lines)
	result.is_changed = result.error.is_empty() and result.text != text
	return result


## Returns why it was not possible, or nothing.
static func _add(lines: PackedStringArray, key: String, codes: PackedStringArray) -> String:
	var header := _find(lines, 0, "^\\s*\\[\\s*\"?%s\"?\\s*\\]\\s*(#.*)?$" % _SECTION)
	if header < 0 and _find(lines, 0, "^\\s*\"?%s\"?\\s*[.=]" % _SECTION) >= 0:
		return "`%s` is not written as a section of its own; add %s by hand" % [_SECTION, ", ".join(codes)]
	if header < 0:
		_append_section(lines, _entry(key, codes))
		return ""
	var end := _find(lines, header + 1, "^\\s*\\[")
	end = end if end >= 0 else lines.size()
	var present := _find(lines.slice(0, end), header + 1, "^\\s*[\"']?%s[\"']?\\s*=" % _escaped(key.trim_prefix("\"").trim_suffix("\"")))
	if present >= 0:
		return _extend(lines, present, codes)
	while end > header + 1 and lines[end - 1].strip_edges().is_empty():
		end -= 1
	lines.insert(end, _entry(key, codes))
	return ""


static func _append_section(lines: PackedStringArray, entry: String) -> void:
	while not lines.is_empty() and lines[-1].strip_edges().is_empty():
		lines.remove_at(lines.size() - 1)
	if not lines.is_empty():
		lines.append("")
	lines.append_array(["[%s]" % _SECTION, entry, ""])


## Adds the missing entries to a list in one line.
static func _extend(lines: PackedStringArray, at: int, codes: PackedStringArray) -> String:
	var list := RegEx.create_from_string("^([^\\[#]*\\[)([^\\]#]*)(\\]\\s*(#.*)?)$").search(lines[at])
	if list == null:
		return "the list in line %d is written over several lines; add %s there by hand" % [at + 1, ", ".join(codes)]
	var items := list.get_string(2).strip_edges().trim_suffix(",")
	for code: String in codes:
		if not items.contains("\"%s\"" % code) and not items.contains("'%s'" % code):
			items += (", " if not items.is_empty() else "") + "\"%s\"" % code
	lines[at] = list.get_string(1) + items + list.get_string(3)
	return ""


static func _entry(key: String, codes: PackedStringArray) -> String:
	return "%s = [\"%s\"]" % [key, "\", \"".join(codes)]


## The first line from `from` on, or -1.
static func _find(lines: PackedStringArray, from: int, pattern: String) -> int:
	var expression := RegEx.create_from_string(pattern)
	for index: int in range(from, lines.size()):
		if expression.search(lines[index]) != null:
			return index
	return -1


static func _escaped(text: String) -> String:
	var escaped := ""
	for character: String in text:
		escaped += character if character.is_valid_identifier() or character.is_valid_int() else "\\" + character
	return escaped
