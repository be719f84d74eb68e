@tool
extends RichTextLabel
## A page as it is read, with the places that a search found.

const _Block := preload("page_block.gd")
const _Markdown := preload("markdown.gd")
const _Page := preload("page.gd")
const _Style := preload("page_style.gd")

## The share of the view above a match.
const _MATCH_SHARE := 0.3

var page: _Page
## How many places the search found, and the current one, from 0, or -1.
var match_count := 0
var match_index := -1

var _style: _Style
var _is_styling := false
var _blocks: Array[_Block] = []
## The line of the label in which each block begins.
var _first_lines: PackedInt32Array = []
var _words := ""
var _matches_case := false
## How far down the page was when the search began.
var _origin := 0.0
## For each block, the matches of the search.
var _places: Array[PackedInt32Array] = []


func _init() -> void:
	bbcode_enabled = true
	selection_enabled = true
	context_menu_enabled = true
	focus_mode = Control.FOCUS_ALL
	size_flags_vertical = Control.SIZE_EXPAND_FILL


func _notification(what: int) -> void:
	# The fonts that a style gives the label are a change, too.
	if what == NOTIFICATION_THEME_CHANGED and page != null and not _is_styling:
		_show_again()


func show_page(shown: _Page) -> void:
	page = shown
	_origin = page.scroll
	_make_blocks()
	_search()
	_render()
	scroll_later(page.scroll)


## Looks for words, beginning with the visible part. No words end the search.
func search(words: String, matches_case: bool) -> void:
	# While words are typed, all searches begin at the same place.
	if _words.is_empty():
		_origin = get_v_scroll_bar().value
	_words = words
	_matches_case = matches_case
	_search()
	match_index = _first_match_below(_origin)
	_show_match()


## Leads to the next place, or with -1 to the one before; behind the last is the first.
func go_to_match(step: int) -> void:
	if match_count > 0:
		match_index = posmod(match_index + step, match_count)
		_show_match()
		_origin = get_v_scroll_bar().value


## The headings below that of the page.
func headings() -> Array[_Block]:
	return _blocks.filter(func(block: _Block) -> bool: return block.level > 1)


## Nothing if there is no such heading.
func go_to_heading(anchor: String) -> void:
	for index: int in _blocks.size():
		if not _blocks[index].heading.is_empty() and anchor_of(_blocks[index].heading) == anchor:
			scroll_later(get_paragraph_offset(_first_lines[index]))


## As in links to it: `#the-problems-panel`.
static func anchor_of(heading: String) -> String:
	var kept := RegEx.create_from_string("[^\\w\\- ]").sub(heading.to_lower(), "", true)
	return kept.replace(" ", "-")


## When the label has its size and knows how long it is.
func scroll_later(scroll: float) -> void:
	var of_page := page
	for frame: int in 2:
		await get_tree().process_frame
		if not is_inside_tree() or page != of_page:
			return
		get_v_scroll_bar().value = scroll


func _make_blocks() -> void:
	_is_styling = true
	_style = _Style.new(self)
	_is_styling = false
	var own_code := page.key
	var is_other_rule := func(code: String) -> bool: return code != own_code and _Page.is_rule(code)
	var markdown := _Markdown.new(_style, is_other_rule)
	_blocks.clear()
	if page.is_markdown:
		_blocks = markdown.blocks_of(page.text)
	else:
		_blocks.append(markdown.code_block(page.text))


func _search() -> void:
	_places.clear()
	match_count = 0
	match_index = -1
	for block: _Block in _blocks:
		var places := block.places_of(_words, _matches_case) if not _words.is_empty() else PackedInt32Array()
		_places.append(places)
		match_count += places.size()


func _render() -> void:
	var here := _place_at_hand()
	var lines := 0
	var whole := ""
	_first_lines.clear()
	for index: int in _blocks.size():
		var block := _blocks[index]
		if index > 0:
			# A heading belongs to the next block.
			var gap := 1 if _blocks[index - 1].level > 0 else 2
			whole += "\n".repeat(gap)
			lines += gap
		_first_lines.append(lines)
		lines += block.break_count()
		if _places[index].is_empty():
			whole += block.bbcode
		else:
			var place := here.y if here.x == index else -1
			whole += block.marked(_places[index], _words.length(), _style.found, place, _style.found_here)
	text = whole


## The block and the place of the current match, or -1.
func _place_at_hand() -> Vector2i:
	var left := match_index
	for index: int in _places.size() if match_index >= 0 else 0:
		if left < _places[index].size():
			return Vector2i(index, _places[index][left])
		left -= _places[index].size()
	return Vector2i(-1, -1)


func _first_match_below(scroll: float) -> int:
	var above := 0
	for index: int in _blocks.size():
		for place: int in _places[index] if _bottom_of(index) >= scroll else PackedInt32Array():
			if _height_of(index, place) >= scroll:
				return above + _places[index].find(place)
		above += _places[index].size()
	return 0 if match_count > 0 else -1


func _bottom_of(index: int) -> float:
	var line := _first_lines[index] + _blocks[index].break_count() + 1
	return get_paragraph_offset(line) if line < get_paragraph_count() else float(get_content_height())


## Moves the page only if the match is out of sight.
func _show_match() -> void:
	var bar := get_v_scroll_bar()
	var scroll := bar.value
	_render()
	# A new page begins at the top, until it is laid out.
	get_content_height()
	bar.value = scroll
	if match_index < 0:
		return
	var height := _height_of_match()
	if height < scroll or height > scroll + size.y * (1.0 - _MATCH_SHARE / 2):
		bar.value = height - size.y * _MATCH_SHARE


func _height_of_match() -> float:
	var here := _place_at_hand()
	return _height_of(here.x, here.y)


## How far a place of a block is from the top of the page.
func _height_of(index: int, place: int) -> float:
	var block := _blocks[index]
	var line := _first_lines[index] + block.line_of(place)
	var top := get_paragraph_offset(line)
	var bottom := get_paragraph_offset(line + 1) if line + 1 < get_paragraph_count() else float(get_content_height())
	return lerpf(top, bottom, block.share_of(place))


func _show_again() -> void:
	var scroll := get_v_scroll_bar().value
	_make_blocks()
	_render()
	scroll_later(scroll)
