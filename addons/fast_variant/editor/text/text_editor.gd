@tool
extends CodeEdit
## The text of a scene, with the linter's findings at its lines. A mark moves with its line when the user types.

## The finding at the caret; null without one.
signal finding_changed(finding: _Diagnostic)

const _Diagnostic := preload("../checking/diagnostic.gd")
const _TextColors := preload("text_colors.gd")

const _ICONS: Dictionary[String, StringName] = {
	"error": &"StatusError", "warning": &"StatusWarning", "info": &"NodeInfo",
}
const _COLORS: Dictionary[String, StringName] = {
	"error": &"error_color", "warning": &"warning_color", "info": &"accent_color",
}
const _SEVERITIES: PackedStringArray = ["error", "warning", "info"]
## How much of its colour a line gets.
const _TINT := 0.16
const _NO_COLOR := Color(0, 0, 0, 0)

## The finding at the caret.
var finding: _Diagnostic
## The number of the first line: an excerpt does not begin with 1.
var first_line := 1
var _gutter := 0
var _numbers_gutter := 1
var _has_marks := false


func _init() -> void:
	size_flags_vertical = Control.SIZE_EXPAND_FILL
	highlight_current_line = true
	draw_tabs = true
	auto_brace_completion_highlight_matching = true
	# First of all gutters.
	add_gutter(_gutter)
	set_gutter_name(_gutter, "findings")
	set_gutter_type(_gutter, GUTTER_TYPE_ICON)
	set_gutter_clickable(_gutter, true)
	add_gutter(_numbers_gutter)
	set_gutter_name(_numbers_gutter, "numbers of an excerpt")
	set_gutter_type(_numbers_gutter, GUTTER_TYPE_STRING)
	gutter_clicked.connect(_on_gutter_clicked)
	caret_changed.connect(_on_caret_changed)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		syntax_highlighter = _TextColors.highlighter()
		set_gutter_width(_gutter, get_theme_font_size(&"font_size") + 6)


## `number` is that of the first line.
func show_text(shown: String, number: int) -> void:
	_clear_marks()
	text = shown
	clear_undo_history()
	tag_saved_version()
	finding = null
	first_line = number
	gutters_draw_line_numbers = number == 1
	set_gutter_draw(_numbers_gutter, number != 1)
	if number != 1:
		_draw_numbers()


## As one edit, which can be undone.
func replace_text(shown: String) -> void:
	var line := get_caret_line()
	var column := get_caret_column()
	_clear_marks()
	text = shown
	tag_saved_version()
	place_caret(line + first_line, column + 1)


func has_line(line: int) -> bool:
	return line >= first_line and line < first_line + get_line_count()


func is_changed() -> bool:
	return get_version() != get_saved_version()


## Marks the lines of these findings, and no others.
func show_findings(found_in_file: Array[_Diagnostic]) -> void:
	_clear_marks()
	for found: _Diagnostic in found_in_file:
		var line := found.line - first_line
		if line >= 0 and line < get_line_count():
			_mark(line, found)
	_has_marks = not found_in_file.is_empty()
	_show_finding_at_caret()


## The findings in a line, counted from 0.
func findings_in(line: int) -> Array[_Diagnostic]:
	var found: Array[_Diagnostic] = []
	var marks: Variant = get_line_gutter_metadata(line, _gutter) if line < get_line_count() else null
	if marks is Array:
		found.assign(marks)
	return found


## The order of the text.
func findings() -> Array[_Diagnostic]:
	var found: Array[_Diagnostic] = []
	for line: int in get_line_count() if _has_marks else 0:
		found.append_array(findings_in(line))
	return found


## Leads to the next finding, or with -1 to the one before; behind the last is the first.
func go_to_finding(step: int) -> void:
	var lines: PackedInt32Array = []
	var all: Array[_Diagnostic] = []
	for line: int in get_line_count():
		for found: _Diagnostic in findings_in(line):
			lines.append(line)
			all.append(found)
	if all.is_empty():
		return
	var index := all.find(finding) + step
	if finding == null:
		var after := lines.bsearch(get_caret_line())
		index = after if step > 0 else after - 1
	index = posmod(index, all.size())
	place_caret(lines[index] + first_line, all[index].column)
	_set_finding(all[index])


## `line` and `column` count from 1.
func place_caret(line: int, column: int) -> void:
	remove_secondary_carets()
	deselect()
	set_caret_line(clampi(line - first_line, 0, get_line_count() - 1))
	set_caret_column(maxi(column - 1, 0))
	center_viewport_to_caret()
	# Only with its size does it know its visible part, and its containers give it one step by step.
	for frame: int in 2:
		await get_tree().process_frame
		if not is_inside_tree():
			return
		center_viewport_to_caret()


## The finding below the mouse.
func _get_tooltip(at: Vector2) -> String:
	var messages: PackedStringArray = []
	for found: _Diagnostic in findings_in(get_line_column_at_pos(at).y):
		messages.append("%s: %s" % [found.code, found.details()] if not found.code.is_empty() else found.details())
	return "\n".join(messages)


func _mark(line: int, found: _Diagnostic) -> void:
	var marks := findings_in(line)
	marks.append(found)
	set_line_gutter_metadata(line, _gutter, marks)
	var worst := _SEVERITIES.size() - 1
	for mark: _Diagnostic in marks:
		worst = mini(worst, maxi(_SEVERITIES.find(mark.severity), 0))
	var severity := _SEVERITIES[worst]
	var color := get_theme_color(_COLORS[severity], &"Editor")
	set_line_gutter_icon(line, _gutter, get_theme_icon(_ICONS[severity], &"EditorIcons"))
	set_line_gutter_clickable(line, _gutter, true)
	set_line_background_color(line, Color(color, _TINT))


func _clear_marks() -> void:
	for line: int in get_line_count() if _has_marks else 0:
		if get_line_gutter_metadata(line, _gutter) != null:
			set_line_gutter_metadata(line, _gutter, null)
			set_line_gutter_icon(line, _gutter, null)
			set_line_gutter_clickable(line, _gutter, false)
			set_line_background_color(line, _NO_COLOR)
	_has_marks = false


func _draw_numbers() -> void:
	var font := get_theme_font(&"font")
	var last := str(first_line + get_line_count())
	set_gutter_width(_numbers_gutter, int(font.get_string_size(last + "  ", HORIZONTAL_ALIGNMENT_LEFT, -1, get_theme_font_size(&"font_size")).x))
	for line: int in get_line_count():
		set_line_gutter_text(line, _numbers_gutter, str(first_line + line))
		set_line_gutter_item_color(line, _numbers_gutter, get_theme_color(&"line_number_color"))


func _set_finding(found: _Diagnostic) -> void:
	if finding != found:
		finding = found
		finding_changed.emit(found)


func _show_finding_at_caret() -> void:
	var here := findings_in(get_caret_line())
	if finding not in here:
		_set_finding(here[0] if not here.is_empty() else null)


func _on_caret_changed() -> void:
	_show_finding_at_caret()


func _on_gutter_clicked(line: int, _clicked: int) -> void:
	if not findings_in(line).is_empty():
		set_caret_line(line)
		_set_finding(findings_in(line)[0])
