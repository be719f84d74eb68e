@tool
extends RefCounted
## The Markdown of the addon's pages, in blocks that a `RichTextLabel` can show.

const _Block := preload("page_block.gd")
const _Inline := preload("markdown_inline.gd")
const _Style := preload("page_style.gd")

const _FENCE := "```"
const _CODE_INDENT := "    "
## The marks of an item, with the text before them.
const _ITEM := "^( *)([-*+]|[0-9]+[.)]) +(.*)$"
const _HEADING := "^(#{1,6}) +(.*?)[ #]*$"
const _TABLE_RULE := "^\\|?[ :|-]*-[ :|-]*$"
const _RULE := "^ *([-*_])( *\\1){2,} *$"

var _style: _Style
var _inline: _Inline
var _item := RegEx.create_from_string(_ITEM)
var _heading := RegEx.create_from_string(_HEADING)
var _table_rule := RegEx.create_from_string(_TABLE_RULE)
var _rule := RegEx.create_from_string(_RULE)
var _lines: PackedStringArray = []
var _at := 0


## `is_rule` decides for each word that looks like the code of a rule whether it becomes a link.
func _init(style: _Style, is_rule: Callable) -> void:
	_style = style
	_inline = _Inline.new(style, is_rule)


func blocks_of(markdown: String) -> Array[_Block]:
	_lines = markdown.replace("\r\n", "\n").split("\n")
	_at = 0
	var blocks: Array[_Block] = []
	while _at < _lines.size():
		var line := _lines[_at]
		if line.strip_edges().is_empty() or _rule.search(line) != null:
			_at += 1
		elif line.begins_with(_FENCE):
			blocks.append(_fenced())
		elif line.begins_with(_CODE_INDENT):
			blocks.append(_indented())
		elif _heading.search(line) != null:
			blocks.append(_headline(_heading.search(line)))
		elif _is_table():
			blocks.append(_table())
		elif _item.search(line) != null:
			blocks.append(_list())
		else:
			blocks.append(_paragraph())
	return blocks


## A text that is shown as it is.
func code_block(text: String) -> _Block:
	var cell := "[cell expand=1 bg=#%s padding=10,6,10,6][code][color=#%s]%s[/color][/code][/cell]"
	return _Block.new("[table=1]%s[/table]" % cell % [_style.code_background, _style.text, _Inline.escaped(text)])


func _fenced() -> _Block:
	var code: PackedStringArray = []
	_at += 1
	while _at < _lines.size() and not _lines[_at].begins_with(_FENCE):
		code.append(_lines[_at])
		_at += 1
	_at += 1
	return code_block("\n".join(code))


func _indented() -> _Block:
	var code: PackedStringArray = []
	while _at < _lines.size() and (_lines[_at].begins_with(_CODE_INDENT) or _lines[_at].strip_edges().is_empty()):
		code.append(_lines[_at].substr(_CODE_INDENT.length()))
		_at += 1
	return code_block("\n".join(code).strip_edges(false))


func _headline(found: RegExMatch) -> _Block:
	_at += 1
	var level := found.get_string(1).length()
	var words := found.get_string(2)
	var shown := "[color=#%s]%s[/color]" % [_style.headline, _inline.without_links(words)]
	var block := _Block.new("[font_size=%d][b]%s[/b][/font_size]" % [_style.size_of_heading(level), shown])
	block.heading = _inline.plain(words)
	block.level = level
	return block


func _is_table() -> bool:
	return (
		_lines[_at].begins_with("|") and _at + 1 < _lines.size() and _lines[_at + 1].begins_with("|")
		and _table_rule.search(_lines[_at + 1]) != null
	)


func _table() -> _Block:
	var titles := _cells(_lines[_at])
	var text := "[table=%d]" % titles.size()
	for title: String in titles:
		text += _cell("[b]%s[/b]" % _inline.to_bbcode(title))
	_at += 2
	while _at < _lines.size() and _lines[_at].begins_with("|"):
		var cells := _cells(_lines[_at])
		cells.resize(titles.size())
		for cell: String in cells:
			text += _cell(_inline.to_bbcode(cell))
		_at += 1
	return _Block.new(text + "[/table]")


func _cell(text: String) -> String:
	return "[cell expand=1 border=#%s padding=8,4,8,4]%s[/cell]" % [_style.line, text]


## Between the lines of a row; `\|` is not such a line.
func _cells(row: String) -> PackedStringArray:
	const LINE := "\uE000"
	var inner := row.strip_edges().trim_prefix("|").replace("\\|", LINE).trim_suffix("|")
	var cells := inner.split("|")
	for index: int in cells.size():
		cells[index] = cells[index].strip_edges().replace(LINE, "|")
	return cells


## Items that are deeper make a list in the list.
func _list() -> _Block:
	var text := ""
	var open_tags: PackedStringArray = []
	var indents: PackedInt32Array = []
	while _at < _lines.size():
		var found := _item.search(_lines[_at])
		if found == null:
			break
		var indent := found.get_string(1).length()
		while indents.size() > 1 and indent < indents[-1]:
			text += "[/%s]" % open_tags[-1]
			open_tags.remove_at(open_tags.size() - 1)
			indents.remove_at(indents.size() - 1)
		if not text.is_empty():
			text += "\n"
		if indents.is_empty() or indent > indents[-1]:
			var is_numbered := found.get_string(2).left(1).is_valid_int()
			text += "[ol type=1]" if is_numbered else "[ul]"
			open_tags.append("ol" if is_numbered else "ul")
			indents.append(indent)
		_at += 1
		text += _inline.to_bbcode(_joined(found.get_string(3)))
		_skip_gap_between_items()
	while not open_tags.is_empty():
		text += "[/%s]" % open_tags[-1]
		open_tags.remove_at(open_tags.size() - 1)
	return _Block.new(text)


func _skip_gap_between_items() -> void:
	var next := _at
	while next < _lines.size() and _lines[next].strip_edges().is_empty():
		next += 1
	if next < _lines.size() and _item.search(_lines[next]) != null:
		_at = next


func _paragraph() -> _Block:
	var first := _lines[_at]
	_at += 1
	return _Block.new(_inline.to_bbcode(_joined(first)))


## The lines of a paragraph are one, up to one that begins something else.
func _joined(first: String) -> String:
	var text := first.strip_edges()
	while _at < _lines.size() and _goes_on(_lines[_at]):
		text += " " + _lines[_at].strip_edges()
		_at += 1
	return text


func _goes_on(line: String) -> bool:
	return not (
		line.strip_edges().is_empty() or line.begins_with(_FENCE) or _heading.search(line) != null
		or _item.search(line) != null or _is_table()
	)
