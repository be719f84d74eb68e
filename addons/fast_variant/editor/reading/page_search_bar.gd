@tool
extends "../shared/search_bar.gd"
## Searches in a page, beginning with the visible part.

const _PageView := preload("page_view.gd")

var view: _PageView


func go(step: int) -> void:
	view.go_to_match(step)
	_show_count()


func _selected_text() -> String:
	return view.get_selected_text()


func _mark_matches() -> void:
	view.search(text.text, _match_case.button_pressed)
	_show_count()


func _end_search() -> void:
	view.search("", false)


func _show_count() -> void:
	count.visible = not text.text.is_empty()
	count.text = "%d of %d" % [view.match_index + 1, view.match_count] if view.match_count > 0 else "No match"
