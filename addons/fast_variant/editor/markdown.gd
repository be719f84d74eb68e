@tool
extends RefCounted
## The little Markdown that the rules' documentation uses, for a `RichTextLabel`.


static func to_bbcode(markdown: String) -> String:
	var text := ""
	var is_code := false
	var is_in_paragraph := false
	for line: String in markdown.split("\n"):
		var is_fence := line.begins_with("```")
		is_code = is_code != is_fence
		var is_plain := not is_code and not is_fence and not line.is_empty() and not _begins_block(line)
		# The lines of a paragraph are one.
		text += " " if is_plain and is_in_paragraph else "\n"
		text += _line(line, is_code, is_fence)
		is_in_paragraph = not is_code and not is_fence and not line.is_empty() and not line.begins_with("#")
	return text.strip_edges()


static func _line(line: String, is_code: bool, is_fence: bool) -> String:
	if is_fence:
		return "[code]" if is_code else "[/code]"
	if is_code:
		return _escaped(line)
	if line.begins_with("#"):
		return "[b]%s[/b]" % _escaped(line.lstrip("# "))
	return _inline(line)


static func _begins_block(line: String) -> bool:
	return line.begins_with("#") or line.begins_with("- ") or line.begins_with("|")


## Text between backticks is code.
static func _inline(line: String) -> String:
	var parts := _escaped(line).split("`")
	var text := ""
	for index: int in parts.size():
		text += "[code]%s[/code]" % parts[index] if index % 2 == 1 else parts[index]
	return text


static func _escaped(text: String) -> String:
	return text.replace("[", "[lb]")
