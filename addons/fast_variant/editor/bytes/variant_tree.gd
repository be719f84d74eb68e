@tool
extends Tree
## The rows of a listing of encoded bytes, and the texts to copy from them.

## The row that the user chose.
signal row_selected(row: _VariantListing._Row)
signal said(text: String, is_error: bool)

enum _Column { CONTENT, OFFSET }
enum _Action { COPY_ROW, COPY_GDSCRIPT, COPY_JSON, COPY_HEX }

const _VariantListing := preload("variant_listing.gd")

const _CODEC := &"FastVariant"
const _TITLES: Dictionary[_Action, String] = {
	_Action.COPY_ROW: "Copy Row",
	_Action.COPY_GDSCRIPT: "Copy Value as GDScript",
	_Action.COPY_JSON: "Copy Value as JSON",
	_Action.COPY_HEX: "Copy Bytes as Hex",
}
## Values above this are not copied, and above that have no tooltip of their own, in bytes.
const _MAX_COPIED := 16 << 20
const _MAX_TOOLTIP := 1 << 16
## In characters.
const _TOOLTIP_LENGTH := 2000
## The mark of a value that the listing has cut.
const _CUT := "…"

var dialect := 0
var _bytes: PackedByteArray
var _items: Array[TreeItem] = []
var _menu := PopupMenu.new()


func _init() -> void:
	columns = _Column.size()
	column_titles_visible = true
	hide_root = true
	allow_search = true
	allow_rmb_select = true
	size_flags_horizontal = Control.SIZE_EXPAND_FILL
	custom_minimum_size.x = 140 * EditorInterface.get_editor_scale()
	for column: int in columns:
		set_column_clip_content(column, true)
		set_column_title_alignment(column, HORIZONTAL_ALIGNMENT_LEFT)
	set_column_title(_Column.CONTENT, "Value")
	set_column_title(_Column.OFFSET, "Offset")
	set_column_expand(_Column.OFFSET, false)
	set_column_custom_minimum_width(_Column.OFFSET, int(100 * EditorInterface.get_editor_scale()))
	for action: _Action in _TITLES:
		_menu.add_item(_TITLES[action], action)
	_menu.set_item_tooltip(_Action.COPY_GDSCRIPT, "As var_to_str() writes it.")
	_menu.set_item_tooltip(_Action.COPY_JSON, "As JSON.from_native() makes it; JSON.to_native() reads it.")
	_menu.id_pressed.connect(_on_action)
	add_child(_menu)
	item_selected.connect(_on_item_selected)
	item_mouse_selected.connect(_on_item_mouse_selected)


func show_listing(listing: _VariantListing, bytes: PackedByteArray) -> void:
	clear()
	_items.clear()
	_bytes = bytes
	var parents: Array[TreeItem] = [create_item()]
	for row: _VariantListing._Row in listing.rows:
		parents.resize(clampi(row.level + 1, 1, parents.size()))
		var item := create_item(parents[-1])
		parents.append(item)
		_items.append(item)
		_fill(item, row)


## Selects the row with this number, and brings it into sight.
func select_row(number: int) -> void:
	if number < 0 or number >= _items.size():
		return
	var item := _items[number]
	var parent := item.get_parent()
	while parent != null and parent != get_root():
		parent.collapsed = false
		parent = parent.get_parent()
	item.select(_Column.CONTENT)
	scroll_to_item(item, true)


## The selected row; null without one.
func selected_row() -> _VariantListing._Row:
	return get_selected().get_metadata(_Column.CONTENT) if get_selected() != null else null


func run_action(action: _Action) -> void:
	var text := text_for(action)
	if not text.is_empty():
		DisplayServer.clipboard_set(text)


## The text to copy of the selected row. Empty without one, and then the reason is shown.
func text_for(action: _Action) -> String:
	var row := selected_row()
	if row == null:
		return ""
	if action == _Action.COPY_ROW:
		return row.text
	if row.end - row.start > _MAX_COPIED:
		said.emit("Not copied: the value has more than %s." % String.humanize_size(_MAX_COPIED), true)
		return ""
	if action == _Action.COPY_HEX:
		return _bytes.slice(row.start, row.end).hex_encode()
	var result := _decode(row)
	if not result.get(&"ok"):
		said.emit("Not copied: %s" % result.get(&"message"), true)
		return ""
	var value: Variant = result.get(&"value")
	return var_to_str(value) if action == _Action.COPY_GDSCRIPT else JSON.stringify(JSON.from_native(value), "\t")


## A `FastVariantResult`.
func _decode(row: _VariantListing._Row) -> RefCounted:
	var bytes := _bytes.slice(row.value_start, row.end)
	return ClassDB.class_call_static(_CODEC, &"try_decode", bytes, {"dialect": dialect})


func _fill(item: TreeItem, row: _VariantListing._Row) -> void:
	item.set_metadata(_Column.CONTENT, row)
	item.set_text(_Column.CONTENT, row.text)
	item.set_text(_Column.OFFSET, "%08x" % row.start)
	item.set_tooltip_text(_Column.CONTENT, _tooltip_for(row))
	if row.is_error:
		item.set_custom_color(_Column.CONTENT, get_theme_color(&"error_color", &"Editor"))


## With the whole value, if the row has only its beginning.
func _tooltip_for(row: _VariantListing._Row) -> String:
	var tooltip := row.text
	if row.is_value and row.text.contains(_CUT) and row.end - row.value_start <= _MAX_TOOLTIP:
		var result := _decode(row)
		if result.get(&"ok"):
			tooltip = var_to_str(result.get(&"value"))
	if tooltip.length() > _TOOLTIP_LENGTH:
		tooltip = tooltip.left(_TOOLTIP_LENGTH) + _CUT
	return tooltip if row.key.is_empty() else "%s\nKey: %s" % [tooltip, row.key]


func _gui_input(event: InputEvent) -> void:
	if get_selected() == null:
		return
	if event.is_action_pressed(&"ui_copy"):
		run_action(_Action.COPY_ROW)
		accept_event()
	elif event.is_action_pressed(&"ui_menu"):
		_popup(get_item_area_rect(get_selected()).get_center() - get_scroll())
		accept_event()


func _popup(at: Vector2) -> void:
	var row := selected_row()
	for action: _Action in [_Action.COPY_GDSCRIPT, _Action.COPY_JSON]:
		_menu.set_item_disabled(_menu.get_item_index(action), row == null or not row.is_value)
	_menu.popup(Rect2i(Vector2i(get_screen_position() + at), Vector2i.ZERO))


func _on_item_selected() -> void:
	row_selected.emit(selected_row())


func _on_item_mouse_selected(at: Vector2, button: int) -> void:
	if button == MOUSE_BUTTON_RIGHT:
		_popup(at)


func _on_action(id: int) -> void:
	run_action(id as _Action)
