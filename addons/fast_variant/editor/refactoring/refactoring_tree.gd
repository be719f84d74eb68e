@tool
extends Tree
## The places of a refactoring by file, and before them the places to look at, both with check boxes.

signal place_chosen(place: _RefactoringPlace)
signal place_opened(place: _RefactoringPlace)
signal choice_changed

const _Refactoring := preload("refactoring.gd")
const _RefactoringPlace := preload("refactoring_place.gd")
const _Words := preload("../shared/words.gd")

## More rows would not help; changes without a row are made, too.
const _MAX_ROWS := 2000
## The part of a line that is shown before the change in it.
const _LEAD := 20

## The check boxes, by the number of the place.
var _rows: Dictionary[int, TreeItem] = {}
## The same of the doubts that can change.
var _doubt_rows: Dictionary[int, TreeItem] = {}


func _init() -> void:
	hide_root = true
	columns = 2
	select_mode = Tree.SELECT_ROW
	size_flags_vertical = Control.SIZE_EXPAND_FILL
	set_column_clip_content(0, true)
	set_column_clip_content(1, true)
	item_selected.connect(_on_item_selected)
	item_activated.connect(_on_item_activated)
	item_edited.connect(_on_item_edited)


func show_refactoring(refactoring: _Refactoring) -> void:
	clear()
	_rows.clear()
	_doubt_rows.clear()
	var root := create_item()
	_add_doubts(root, refactoring.doubts)
	_add_moves(root, refactoring)
	_add_new_files(root, refactoring)
	var file: TreeItem = null
	for index: int in mini(refactoring.places.size(), _MAX_ROWS):
		var place := refactoring.places[index]
		if file == null or file.get_metadata(0) != place.path:
			file = _add_file(root, place.path)
		_rows[index] = _add_place(file, place)
		file.set_text(1, _Words.counted(file.get_child_count(), "%d place", "%d places"))
	for item: TreeItem in root.get_children():
		_tick(item)
	if refactoring.places.size() > _MAX_ROWS:
		create_item(root).set_text(0, "%d more places" % (refactoring.places.size() - _MAX_ROWS))


## The numbers of the unchecked places.
func left_out() -> PackedInt32Array:
	var numbers: PackedInt32Array = []
	for index: int in _rows:
		if _rows[index].get_cell_mode(0) == TreeItem.CELL_MODE_CHECK and not _rows[index].is_checked(0):
			numbers.append(index)
	return numbers


## The numbers of the checked doubts.
func taken_in() -> PackedInt32Array:
	var numbers: PackedInt32Array = []
	for number: int in _doubt_rows:
		if _doubt_rows[number].is_checked(0):
			numbers.append(number)
	return numbers


## As a click on the box of the doubt with this number.
func check_doubt(number: int, is_checked: bool) -> void:
	_doubt_rows[number].set_checked(0, is_checked)
	_tick(_doubt_rows[number].get_parent())
	choice_changed.emit()


## As a click on the box of the place with this number.
func check_place(index: int, is_checked: bool) -> void:
	_rows[index].set_checked(0, is_checked)
	_tick(_rows[index].get_parent())
	choice_changed.emit()


func _add_doubts(root: TreeItem, doubts: Array[_RefactoringPlace]) -> void:
	if doubts.is_empty():
		return
	var group := create_item(root)
	if doubts.any(func(doubt: _RefactoringPlace) -> bool: return not doubt.after.is_empty()):
		_make_box(group)
	group.set_text(0, _Words.counted(doubts.size(), "%d place to look at", "%d places to look at"))
	group.set_text(1, "The files do not show what these places mean. Unchecked ones stay as they are.")
	group.set_icon(0, _icon(&"StatusWarning"))
	for doubt: _RefactoringPlace in doubts.slice(0, _MAX_ROWS):
		var item := create_item(group)
		if not doubt.after.is_empty():
			_make_box(item)
			_doubt_rows[doubt.number] = item
		item.set_text(0, "%s:%d: %s" % [doubt.path.trim_prefix("res://"), doubt.line, doubt.what])
		item.set_text(1, doubt.shortened(doubt.before, _LEAD) if not doubt.before.is_empty() else doubt.what)
		item.set_tooltip_text(0, "%s:%d\n%s" % [doubt.path, doubt.line, doubt.what])
		item.set_tooltip_text(1, doubt.before)
		item.set_metadata(0, doubt)


func _add_moves(root: TreeItem, refactoring: _Refactoring) -> void:
	for old: String in refactoring.moves:
		var item := create_item(root)
		item.set_text(0, old.trim_prefix("res://"))
		item.set_text(1, "moves to %s" % refactoring.moves[old])
		item.set_icon(0, _icon(&"ArrowRight"))


func _add_new_files(root: TreeItem, refactoring: _Refactoring) -> void:
	for path: String in refactoring.new_files():
		var item := create_item(root)
		item.set_text(0, path.trim_prefix("res://"))
		item.set_text(1, "a new file")
		item.set_icon(0, _icon(&"New"))


func _add_file(root: TreeItem, path: String) -> TreeItem:
	var item := create_item(root)
	item.set_metadata(0, path)
	_label(item, path, false)
	return item


func _add_place(file: TreeItem, place: _RefactoringPlace) -> TreeItem:
	var item := create_item(file)
	if place.is_optional:
		_make_box(item)
		item.set_checked(0, true)
		if file.get_cell_mode(0) != TreeItem.CELL_MODE_CHECK:
			_label(file, place.path, true)
	item.set_text(0, "%d: %s" % [place.line, place.what])
	# An insertion has no text before.
	var line := place.before if not place.before.is_empty() else place.after
	item.set_text(1, place.shortened(line, _LEAD))
	item.set_tooltip_text(0, place.what)
	item.set_tooltip_text(1, line)
	item.set_metadata(0, place)
	return item


func _label(file: TreeItem, path: String, has_box: bool) -> void:
	if has_box:
		_make_box(file)
	file.set_text(0, path.trim_prefix("res://"))
	file.set_tooltip_text(0, path)


## To be done first: it clears the cell.
func _make_box(item: TreeItem) -> void:
	item.set_cell_mode(0, TreeItem.CELL_MODE_CHECK)
	item.set_editable(0, true)


## The box of a file or group follows those of its places.
func _tick(file: TreeItem) -> void:
	var on := 0
	var all := 0
	for item: TreeItem in file.get_children():
		if item.get_cell_mode(0) == TreeItem.CELL_MODE_CHECK:
			all += 1
			on += int(item.is_checked(0))
	if all > 0:
		file.set_checked(0, on == all)
		file.set_indeterminate(0, on > 0 and on < all)


func _on_item_edited() -> void:
	var item := get_edited()
	var is_group := item.get_metadata(0) is not _RefactoringPlace
	if is_group:
		var is_on := item.is_checked(0)
		for place: TreeItem in item.get_children():
			if place.get_cell_mode(0) == TreeItem.CELL_MODE_CHECK:
				place.set_checked(0, is_on)
	_tick(item if is_group else item.get_parent())
	choice_changed.emit()


func _on_item_selected() -> void:
	var place: Variant = get_selected().get_metadata(0)
	place_chosen.emit(place if place is _RefactoringPlace else null)


func _on_item_activated() -> void:
	var place: Variant = get_selected().get_metadata(0)
	if place is _RefactoringPlace:
		place_opened.emit(place)


func _icon(name_of_icon: StringName) -> Texture2D:
	return EditorInterface.get_editor_theme().get_icon(name_of_icon, &"EditorIcons")
