@tool
extends "../suite.gd"
## The reader: the addon's documentation and the rules as rendered pages, with what one expects of a reader.

const Block := preload("res://addons/fast_variant/editor/reading/page_block.gd")
const Markdown := preload("res://addons/fast_variant/editor/reading/markdown.gd")
const Page := preload("res://addons/fast_variant/editor/reading/page.gd")
const PageView := preload("res://addons/fast_variant/editor/reading/page_view.gd")
const Reader := preload("res://addons/fast_variant/editor/reading/reader.gd")
const Style := preload("res://addons/fast_variant/editor/reading/page_style.gd")

const README := "res://addons/fast_variant/README.md"
const FOLDER := "res://reading"
const FIRST := "res://reading/first.md"
const TEXT := """# First page

Words before [the second page](second.md).

To [a heading](second.md#far-down).

And [the terms](LICENSE).

## Lists

- one
  goes on
- two
  1. deep
  2. **bold** and `code [x]`
- three REF001

```gdscript
var a := [1]
```

| key | does |
|---|---|
| F1 | shows `a\\|b` |
| F2 | needle |

Last words.
"""


func test_the_documentation_is_rendered() -> void:
	var menu := parts().project_menu
	menu.id_pressed.emit(menu._Entry.DOCUMENTATION)
	await _laid_out()
	check(_reader().visible and not parts().text_window.visible, "the reader, and not the source")
	check_equal(_reader().title, "FastVariant for Godot", "the title")
	var shown := _reader().shown_text()
	check(shown.begins_with("FastVariant for Godot\n"), "the heading: %s" % shown.left(40))
	for mark: String in ["**", "```", "|---", "## ", "[LICENSE]", "[b]", "[/", "[lb]"]:
		check(not shown.contains(mark), "it is rendered, and has no %s: %s" % [mark, shown.substr(shown.find(mark) - 40, 80)])
	check_equal(_view().get_paragraph_count(), _expected_lines(), "the lines of the label, as places are counted")
	check(_reader().contents.get_popup().item_count >= 8, "the headings")
	_close()


func test_markdown() -> void:
	var blocks := _blocks(TEXT)
	var plain: PackedStringArray = []
	for block: Block in blocks:
		plain.append(block.plain)
	check_equal(plain, PackedStringArray([
		"First page", "Words before the second page.", "To a heading.", "And the terms.", "Lists",
		"one goes on\ntwo\ndeep\nbold and code [x]\nthree REF001", "var a := [1]\n",
		"key\ndoes\nF1\nshows a|b\nF2\nneedle\n", "Last words.",
	]), "blocks")
	check_equal([blocks[0].level, blocks[0].heading, blocks[4].level], [1, "First page", 2], "headings")
	check(blocks[5].bbcode.begins_with("[ul]one goes on\ntwo\n[ol type=1]deep\n[b]bold[/b] and [code]"), "the list: %s" % blocks[5].bbcode)
	check(blocks[5].bbcode.contains("[/ol]\nthree [url=REF001]") and blocks[5].bbcode.ends_with("[/ul]"), "its end: %s" % blocks[5].bbcode)
	check(blocks[6].bbcode.begins_with("[table=1]") and blocks[7].bbcode.begins_with("[table=2]"), "tables")
	for source: Array in [
		["2 * 3 * 4 and a_b_c", "2 * 3 * 4 and a_b_c"], ["*slanted* and _so_", "slanted and so"], ["\\*no\\*", "*no*"],
		["``a`b``", "a`b"], ["<https://example.org/a>", "https://example.org/a"], ["![a picture](x.png)", "a picture"],
		["[a [b] c](x.md)", "a [b] c"], ["[not a link]", "[not a link]"], ["**`x` and `y`**, z", "x and y, z"],
	]:
		var text: String = source[0]
		check_equal(_blocks(text)[0].plain, source[1], "of `%s`" % text)


## With clicks, the keys and the buttons.
func test_links_and_back() -> void:
	_make_pages()
	await _open(FIRST)
	await _click_word("the second page")
	check_equal(_reader().title, "Second page", "the other page")
	check_equal(_view().get_v_scroll_bar().value, 0.0, "it begins at its top")
	_view().get_v_scroll_bar().value = 300
	_press(KEY_LEFT, true)
	await _laid_out()
	check_equal(_reader().title, "First page", "back")
	check(_reader().back.disabled and not _reader().forward.disabled, "the buttons")
	await click(_reader().forward)
	await _laid_out()
	check_equal(_reader().title, "Second page", "forward")
	check_equal(_view().get_v_scroll_bar().value, 300.0, "where it was left")
	_press(KEY_LEFT, true)
	await _laid_out()
	await _click_word("a heading")
	await _laid_out()
	check(_is_in_sight("Far down"), "the heading: %s" % _view().get_v_scroll_bar().value)
	_press(KEY_LEFT, true)
	await _laid_out()
	await _click_word("the terms")
	check_equal(_reader().title, FOLDER + "/LICENSE", "a file without Markdown")
	check_equal(_reader().shown_text().strip_edges(), "**All** rights", "it is shown as it is")
	_press(KEY_LEFT, true)
	await _laid_out()
	await _click_word("REF001")
	check(_reader().title.begins_with("REF001 "), "the rule: %s" % _reader().title)
	check(_reader().shown_text().contains("gdscene explain REF001"), "its page: %s" % _reader().shown_text().right(200))
	_close()
	_remove_pages()


