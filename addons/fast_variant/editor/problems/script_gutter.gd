@tool
extends Control
## The gutter of an open script with what the linter found at its lines. A mark moves with its line while the user types, and what
## is typed is checked a moment later.
##
## This node covers the gutter, because the script editor has tooltips for the words of the text only.

## A mark was clicked.
signal pressed(diagnostic: _Diagnostic)

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Query := preload("problems_query.gd")
const _Rows := preload("problems_rows.gd")
const _Settings := preload("../settings/settings.gd")
const _TextCheck := preload("../text/text_check.gd")

const _GUTTER := "fast_variant_findings"
const _Self := preload("script_gutter.gd")

var _check: _TextCheck
var _edit: CodeEdit
var _path := ""
## What was found in the file, and what is marked.
var _of_file: Array[_Diagnostic] = []
var _marked: Array[_Diagnostic] = []


## Returns the node of an editor; null without one.
static func of(edit: CodeEdit) -> Control:
	for child: Node in edit.get_children():
		if child is _Self and not child.is_queued_for_deletion():
			return child
	return null


func _init(edit: CodeEdit) -> void:
	_edit = edit
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	# The text below gets what the mouse does.
	mouse_filter = Control.MOUSE_FILTER_PASS
	_check = _TextCheck.new(edit)
	_check.checked.connect(_mark_all)
	add_child(_check)


func _ready() -> void:
	_edit.draw.connect(_follow_gutter)
	_edit.gutter_clicked.connect(_on_gutter_clicked)
	_edit.text_changed.connect(_on_text_changed)
	# Deferred: only then it is known whether the new text is that of the file.
	_edit.text_set.connect(_on_text_set, CONNECT_DEFERRED)
	theme_changed.connect(_on_theme_changed)


## Takes the gutter away, too.
func remove() -> void:
	_check.stop()
	_clear()
	var index := _index()
	# Godot 4.6 refuses to remove a gutter from a text with fewer lines than gutters (`TextEdit::Text::remove_gutter`).
	if index >= _edit.get_line_count():
		_edit.set_gutter_draw(index, false)
	elif index >= 0:
		_edit.remove_gutter(index)
	queue_free()


## Marks what was found in the file. While the editor holds another text, that is checked instead.
func show_findings(path: String, found: Array[_Diagnostic]) -> void:
	_path = path
	_of_file = found
	if _is_edited():
		_check_soon()
	elif found != _marked:
		_check.stop()
		_mark_all(found)


## What was found in a line, counted from 0.
func findings_in(line: int) -> Array[_Diagnostic]:
	var found: Array[_Diagnostic] = []
	var marks: Variant = null
	if line >= 0 and line < _edit.get_line_count() and _index() >= 0:
		marks = _edit.get_line_gutter_metadata(line, _index())
	if marks is Array:
		found.assign(marks)
	return found


func _get_tooltip(at: Vector2) -> String:
	var lines: PackedStringArray = []
	# Lines below the text have no findings.
	for found: _Diagnostic in findings_in(_edit.get_line_column_at_pos(Vector2i(position + at), false).y):
		lines.append("%s: %s" % [found.code, found.details()])
	return "\n".join(lines)


## -1 while nothing was found.
func _index() -> int:
	for index: int in _edit.get_gutter_count():
		if _edit.get_gutter_name(index) == _GUTTER:
			return index
	return -1


## Once it is there, it stays: the text would move sideways with each mark that comes and goes.
func _make_gutter() -> void:
	if _index() < 0:
		# The last one, as the script editor knows its own by their numbers.
		_edit.add_gutter()
		_edit.set_gutter_name(_edit.get_gutter_count() - 1, _GUTTER)
		_edit.set_gutter_type(_index(), TextEdit.GUTTER_TYPE_ICON)
		_edit.set_gutter_overwritable(_index(), true)
	_edit.set_gutter_draw(_index(), true)
	_edit.set_gutter_width(_index(), _edit.get_line_height())


func _is_edited() -> bool:
	return _edit.get_version() != _edit.get_saved_version()


func _check_soon() -> void:
	if _Settings.is_on(_Settings.CHECK_PROJECT):
		_check.check_soon(_path)


func _mark_all(found: Array[_Diagnostic]) -> void:
	_clear()
	_marked = found
	if not found.is_empty():
		_make_gutter()
	for each: _Diagnostic in found:
		if each.line <= _edit.get_line_count():
			_mark(each.line - 1, each)


func _mark(line: int, found: _Diagnostic) -> void:
	var marks := findings_in(line)
	marks.append(found)
	_edit.set_line_gutter_metadata(line, _index(), marks)
	_edit.set_line_gutter_clickable(line, _index(), true)
	_show_icon(line)


func _show_icon(line: int) -> void:
	var worst := _Query.SEVERITIES.size() - 1
	for found: _Diagnostic in findings_in(line):
		worst = mini(worst, maxi(_Query.SEVERITIES.find(found.severity), 0))
	var icon := _Rows.SEVERITY_ICONS[_Query.SEVERITIES[worst]]
	_edit.set_line_gutter_icon(line, _index(), EditorInterface.get_editor_theme().get_icon(icon, &"EditorIcons"))


func _clear() -> void:
	var index := _index()
	for line: int in _edit.get_line_count() if index >= 0 and not _marked.is_empty() else 0:
		if _edit.get_line_gutter_metadata(line, index) != null:
			_edit.set_line_gutter_metadata(line, index, null)
			_edit.set_line_gutter_icon(line, index, null)
			_edit.set_line_gutter_clickable(line, index, false)
	_marked = []


## The gutters before it may have another width now.
func _follow_gutter() -> void:
	var start := _edit.get_theme_stylebox(&"normal").get_margin(SIDE_LEFT)
	var width := 0
	for index: int in _edit.get_gutter_count():
		width = _edit.get_gutter_width(index) if _edit.is_gutter_drawn(index) else 0
		if _edit.get_gutter_name(index) == _GUTTER:
			break
		start += width
		width = 0
	position = Vector2(start, 0)
	size = Vector2(width, _edit.size.y)


func _on_gutter_clicked(line: int, gutter: int) -> void:
	var found := findings_in(line)
	if gutter == _index() and not found.is_empty():
		pressed.emit(found[0])


func _on_text_changed() -> void:
	_check_soon()


## Marks of the text before are gone with it.
func _on_text_set() -> void:
	_clear()
	show_findings(_path, _of_file)


func _on_theme_changed() -> void:
	for line: int in _edit.get_line_count() if not _marked.is_empty() else 0:
		if not findings_in(line).is_empty():
			_show_icon(line)
