@tool
extends Tree
## Files that nothing uses, with check boxes, and below them files that may be used, with the reasons.

signal file_opened(path: String, line: int)
signal choice_changed

const _Refactoring := preload("refactoring.gd")
const _RefactoringPlace := preload("refactoring_place.gd")
const _Words := preload("../shared/words.gd")

enum _Column { PATH, SIZE, ABOUT }

## The rows with a box, by path.
var _rows: Dictionary[String, TreeItem] = {}
var _sizes: Dictionary[String, int] = {}
## The box for all; null if nothing is unused.
var _all: TreeItem


func _init() -> void:
	hide_root = true
	columns = _Column.size()
	select_mode = Tree.SELECT_ROW
	size_flags_vertical = Control.SIZE_EXPAND_FILL
	for column: _Column in [_Column.PATH, _Column.ABOUT]:
		set_column_clip_content(column, true)
		set_column_expand_ratio(column, 3 if column == _Column.PATH else 2)
	set_column_expand(_Column.SIZE, false)
	item_activated.connect(_on_item_activated)
	item_edited.connect(_on_item_edited)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		set_column_custom_minimum_width(_Column.SIZE, int(90 * EditorInterface.get_editor_scale()))


## Nothing is checked at first.
func show_unused(found: _Refactoring) -> void:
	forget()
	var root := create_item()
	if not found.unused.is_empty():
		_add_unused(root, found.unused)
	if not found.kept.is_empty():
		_add_kept(root, found.kept)
	if not found.doubts.is_empty():
		_add_notes(root, "Doubts", "These names may refer to files. Such files can count as used, or as unused, by mistake.", found.doubts)


## At the top, remaining files that name removed ones.
func warn(doubts: Array[_RefactoringPlace]) -> void:
	var group := _add_notes(get_root(), "Stay, and name what goes", "They may miss it when they are loaded.", doubts)
	group.move_before(get_root().get_first_child())
	scroll_to_item(group)


func forget() -> void:
	clear()
	_rows.clear()
	_sizes.clear()
	_all = null


func has_unused() -> bool:
	return _all != null


func chosen() -> PackedStringArray:
	var paths: PackedStringArray = []
	for path: String in _rows:
		if _rows[path].is_checked(_Column.PATH):
			paths.append(path)
	return paths


func chosen_size() -> int:
	var total := 0
	for path: String in chosen():
		total += _sizes[path]
	return total


## As a click on the box of a file.
func check_file(path: String, is_checked: bool) -> void:
	_rows[path].set_checked(_Column.PATH, is_checked)
	_tick_all()
	choice_changed.emit()


func _add_unused(root: TreeItem, files: Array[_Refactoring._UnusedFile]) -> void:
	var total := 0
	_all = _add_box(root, _Words.counted(files.size(), "%d file that nothing uses", "%d files that nothing uses"))
	for file: _Refactoring._UnusedFile in files:
		var item := _add_box(_all, file.path.trim_prefix("res://"))
		_fill(item, file, file.kind)
		_rows[file.path] = item
		_sizes[file.path] = file.size
		total += file.size
	_show_size(_all, total)


func _add_kept(root: TreeItem, files: Array[_Refactoring._UnusedFile]) -> void:
	var group := create_item(root)
	group.set_text(_Column.PATH, _Words.counted(files.size(), "%d file that may be used", "%d files that may be used"))
	group.set_text(_Column.ABOUT, "They stay.")
	group.set_icon(_Column.PATH, _icon(&"StatusWarning"))
	group.collapsed = has_unused()
	for file: _Refactoring._UnusedFile in files:
		var item := create_item(group)
		item.set_text(_Column.PATH, file.path.trim_prefix("res://"))
		_fill(item, file, file.reason)


func _add_notes(root: TreeItem, title: String, about: String, places: Array[_RefactoringPlace]) -> TreeItem:
	var group := create_item(root)
	group.set_text(_Column.PATH, title)
	group.set_text(_Column.ABOUT, about)
	group.set_tooltip_text(_Column.ABOUT, about)
	group.set_icon(_Column.PATH, _icon(&"StatusWarning"))
	for place: _RefactoringPlace in places:
		var item := create_item(group)
		item.set_text(_Column.PATH, "%s:%d" % [place.path.trim_prefix("res://"), place.line])
		item.set_text(_Column.ABOUT, place.what)
		item.set_tooltip_text(_Column.ABOUT, place.what)
		item.set_metadata(_Column.PATH, [place.path, place.line])
	return group


## To be done first: it clears the cell.
func _add_box(parent: TreeItem, text: String) -> TreeItem:
	var item := create_item(parent)
	item.set_cell_mode(_Column.PATH, TreeItem.CELL_MODE_CHECK)
	item.set_editable(_Column.PATH, true)
	item.set_text(_Column.PATH, text)
	return item


func _fill(item: TreeItem, file: _Refactoring._UnusedFile, about: String) -> void:
	item.set_tooltip_text(_Column.PATH, file.path)
	item.set_text(_Column.ABOUT, about)
	item.set_tooltip_text(_Column.ABOUT, about)
	item.set_metadata(_Column.PATH, [file.path, 1])
	_show_size(item, file.size)


func _show_size(item: TreeItem, size_in_bytes: int) -> void:
	item.set_text(_Column.SIZE, String.humanize_size(size_in_bytes))
	item.set_text_alignment(_Column.SIZE, HORIZONTAL_ALIGNMENT_RIGHT)


func _tick_all() -> void:
	var count := chosen().size()
	_all.set_checked(_Column.PATH, count == _rows.size())
	_all.set_indeterminate(_Column.PATH, count > 0 and count < _rows.size())


func _on_item_edited() -> void:
	if get_edited() == _all:
		var is_on := _all.is_checked(_Column.PATH)
		for path: String in _rows:
			_rows[path].set_checked(_Column.PATH, is_on)
	_tick_all()
	choice_changed.emit()


func _on_item_activated() -> void:
	var place: Variant = get_selected().get_metadata(_Column.PATH)
	if place is Array:
		file_opened.emit(place[0], place[1])


func _icon(name_of_icon: StringName) -> Texture2D:
	return EditorInterface.get_editor_theme().get_icon(name_of_icon, &"EditorIcons")
