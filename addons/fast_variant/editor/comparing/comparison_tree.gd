@tool
extends Tree
## The differences between a file and the last commit: the nodes that differ, with their parents, and below each its differences;
## then the changes outside nodes.

signal change_chosen(change: _Change)
## By double click or Enter. The property, or nothing.
signal change_opened(change: _Change, property: String)
## By the right button, or the menu key, at a place of the tree.
signal menu_asked(at: Vector2)

const _Change := preload("comparison_change.gd")
const _Comparison := preload("comparison.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Words := preload("../shared/words.gd")

## The row of a change means the whole change, or a part of a value, instead of one of its entries.
const ALL := -1
const PART := -2

enum _Column { NAME, OLD, NEW }

const _MAX_TOOLTIP := 1000
const _SWATCH := 12
const _COLORS: Dictionary[String, StringName] = {
	"added": &"success_color", "removed": &"error_color", "changed": &"warning_color",
}

## By the path of the node.
var _rows: Dictionary[String, TreeItem] = {}
## White: the rows colour it.
var _swatch: Texture2D


func _init() -> void:
	var image := Image.create_empty(_SWATCH, _SWATCH, false, Image.FORMAT_L8)
	image.fill(Color.WHITE)
	_swatch = ImageTexture.create_from_image(image)
	hide_root = true
	columns = _Column.size()
	select_mode = Tree.SELECT_ROW
	size_flags_vertical = Control.SIZE_EXPAND_FILL
	column_titles_visible = true
	for column: _Column in [_Column.NAME, _Column.OLD, _Column.NEW]:
		set_column_title(column, ["What", "Last commit", "Now"][column])
		set_column_title_alignment(column, HORIZONTAL_ALIGNMENT_LEFT)
		set_column_clip_content(column, true)
		set_column_expand_ratio(column, 2)
	allow_rmb_select = true
	item_selected.connect(_on_item_selected)
	item_mouse_selected.connect(_on_item_mouse_selected)
	gui_input.connect(_on_gui_input)
	item_activated.connect(_on_item_activated)


func show_comparison(comparison: _Comparison) -> void:
	clear()
	_rows.clear()
	var root := create_item()
	_add_nodes(root, comparison)
	var groups: Dictionary[String, TreeItem] = {}
	for change: _Change in comparison.changes:
		if change.kind != "node":
			if not groups.has(change.kind):
				groups[change.kind] = create_item(root)
				groups[change.kind].set_text(_Column.NAME, _Change.GROUPS.get(change.kind, change.kind))
				groups[change.kind].set_selectable(_Column.NAME, true)
			_add_change(groups[change.kind], change, change.shown_name)
	if root.get_first_child() != null:
		root.get_first_child().select(_Column.NAME)


## Returns whether it has a row.
func select_node(node_path: String) -> bool:
	if not _rows.has(node_path):
		return false
	_rows[node_path].select(_Column.NAME)
	scroll_to_item(_rows[node_path])
	return true


## The change of the row that is selected; null if it is of none.
func selected_change() -> _Change:
	var chosen := _chosen()
	return chosen[0] if not chosen.is_empty() else null


## The number of the selected row's entry, or `ALL` or `PART`.
func selected_entry() -> int:
	var chosen := _chosen()
	return chosen[2] if not chosen.is_empty() else ALL


## The rows as text, for tests.
func shown() -> PackedStringArray:
	var lines: PackedStringArray = []
	var item := get_root().get_next_in_tree() if get_root() != null else null
	while item != null:
		var depth := 0
		var above := item.get_parent()
		while above != get_root():
			depth += 1
			above = above.get_parent()
		lines.append("%s%s | %s | %s" % ["  ".repeat(depth), item.get_text(0), item.get_text(1), item.get_text(2)])
		item = item.get_next_in_tree()
	return lines


## Rows are made for the differences and their parents, in one pass over the tree.
func _add_nodes(root: TreeItem, comparison: _Comparison) -> void:
	# The nodes above the one that is looked at, and their rows; null until there is need for one.
	var names: Array[_Comparison._ComparedNode] = []
	var rows: Array[TreeItem] = []
	for node: _Comparison._ComparedNode in comparison.tree:
		names.resize(node.depth)
		rows.resize(node.depth)
		if node.change != null:
			var parent := root
			for depth: int in node.depth:
				if rows[depth] == null:
					rows[depth] = create_item(parent)
					_name_row(rows[depth], names[depth].name, names[depth].type_name)
				parent = rows[depth]
			rows.append(_add_change(parent, node.change, node.name))
			if node.change.state != "removed":
				_rows[node.change.name] = rows[node.depth]
		else:
			rows.append(null)
		names.append(node)


func _add_change(parent: TreeItem, change: _Change, name_of_row: String) -> TreeItem:
	var item := create_item(parent)
	_name_row(item, name_of_row, change.type_name if change.kind == "node" else "")
	item.set_text(_Column.OLD if change.state == "removed" else _Column.NEW, _Words.in_a_row(change.what()))
	item.set_custom_color(_Column.NAME, get_theme_color(_COLORS[change.state], &"Editor"))
	item.set_metadata(_Column.NAME, [change, "", ALL])
	for index: int in change.entries.size():
		_add_entry(item, change, change.entries[index], change.entries[index].name, index)
	# An added or removed entry has all its properties below it.
	item.set_collapsed(change.state != "changed")
	return item


func _add_entry(parent: TreeItem, change: _Change, entry: _Change._Entry, property: String, number: int) -> void:
	var item := create_item(parent)
	_name_row(item, entry.shown_name, "")
	item.set_metadata(_Column.NAME, [change, property, number])
	_show_value(item, _Column.OLD, entry.old)
	if entry.summary.is_empty():
		_show_value(item, _Column.NEW, entry.new)
	else:
		var column: _Column = _Column.OLD if entry.new == null else _Column.NEW
		item.set_text(_Column.OLD, "")
		item.set_text(column, _Words.in_a_row(entry.summary))
	for part: _Change._Entry in entry.parts:
		_add_entry(item, change, part, property, PART)
	item.set_collapsed(entry.parts.size() > 20)


## With a swatch, if it is a colour.
func _show_value(item: TreeItem, column: _Column, value: Variant) -> void:
	if not value is String:
		return
	var text: String = value
	item.set_text(column, _Words.in_a_row(text))
	item.set_tooltip_text(column, text.left(_MAX_TOOLTIP))
	var color: Variant = str_to_var(text) if text.begins_with("Color(") else null
	if color is Color:
		item.set_icon(column, _swatch)
		item.set_icon_modulate(column, color)


func _name_row(item: TreeItem, name_of_row: String, type_name: String) -> void:
	item.set_text(_Column.NAME, _Words.in_a_row(name_of_row))
	var tooltip := "%s (%s)" % [name_of_row, type_name] if not type_name.is_empty() else name_of_row
	item.set_tooltip_text(_Column.NAME, tooltip.left(_MAX_TOOLTIP))
	if type_name.is_empty():
		return
	var icon := StringName("InstanceOptions" if _SceneFiles.is_scene(type_name) else type_name)
	if not has_theme_icon(icon, &"EditorIcons"):
		icon = &"Node"
	item.set_icon(_Column.NAME, get_theme_icon(icon, &"EditorIcons"))


## The change, the property and the number of the entry of the selected row. Empty if the row shows no change.
func _chosen() -> Array:
	var chosen: Variant = get_selected().get_metadata(_Column.NAME) if get_selected() != null else null
	return chosen if chosen is Array else []


func _on_item_selected() -> void:
	if not _chosen().is_empty():
		change_chosen.emit(selected_change())


func _on_item_activated() -> void:
	var chosen := _chosen()
	if not chosen.is_empty():
		change_opened.emit(chosen[0], chosen[1])


func _on_item_mouse_selected(at: Vector2, button: MouseButton) -> void:
	if button == MOUSE_BUTTON_RIGHT and selected_change() != null:
		menu_asked.emit(at)


func _on_gui_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_menu") and selected_change() != null:
		var row := get_item_area_rect(get_selected(), _Column.NAME)
		menu_asked.emit(Vector2(row.position.x, row.end.y) - get_scroll())
		accept_event()
