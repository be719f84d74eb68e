@tool
extends Control
## Bytes in lines of 16, or fewer where there is less room, as hexadecimal numbers and as ASCII. Only the visible rows are drawn.

signal byte_pressed(offset: int)

const _MOST_PER_LINE := 16
const _LEAST_PER_LINE := 4
## In characters: the offset and two spaces, three for each byte, a space, and one for each byte.
const _BYTES_COLUMN := 10
const _WHEEL_LINES := 3

var bytes: PackedByteArray
var _marked_from := 0
var _marked_to := 0
var _is_error := false
var _per_line := _MOST_PER_LINE
var _scroll := VScrollBar.new()


func _init() -> void:
	focus_mode = Control.FOCUS_ALL
	size_flags_horizontal = Control.SIZE_EXPAND_FILL
	size_flags_stretch_ratio = 1.2
	clip_contents = true
	mouse_default_cursor_shape = Control.CURSOR_IBEAM
	# Since Godot 4.5.
	set(&"accessibility_name", "Bytes")
	_scroll.set_anchors_and_offsets_preset(Control.PRESET_RIGHT_WIDE)
	_scroll.value_changed.connect(_on_scrolled)
	add_child(_scroll)
	resized.connect(_measure)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		custom_minimum_size.x = _width_for(_LEAST_PER_LINE)
		_measure()
	elif what == NOTIFICATION_FOCUS_ENTER or what == NOTIFICATION_FOCUS_EXIT:
		queue_redraw()


func show_bytes(shown: PackedByteArray) -> void:
	bytes = shown
	_scroll.value = 0
	mark(0, 0)
	_measure()


## Up to `to`, which is not marked itself.
func mark(from: int, to: int, is_error := false) -> void:
	_marked_from = from
	_marked_to = to
	_is_error = is_error
	@warning_ignore("integer_division")
	var line := from / _per_line
	if to > from and (line < _scroll.value or line >= _scroll.value + _scroll.page - 1):
		_scroll.value = line - 1
	queue_redraw()


func marked() -> Vector2i:
	return Vector2i(_marked_from, _marked_to)


## The place of the byte, from the left upper corner.
func rect_of(offset: int) -> Rect2:
	var size_of_character := _character_size()
	@warning_ignore("integer_division")
	var line := offset / _per_line - int(_scroll.value)
	var column := _BYTES_COLUMN + 3 * (offset % _per_line)
	return Rect2(Vector2(column, line) * size_of_character, size_of_character * Vector2(2, 1))


func _draw() -> void:
	draw_style_box(get_theme_stylebox(&"normal", &"TextEdit"), Rect2(Vector2.ZERO, size))
	var first := int(_scroll.value)
	for line: int in range(first, mini(first + int(_scroll.page) + 1, _line_count())):
		_draw_line(line, line - first)
	if has_focus():
		draw_style_box(get_theme_stylebox(&"focus", &"TextEdit"), Rect2(Vector2.ZERO, size))


func _draw_line(line: int, row: int) -> void:
	var font := _font()
	var font_size := _font_size()
	var cell := _character_size()
	var start := line * _per_line
	var part := bytes.slice(start, start + _per_line)
	_draw_marks(start, part.size(), row, cell)
	var base := Vector2(0, row * cell.y + font.get_ascent(font_size))
	var color := get_theme_color(&"font_color", &"TextEdit")
	draw_string(font, base, "%08x" % start, HORIZONTAL_ALIGNMENT_LEFT, -1, font_size, Color(color, 0.5))
	var numbers := ""
	var text := ""
	for byte: int in part:
		numbers += "%02x " % byte
		text += String.chr(byte) if byte >= 32 and byte < 127 else "·"
	draw_string(font, base + Vector2(_BYTES_COLUMN * cell.x, 0), numbers, HORIZONTAL_ALIGNMENT_LEFT, -1, font_size, color)
	draw_string(font, base + Vector2(_text_column(_per_line) * cell.x, 0), text, HORIZONTAL_ALIGNMENT_LEFT, -1, font_size, Color(color, 0.7))


