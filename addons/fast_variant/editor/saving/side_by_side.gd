@tool
extends HSplitContainer
## Two texts side by side, before and after a save. Equal lines are in the same row, dropped text is marked, and both sides scroll
## together.

const _Loss := preload("loss.gd")
const _Native := preload("../shared/native.gd")

## For texts with more lines, only lines near a difference are shown.
const _MAX_LINES := 5000
## The number of equal lines around it.
const _CONTEXT := 5
## The gutter with the line numbers.
const _GUTTER := 0
const _DROPPED_ALPHA := 0.3
const _CHANGED_ALPHA := 0.12

var _before := TextEdit.new()
var _after := TextEdit.new()
var _titles: Array[Label] = []
var _losses: Array[_Loss] = []
## For each row the lines before and after, from 1, or 0.
var _rows: Array[Vector2i] = []
## The row of each loss.
var _loss_rows: PackedInt32Array = []
## Where it was gone to last.
var _current := 0
## The kinds of each side's rows, to colour them again in another theme.
var _lines: Array[PackedStringArray] = [[], []]


func _init() -> void:
	for text: TextEdit in [_before, _after]:
		var title := Label.new()
		title.theme_type_variation = &"HeaderSmall"
		_titles.append(title)
		var column := VBoxContainer.new()
		column.size_flags_horizontal = Control.SIZE_EXPAND_FILL
		column.add_child(title)
		column.add_child(text)
		add_child(column)
		text.editable = false
		text.size_flags_vertical = Control.SIZE_EXPAND_FILL
		text.draw_tabs = true
		text.add_gutter(_GUTTER)
		text.set_gutter_type(_GUTTER, TextEdit.GUTTER_TYPE_STRING)
		text.get_v_scroll_bar().value_changed.connect(_on_scrolled.bind(text))
		text.get_h_scroll_bar().value_changed.connect(_on_scrolled.bind(text))


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		for text: TextEdit in [_before, _after]:
			text.add_theme_font_override(&"font", get_theme_font(&"source", &"EditorFonts"))
			text.add_theme_color_override(&"font_readonly_color", get_theme_color(&"font_color", &"Editor"))
		_colour()


func set_titles(before: String, after: String) -> void:
	_titles[0].text = before
	_titles[1].text = after


func show_texts(before: PackedByteArray, after: PackedByteArray, losses: Array[_Loss]) -> void:
	_losses = losses
	_current = 0
	_lines = [_lines_of(before), _lines_of(after)]
	var pairs := _Native.side_by_side(before, after)
	_rows = []
	for index: int in range(0, pairs.size(), 2):
		_rows.append(Vector2i(pairs[index], pairs[index + 1]))
	if _rows.size() > _MAX_LINES:
		_rows = _near_differences(_rows)
	_fill(_before, 0)
	_fill(_after, 1)
	_find_losses()
	_colour()


func go_to_loss(index: int) -> void:
	if index >= _loss_rows.size():
		return
	_current = index
	for text: TextEdit in [_before, _after]:
		text.set_caret_line(_loss_rows[index])
		text.set_caret_column(0)
	_before.center_viewport_to_caret()


## To the next one, or the one before.
func go_on(step: int) -> void:
	if not _loss_rows.is_empty():
		go_to_loss(posmod(_current + step, _loss_rows.size()))


func grab_text_focus() -> void:
	_before.grab_focus()


func selected_text() -> String:
	return _after.get_selected_text() if _after.has_selection() else _before.get_selected_text()


## The texts in the row of the caret, on the left and on the right.
func current_lines() -> PackedStringArray:
	return [_before.get_line(_before.get_caret_line()), _after.get_line(_before.get_caret_line())]


func _lines_of(text: PackedByteArray) -> PackedStringArray:
	return text.get_string_from_utf8().replace("\r\n", "\n").split("\n")


func _is_different(row: Vector2i) -> bool:
	return row.x == 0 or row.y == 0 or _lines[0][row.x - 1] != _lines[1][row.y - 1]


## Rows without a line replace the hidden lines.
func _near_differences(rows: Array[Vector2i]) -> Array[Vector2i]:
	var is_near := PackedByteArray()
	is_near.resize(rows.size())
	for index: int in rows.size():
		if _is_different(rows[index]):
			for near: int in range(maxi(index - _CONTEXT, 0), mini(index + _CONTEXT + 1, rows.size())):
				is_near[near] = 1
	var kept: Array[Vector2i] = []
	for index: int in rows.size():
		if is_near[index] == 1:
			kept.append(rows[index])
		elif kept.is_empty() or kept[-1] != Vector2i.ZERO:
			kept.append(Vector2i.ZERO)
	return kept


func _fill(text: TextEdit, side: int) -> void:
	var shown: PackedStringArray = []
	for row: Vector2i in _rows:
		if row == Vector2i.ZERO:
			shown.append("…")
		else:
			shown.append(_lines[side][row[side] - 1] if row[side] > 0 else "")
	text.text = "\n".join(shown)
	var digits := str(_lines[side].size()).length() + 1
	text.set_gutter_width(_GUTTER, int(digits * 9 * EditorInterface.get_editor_scale()))
	for index: int in _rows.size():
		if _rows[index][side] > 0:
			text.set_line_gutter_text(index, _GUTTER, str(_rows[index][side]))


func _find_losses() -> void:
	var row_of: Dictionary[int, int] = {}
	for index: int in _rows.size():
		row_of[_rows[index].x] = index
	_loss_rows = []
	for loss: _Loss in _losses:
		_loss_rows.append(row_of.get(loss.line, 0))


func _colour() -> void:
	var dropped := Color(get_theme_color(&"error_color", &"Editor"), _DROPPED_ALPHA)
	var changed := Color(get_theme_color(&"accent_color", &"Editor"), _CHANGED_ALPHA)
	var number := get_theme_color(&"font_disabled_color", &"Editor")
	var is_dropped: Dictionary[int, bool] = {}
	for loss: _Loss in _losses:
		for line: int in range(loss.line, loss.last_line + 1):
			is_dropped[line] = true
	for index: int in _rows.size():
		var row := _rows[index]
		_before.set_line_gutter_item_color(index, _GUTTER, number)
		_after.set_line_gutter_item_color(index, _GUTTER, number)
		if row == Vector2i.ZERO or not _is_different(row):
			continue
		if row.x > 0:
			_before.set_line_background_color(index, dropped if is_dropped.has(row.x) else changed)
		if row.y > 0:
			_after.set_line_background_color(index, changed)


func _on_scrolled(_value: float, from: TextEdit) -> void:
	var to := _after if from == _before else _before
	# Each also emits the signal when the other one scrolls.
	if to.scroll_vertical != from.scroll_vertical:
		to.scroll_vertical = from.scroll_vertical
	if to.scroll_horizontal != from.scroll_horizontal:
		to.scroll_horizontal = from.scroll_horizontal
