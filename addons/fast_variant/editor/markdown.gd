@tool
extends RefCounted
## The little Markdown that the rules' documentation uses, for a `RichTextLabel`.


static func to_bbcode(markdown: String) -> String:
	var lines: PackedStringArray = []
	var is_code := false
	for line: String in markdown.split("\n"):
		if line.begins_with("```"):
			is_code = not is_code
			lines.append("[code]" if is_code else "[/code]")
		elif is_code:
			lines.append(_escaped(line))
		elif line.begins_with("#"):
			lines.append("[b]%s[/b]" % _escaped(line.lstrip("# ")))
		else:
			lines.append(_inline(line))
	return "\n".join(lines)


## Text between backticks is code.
static func _inline(line: String) -> String:
	var parts := _escaped(line).split("`")
	var text := ""
	for index: int in parts.size():
		text += "[code]%s[/code]" % parts[index] if index % 2 == 1 else parts[index]
	return text


static func _escaped(text: String) -> String:
	return text.replace("[", "[lb]")
