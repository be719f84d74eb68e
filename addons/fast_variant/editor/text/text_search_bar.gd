@tool
extends "../shared/search_bar.gd"
## Searches in a text, from where the caret is.

var editor: CodeEdit


func go(step: int) -> void:
	if text.text.is_empty():
		return
	var line := editor.get_caret_line()
	var column := editor.get_caret_column()
	var flags := _flags()
	if step < 0:
		flags |= TextEdit.SEARCH_BACKWARDS
		if editor.has_selection():
			line = editor.get_selection_from_line()
			column = editor.get_selection_from_column()
		column -= 1
		if column < 0:
			line = posmod(line - 1, editor.get_line_count())
			column = maxi(editor.get_line(line).length() - 1, 0)
	_select(editor.search(text.text, flags, line, column))


func _select(match_: Vector2i) -> void:
	# Where nothing is found, x is -1.
	if match_.x < 0:
		return
	editor.select(match_.y, match_.x, match_.y, match_.x + text.text.length())
	editor.center_viewport_to_caret()


func _selected_text() -> String:
	return editor.get_selected_text()


func _mark_matches() -> void:
	editor.set_search_text(text.text)
	editor.set_search_flags(_flags())
	editor.queue_redraw()
	count.visible = not text.text.is_empty()
	if count.visible:
		var all := editor.text
		var matches := all.count(text.text) if _match_case.button_pressed else all.countn(text.text)
		count.text = _Words.counted(matches, "%d match", "%d matches") if matches > 0 else "No match"


func _end_search() -> void:
	editor.set_search_text("")
	editor.queue_redraw()


func _search_from_here() -> void:
	# From the match that is selected, which may have become longer.
	if editor.has_selection():
		editor.set_caret_column(editor.get_selection_from_column())
	go(1)


func _flags() -> int:
	return TextEdit.SEARCH_MATCH_CASE if _match_case.button_pressed else 0
