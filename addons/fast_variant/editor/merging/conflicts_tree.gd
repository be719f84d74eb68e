@tool
extends Tree
## The conflicts of a file, each with the choice made for it.

## Another one is selected.
signal conflict_chosen(conflict: _Conflict)
signal conflict_opened(conflict: _Conflict)
## By a key: a side, `Conflict.BY_HAND`, or nothing to leave it.
signal choice_made(choice: String)

const _Conflict := preload("conflict.gd")
const _Words := preload("../shared/words.gd")

enum _Column { PLACE, SUBJECT, CHOICE }

const CHOICES: Dictionary[String, String] = {
	"": "Not decided", _Conflict.BASE: "Base", _Conflict.OURS: "Ours", _Conflict.THEIRS: "Theirs",
	_Conflict.BY_HAND: "Settled by hand",
}
const _KEYS: Dictionary[Key, String] = {
	KEY_B: _Conflict.BASE, KEY_O: _Conflict.OURS, KEY_T: _Conflict.THEIRS, KEY_H: _Conflict.BY_HAND, KEY_DELETE: "",
	KEY_BACKSPACE: "",
}

const _MAX_TOOLTIP := 1000

var _rows: Dictionary[int, TreeItem] = {}


func _init() -> void:
	hide_root = true
	columns = _Column.size()
	select_mode = Tree.SELECT_ROW
	# Letters choose sides.
	allow_search = false
	size_flags_vertical = Control.SIZE_EXPAND_FILL
	column_titles_visible = true
	for column: _Column in [_Column.PLACE, _Column.SUBJECT, _Column.CHOICE]:
		set_column_title(column, ["Where", "What", "Taken"][column])
		set_column_title_alignment(column, HORIZONTAL_ALIGNMENT_LEFT)
		set_column_clip_content(column, true)
	set_column_expand_ratio(_Column.PLACE, 3)
	set_column_expand_ratio(_Column.SUBJECT, 3)
	set_column_expand_ratio(_Column.CHOICE, 2)
	item_selected.connect(func() -> void: conflict_chosen.emit(selected()))
	item_activated.connect(func() -> void: conflict_opened.emit(selected()))


func show_conflicts(conflicts: Array[_Conflict]) -> void:
	clear()
	_rows.clear()
	var root := create_item()
	for conflict: _Conflict in conflicts:
		var item := create_item(root)
		item.set_text(_Column.PLACE, _Words.in_a_row(conflict.row_place()))
		item.set_tooltip_text(_Column.PLACE, conflict.place.left(_MAX_TOOLTIP))
		item.set_text(_Column.SUBJECT, _Words.in_a_row(conflict.subject()))
		item.set_tooltip_text(_Column.SUBJECT, conflict.what.left(_MAX_TOOLTIP))
		item.set_metadata(_Column.PLACE, conflict)
		_rows[conflict.number] = item


func selected() -> _Conflict:
	return get_selected().get_metadata(_Column.PLACE) if get_selected() != null else null


func select_conflict(number: int) -> void:
	if _rows.has(number):
		_rows[number].select(_Column.PLACE)
		scroll_to_item(_rows[number])


func show_choice(number: int, choice: String) -> void:
	var item := _rows[number]
	item.set_text(_Column.CHOICE, CHOICES[choice])
	if choice.is_empty():
		item.set_custom_color(_Column.CHOICE, get_theme_color(&"font_disabled_color", &"Editor"))
	else:
		item.clear_custom_color(_Column.CHOICE)


func _gui_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.get_modifiers_mask() != 0 or not _KEYS.has(key.keycode):
		return
	accept_event()
	choice_made.emit(_KEYS[key.keycode])