func test_a_link_that_leads_nowhere() -> void:
	_make_pages()
	await _open(FIRST)
	_view().meta_clicked.emit("gone.md")
	await _laid_out()
	check(_reader().shown_text().contains("res://reading/gone.md does not exist"), "it is said: %s" % _reader().shown_text())
	_press(KEY_LEFT, true)
	await _laid_out()
	check_equal(_reader().title, "First page", "back")
	_close()
	_remove_pages()


func test_rules_lead_to_rules() -> void:
	parts().reader.explain("MIG001")
	await _laid_out()
	check_equal(_reader().title.get_slice(" ", 0), "MIG001", "the title: %s" % _reader().title)
	check(_reader().title.get_slice_count(" ") == 3, "the title has the name: %s" % _reader().title)
	check(not _reader().shown_text().contains("\n\n\n"), "empty lines: %s" % _reader().shown_text())
	check(not _view().text.contains("[url=MIG001]"), "no link to itself: %s" % _view().text)
	check(_view().text.contains("[url=TREE015]"), "another link: %s" % _view().text)
	await _click_word("MIG003")
	check(_reader().title.begins_with("MIG003 renamed-property"), "the other rule: %s" % _reader().title)
	await click(_reader().back)
	await _laid_out()
	check(_reader().title.begins_with("MIG001 "), "back: %s" % _reader().title)
	await click(_reader().rules)
	await _laid_out()
	check_equal(_reader().title, "Rules", "the list")
	var began := Time.get_ticks_msec()
	_view().search("a", false)
	print("cost of a search for a letter in all rules: %d ms" % (Time.get_ticks_msec() - began))
	began = Time.get_ticks_msec()
	_view().search("", false)
	print("cost of the rules without marks: %d ms" % (Time.get_ticks_msec() - began))
	# Far down in a table, where its place is guessed.
	for code: String in ["TREE020", "MIG001"]:
		_press(KEY_F, false, true)
		_reader().search_bar.text.clear()
		await _type(code)
		check(await _can_click_rule(code), "%s is in sight" % code)
		_reader().open(Page.RULES)
		await _laid_out()
	_press(KEY_ESCAPE)
	_close()


## Opened again, the documentation is where it was left.
func test_the_place_is_kept() -> void:
	await _open(README)
	_view().get_v_scroll_bar().value = 900
	_press(KEY_ESCAPE)
	check(not _reader().visible, "Escape closes it")
	await _open(README)
	check_equal(_view().get_v_scroll_bar().value, 900.0, "where it was left")
	_view().get_v_scroll_bar().value = 0
	_close()


func test_search() -> void:
	_make_pages()
	await _open(FOLDER + "/second.md")
	_view().get_v_scroll_bar().value = 0
	_press(KEY_F, false, true)
	await _type("NEEDLE")
	check_equal(_reader().search_bar.count.text, "1 of 4", "the count")
	check_equal(_view().text.count("[bgcolor="), 4, "marks")
	var heights: PackedFloat64Array = []
	for number: int in 4:
		check(_is_match_in_sight(), "match %d is in sight at %s" % [number, _view().get_v_scroll_bar().value])
		heights.append(_view()._height_of_match())
		_press(KEY_F3)
		await frames(2)
	check(heights[0] < heights[1] and heights[1] < heights[2] and heights[2] < heights[3], "one after the other: %s" % heights)
	check_equal(_reader().search_bar.count.text, "1 of 4", "behind the last is the first")
	_press(KEY_ESCAPE)
	check(_reader().visible and not _reader().search_bar.visible, "Escape closes the bar first")
	check(not _view().text.contains("[bgcolor="), "no marks are left")
	_press(KEY_F, false, true)
	await _type("nowhere")
	check_equal(_reader().search_bar.count.text, "No match", "nothing is found")
	_press(KEY_ESCAPE)
	_close()
	_remove_pages()


## From where the user reads.
func test_search_begins_in_sight() -> void:
	_make_pages()
	await _open(FOLDER + "/second.md")
	_view().go_to_heading("far-down")
	await _laid_out()
	_press(KEY_F, false, true)
	await _type("needle")
	check_equal(_reader().search_bar.count.text, "3 of 4", "the one below")
	# As long as it is typed, the place is the same.
	await _type("s")
	check_equal(_reader().search_bar.count.text, "No match", "of other words")
	press_key(_reader(), KEY_BACKSPACE)
	await frames(2)
	check_equal(_reader().search_bar.count.text, "3 of 4", "the same again")
	_press(KEY_ESCAPE)
	_close()
	_remove_pages()