func _draw_marks(start: int, count: int, row: int, cell: Vector2) -> void:
	var from := clampi(_marked_from - start, 0, count)
	var to := clampi(_marked_to - start, 0, count)
	if to <= from:
		return
	var color := get_theme_color(&"error_color" if _is_error else &"accent_color", &"Editor")
	var width := (3 * (to - from) - 1) * cell.x
	draw_rect(Rect2(Vector2((_BYTES_COLUMN + 3 * from) * cell.x, row * cell.y), Vector2(width, cell.y)), Color(color, 0.35))
	draw_rect(Rect2(Vector2((_text_column(_per_line) + from) * cell.x, row * cell.y), Vector2((to - from) * cell.x, cell.y)), Color(color, 0.35))


func _gui_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.pressed:
		_on_button(button)
		return
	var steps: Dictionary[StringName, float] = {
		&"ui_down": 1.0, &"ui_up": -1.0, &"ui_page_down": _scroll.page - 1.0, &"ui_page_up": 1.0 - _scroll.page,
		&"ui_home": -_scroll.max_value, &"ui_end": _scroll.max_value,
	}
	for action: StringName in steps:
		if event.is_action_pressed(action, true):
			_scroll.value += steps[action]
			accept_event()
			return


func _on_button(event: InputEventMouseButton) -> void:
	match event.button_index:
		MOUSE_BUTTON_LEFT:
			grab_focus()
			var offset := _offset_at(event.position)
			if offset >= 0:
				byte_pressed.emit(offset)
		MOUSE_BUTTON_WHEEL_UP:
			_scroll.value -= _WHEEL_LINES
		MOUSE_BUTTON_WHEEL_DOWN:
			_scroll.value += _WHEEL_LINES
		_:
			return
	accept_event()


## The offset of the byte at this position, in the bytes or in the text; -1 outside both.
func _offset_at(at: Vector2) -> int:
	var cell := _character_size()
	var column := floori(at.x / cell.x)
	var in_line := -1
	if column >= _text_column(_per_line):
		in_line = column - _text_column(_per_line)
	elif column >= _BYTES_COLUMN:
		@warning_ignore("integer_division")
		in_line = (column - _BYTES_COLUMN) / 3
	if in_line < 0 or in_line >= _per_line:
		return -1
	var offset := (int(_scroll.value) + floori(at.y / cell.y)) * _per_line + in_line
	return offset if offset < bytes.size() else -1


func _measure() -> void:
	_per_line = _MOST_PER_LINE
	while _per_line > _LEAST_PER_LINE and _width_for(_per_line) > size.x:
		@warning_ignore("integer_division")
		_per_line /= 2
	_scroll.max_value = _line_count()
	_scroll.page = maxf(floorf(size.y / _character_size().y), 1.0)
	_scroll.visible = _scroll.max_value > _scroll.page
	queue_redraw()


func _width_for(bytes_per_line: int) -> float:
	return (_text_column(bytes_per_line) + bytes_per_line) * _character_size().x + _scroll.get_combined_minimum_size().x


func _text_column(bytes_per_line: int) -> int:
	return _BYTES_COLUMN + 3 * bytes_per_line + 1


func _line_count() -> int:
	@warning_ignore("integer_division")
	return (bytes.size() + _per_line - 1) / _per_line


func _font() -> Font:
	return get_theme_font(&"source", &"EditorFonts")


func _font_size() -> int:
	return get_theme_font_size(&"source_size", &"EditorFonts")


## All are equally wide.
func _character_size() -> Vector2:
	return Vector2(_font().get_string_size("0", HORIZONTAL_ALIGNMENT_LEFT, -1, _font_size()).x, _font().get_height(_font_size()))


func _on_scrolled(_value: float) -> void:
	queue_redraw()
