@tool
extends RefCounted
## A block of a page: a heading, a paragraph, a list, a table, or code.

const _Inline := preload("markdown_inline.gd")

const _TAG_OR_TEXT := "\\[[^\\]]*\\]|[^\\[]+"
## About the number of characters in a line of a cell.
const _CELL_WIDTH := 50.0

var bbcode: String
## The words of a heading, or empty.
var heading := ""
## 1 for that of the page.
var level := 0
## The shown text, without marks. Cells end with a line.
var plain := ""
## Tags and texts. A text of several characters takes the place of as many characters of `plain`.
var _tokens: PackedStringArray = []
var _columns := 0


func _init(bbcode_: String) -> void:
	bbcode = bbcode_
	_columns = bbcode.get_slice("]", 0).get_slice("=", 1).to_int() if bbcode.begins_with("[table=") else 0
	for found: RegExMatch in RegEx.create_from_string(_TAG_OR_TEXT).search_all(bbcode):
		_tokens.append(found.get_string())
		plain += _shown(found.get_string())


## How many lines break it in the label. A table is one line.
func break_count() -> int:
	return 0 if _columns > 0 else plain.count("\n")


## Where `words` begin in `plain`.
func places_of(words: String, matches_case: bool) -> PackedInt32Array:
	var places: PackedInt32Array = []
	var place := _find(words, matches_case, 0)
	while place >= 0:
		places.append(place)
		place = _find(words, matches_case, place + words.length())
	return places


## The text with a background behind this number of characters from each of these places.
func marked(places: PackedInt32Array, length: int, color: String, here: int, color_here: String) -> String:
	var text := ""
	var at := 0
	for token: String in _tokens:
		var shown := _shown(token)
		if token.begins_with("[") and token != "[lb]":
			text += token
		else:
			text += _marked_text(shown, at, places, length, color, here, color_here)
		at += shown.length()
	return text


## In which of its lines in the label a place of `plain` is.
func line_of(place: int) -> int:
	return 0 if _columns > 0 else plain.count("\n", 0, place)


## How far down a place is in its line in the label, from 0 to 1. The label does not give this for the contents of a table, so that
## it is guessed there.
func share_of(place: int) -> float:
	if _columns > 0:
		return _share_in_table(place)
	var start := plain.rfind("\n", place - 1) + 1 if place > 0 else 0
	var end := plain.find("\n", place)
	return float(place - start) / maxi((end if end >= 0 else plain.length()) - start, 1)


func _share_in_table(place: int) -> float:
	var above := 0.0
	var total := 0.0
	var at := 0
	var row_height := 0.0
	var cells := plain.trim_suffix("\n").split("\n")
	for index: int in cells.size():
		row_height = maxf(row_height, ceilf(maxi(cells[index].length(), 1) / _CELL_WIDTH))
		at += cells[index].length() + 1
		if (index + 1) % _columns == 0:
			total += row_height
			above += row_height if at <= place else 0.0
			row_height = 0.0
	return above / maxf(total, 1.0)


func _marked_text(
	shown: String, at: int, places: PackedInt32Array, length: int, color: String, here: int, color_here: String
) -> String:
	var text := ""
	var end := 0
	for place: int in places:
		var from := clampi(place - at, end, shown.length())
		var to := clampi(place + length - at, end, shown.length())
		if to > from:
			text += _Inline.escaped(shown.substr(end, from - end))
			text += "[bgcolor=#%s]%s[/bgcolor]" % [color_here if place == here else color, _Inline.escaped(shown.substr(from, to - from))]
			end = to
	return text + _Inline.escaped(shown.substr(end))


func _find(words: String, matches_case: bool, from: int) -> int:
	return plain.find(words, from) if matches_case else plain.findn(words, from)


static func _shown(token: String) -> String:
	if token == "[lb]":
		return "["
	if token == "[/cell]":
		return "\n"
	return "" if token.begins_with("[") else token
