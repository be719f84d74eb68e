@tool
extends RefCounted
## The little Markdown that the rules' documentation uses, for a `RichTextLabel`.

const _CODE := "\\b[A-Z]{2,5}[0-9]{3}\\b"


## `links` is asked for each word that looks like the code of a rule whether it is to be a link. Its `meta` is the code.
static func to_bbcode(markdown: String, links := Callable()) -> String:
	var text := ""
	var is_code := false
	var is_in_paragraph := false
	var is_first := true
	for line: String in markdown.split("\n"):
		var is_fence := line.begins_with("```")
		var is_end := is_fence and is_code
		is_code = is_code != is_fence
		var is_plain := not is_code and not is_fence and not line.is_empty() and not _begins_block(line)
		# The lines of a paragraph are one, and the marks of a code block have no lines of their own.
		if is_plain and is_in_paragraph:
			text += " "
		elif not is_first and not is_end:
			text += "\n"
		text += _line(line, is_code, is_fence, links)
		is_first = is_fence and is_code
		is_in_paragraph = not is_code and not is_fence and not line.is_empty() and not line.begins_with("#")
	return text.strip_edges()


static func _line(line: String, is_code: bool, is_fence: bool, links: Callable) -> String:
	if is_fence:
		return "[code]" if is_code else "[/code]"
	if is_code:
		return _escaped(line)
	if line.begins_with("#"):
		return "[b]%s[/b]" % _escaped(line.lstrip("# "))
	return _linked(_inline(line), links)


static func _begins_block(line: String) -> bool:
	return line.begins_with("#") or line.begins_with("- ") or line.begins_with("|")


## Text between backticks is code.
static func _inline(line: String) -> String:
	var parts := _escaped(line).split("`")
	var text := ""
	for index: int in parts.size():
		text += "[code]%s[/code]" % parts[index] if index % 2 == 1 else parts[index]
	return text


static func _linked(text: String, links: Callable) -> String:
	if not links.is_valid():
		return text
	var result := ""
	var end := 0
	for found: RegExMatch in RegEx.create_from_string(_CODE).search_all(text):
		if links.call(found.get_string()):
			result += text.substr(end, found.get_start() - end) + "[url]%s[/url]" % found.get_string()
			end = found.get_end()
	return result + text.substr(end)


static func _escaped(text: String) -> String:
	return text.replace("[", "[lb]")