func test_words_across_marks_are_found() -> void:
	var block := _blocks("a **bold** `code [x]` end")[0]
	check_equal(block.places_of("BOLD code [x] e", false), PackedInt32Array([2]), "the place")
	check_equal(block.places_of("BOLD", true), PackedInt32Array(), "with the case")
	var marked := block.marked([2], "bold code [x] e".length(), "ff0000", 2, "00ff00")
	check_equal(marked.count("[bgcolor=#00ff00]"), marked.count("[/bgcolor]"), "marks are closed: %s" % marked)
	check_equal(Block.new(marked).plain, block.plain, "the words")


func test_contents_lead_to_headings() -> void:
	await _open(README)
	var menu := _reader().contents.get_popup()
	var last := menu.item_count - 1
	check_equal(menu.get_item_text(last), "Licence", "the last heading")
	for index: int in [last, 2]:
		menu.index_pressed.emit(index)
		await _laid_out()
		check(_is_in_sight(menu.get_item_text(index)), "%s is in sight" % menu.get_item_text(index))
	_view().get_v_scroll_bar().value = 0
	_close()


func _reader() -> Reader:
	return parts().reader


func _view() -> PageView:
	return _reader().view


func _blocks(markdown: String) -> Array[Block]:
	var label := RichTextLabel.new()
	var made := Markdown.new(Style.new(label), Page.is_rule).blocks_of(markdown)
	label.free()
	return made


func _make_pages() -> void:
	write(FIRST, TEXT)
	var lines := "A line of words that nothing leads to.\n\n".repeat(30)
	var rows := "| a row | with words |\n".repeat(40)
	write(FOLDER + "/second.md", "# Second page\n\nA needle.\n\n%s- a\n- Needle\n\n%s## Far down\n\n%s| a | b |\n|---|---|\n%s| x | needle |\n%s\n```\nneedle\n```\n" % [
		lines, lines, lines, rows, rows
	])
	write(FOLDER + "/LICENSE", "**All** rights")


func _remove_pages() -> void:
	for name_of_file: String in ["first.md", "second.md", "LICENSE"]:
		DirAccess.remove_absolute(FOLDER.path_join(name_of_file))


func _open(key: String) -> void:
	_reader().open(key)
	await _laid_out()


## An editor without a window has a screen of no size, so that the window is as small as its contents allow.
func _laid_out() -> void:
	_reader().size = Vector2i(800, 500)
	await frames(4)


func _close() -> void:
	_reader().close_requested.emit()


## Where the label has it: all of its block is clicked, from the top.
func _click_word(word: String) -> void:
	var title := _reader().title
	for index: int in _view()._blocks.size():
		var block := _view()._blocks[index]
		if not block.bbcode.contains("[url") or not block.plain.contains(word):
			continue
		var line := _view()._first_lines[index] + block.line_of(block.plain.find(word))
		_view().get_v_scroll_bar().value = maxf(0.0, _view()._height_of(index, block.plain.find(word)) - 40.0)
		await frames(2)
		var top := _view().get_paragraph_offset(line) - _view().get_v_scroll_bar().value
		for y: int in range(maxi(int(top), 0) + 6, int(_view().size.y), 16):
			for x: int in range(4, int(_view().size.x), 24):
				click_at(_view(), Vector2(x, y))
				if _reader().title != title:
					await _laid_out()
					return
	fail("no click on %s leads anywhere" % word)


## Clicks the links that are in sight, from the top.
func _can_click_rule(code: String) -> bool:
	for y: int in range(4, int(_view().size.y), 8):
		click_at(_view(), Vector2(40, y))
		if _reader().title.begins_with(code):
			return true
		if _reader().title != "Rules":
			_press(KEY_LEFT, true)
			await _laid_out()
	return false


func _is_in_sight(heading: String) -> bool:
	for index: int in _view()._blocks.size():
		if _view()._blocks[index].heading == heading:
			var top := _view().get_paragraph_offset(_view()._first_lines[index]) - _view().get_v_scroll_bar().value
			return top >= 0.0 and top < _view().size.y
	return false


func _is_match_in_sight() -> bool:
	var top := _view()._height_of_match() - _view().get_v_scroll_bar().value
	return top >= 0.0 and top < _view().size.y


func _expected_lines() -> int:
	return _view()._first_lines[-1] + _view()._blocks[-1].break_count() + 1


func _type(text: String) -> void:
	await frames(1)
	for character: String in text:
		press_key(_reader(), KEY_NONE, character)
	await frames(2)


func _press(code: Key, alt := false, command := false) -> void:
	var event := InputEventKey.new()
	event.keycode = code
	event.pressed = true
	event.alt_pressed = alt
	event.ctrl_pressed = command
	_reader().push_input(event)
