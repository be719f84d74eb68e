@tool
extends Tree
## The problems, in groups. Further rows are made when the user scrolls to them, and rows of folded groups when they are unfolded. A
## `Tree` lays out all its rows, visible or not, and again when a row is added.

signal diagnostic_opened(diagnostic: _Diagnostic)
## Its text is asked for, not its node.
signal text_opened(diagnostic: _Diagnostic)
signal file_opened(path: String)
signal loss_opened(losses: _SaveLosses, loss: _Loss)
## Without `loss`, it is about all that the save dropped.
signal loss_action_pressed(losses: _SaveLosses, loss: _Loss, action: _LossRows._Action)
signal code_pressed(code: String)
signal fix_pressed(diagnostic: _Diagnostic)
signal fix_all_pressed(diagnostics: Array[_Diagnostic])
## The user has folded or unfolded something.
signal folded_changed

const _Column := _Rows._Column
const _Diagnostic := preload("../checking/diagnostic.gd")
const _Group := preload("problems_group.gd")
const _Loss := preload("../saving/loss.gd")
const _LossRows := preload("../saving/loss_rows.gd")
const _Rows := preload("problems_rows.gd")
const _SaveLosses := preload("../saving/save_losses.gd")
const _View := preload("problems_view.gd")

## The number of rows that are made at a time.
const _ROWS_AT_A_TIME := 200
## The limit of rows that are made to select one, and of rows in an unfolded group.
const _MAX_ROWS := 2000

## Groups that the user has folded or unfolded against the rule, by key; kept while they come and go.
var folded: Dictionary[String, bool] = {}

var _rows := _Rows.new(self)
var _view: _View
var _next_group := 0
## The rows still to be made below the last group.
var _waiting: Array[RefCounted] = []
var _next_waiting := 0
var _shown := 0
## By the key of the group.
var _group_items: Dictionary[String, TreeItem] = {}
## The selection before the rows were rebuilt.
var _selected_key := ""
var _scroll_before := 0.0
## Whether the rows were rebuilt, and nothing was scrolled to since.
var _is_scroll_due := false
var _is_making := false


func _init() -> void:
	columns = _Column.COUNT
	hide_root = true
	select_mode = Tree.SELECT_ROW
	allow_rmb_select = true
	size_flags_vertical = Control.SIZE_EXPAND_FILL
	set_column_expand(_Column.PLACE, false)
	set_column_expand(_Column.CODE, false)
	item_mouse_selected.connect(_on_item_mouse_selected)
	item_activated.connect(_on_item_activated)
	item_collapsed.connect(_on_item_collapsed)
	button_clicked.connect(_on_button_clicked)


## Letters with Alt are keys of the addon. Godot would look for them in the rows, and the keys would do nothing.
func _gui_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key != null:
		allow_search = not key.alt_pressed


func _ready() -> void:
	_scroll_bar().value_changed.connect(_on_scrolled.unbind(1))


func show_view(view: _View) -> void:
	_selected_key = _key_of(get_selected()) if get_selected() != null else ""
	_scroll_before = _scroll_bar().value
	_view = view
	clear()
	create_item()
	_group_items.clear()
	_next_group = 0
	_waiting = []
	_next_waiting = 0
	var shown_before := _shown
	_shown = 0
	_rows.read_theme()
	# As many as there were, if the user has scrolled down.
	_make_rows(maxi(_ROWS_AT_A_TIME, mini(shown_before, _MAX_ROWS) if _scroll_before > 0 else 0))
	_is_scroll_due = true
	_scroll_as_before.call_deferred()


## How many rows there are, without those of saves.
func row_count() -> int:
	return _shown


## Null if none is.
func selected_diagnostic() -> _Diagnostic:
	return _what(get_selected()) as _Diagnostic


## Null if none is.
func selected_group() -> _Group:
	return _what(get_selected()) as _Group


## The selected findings, or all of the group.
func selected_diagnostics() -> Array[_Diagnostic]:
	if selected_group() != null:
		return selected_group().diagnostics
	var only: Array[_Diagnostic] = []
	if selected_diagnostic() != null:
		only.append(selected_diagnostic())
	return only


## Unfolds its groups. Returns whether it has a row.
func select_diagnostic(diagnostic: _Diagnostic) -> bool:
	for group: _Group in _view.groups:
		if diagnostic not in group.diagnostics:
			continue
		while not _is_done() and _shown < _MAX_ROWS:
			if _group_items.has(group.key) and _select_below(_group_items[group.key], diagnostic):
				return true
			_make_rows(_ROWS_AT_A_TIME)
		return _group_items.has(group.key) and _select_below(_group_items[group.key], diagnostic)
	return false


## Selects the file, or its first problem where it has no row of its own. Returns whether there is one.
func select_file(path: String) -> bool:
	for group: _Group in _view.groups:
		if group.kind != _Group._Kind.FILE or group.key != path:
			continue
		while not _group_items.has(path) and not _is_done() and _shown < _MAX_ROWS:
			_make_rows(_ROWS_AT_A_TIME)
		if _group_items.has(path):
			_select(_group_items[path])
			return true
	for diagnostic: _Diagnostic in _view.diagnostics:
		if diagnostic.path == path:
			return select_diagnostic(diagnostic)
	return false


func _is_done() -> bool:
	return _next_waiting == _waiting.size() and _next_group >= _view.groups.size()


func _make_rows(count: int) -> void:
	var end := _shown + count
	_is_making = true
	while not _is_done() and _shown < end:
		if _next_waiting < _waiting.size():
			_add_row(_last_group_item(), _waiting[_next_waiting])
			_next_waiting += 1
		else:
			_add_group(get_root(), _view.groups[_next_group])
			_next_group += 1
	_is_making = false


## The next rows are made before they are visible.
func _on_scrolled() -> void:
	var bar := _scroll_bar()
	if _view != null and not _is_done() and bar.value + 2 * bar.page >= bar.max_value:
		_make_rows(_ROWS_AT_A_TIME)


func _last_group_item() -> TreeItem:
	return _group_items[_view.groups[_next_group - 1].key]


func _add_group(parent: TreeItem, group: _Group) -> void:
	var item := create_item(parent)
	_shown += 1
	_rows.fill_group(item, group)
	_group_items[group.key] = item
	_select_again(item)
	for losses: _SaveLosses in group.losses:
		_add_losses(item, losses)
	item.collapsed = folded.get(group.key, group.is_folded_at_first())
	if item.collapsed:
		# So that it can be unfolded.
		create_item(item)
	elif parent == get_root():
		_waiting = _View.rows_of(group)
		_next_waiting = 0
	else:
		_fill_below(item, group)


func _add_losses(file: TreeItem, losses: _SaveLosses) -> void:
	var item := create_item(file)
	_LossRows.fill_losses(item, losses, self)
	for loss: _Loss in losses.losses:
		_LossRows.fill_loss(create_item(item), loss, self)


func _add_row(parent: TreeItem, row: RefCounted) -> void:
	if row is _Group:
		var group: _Group = row
		_add_group(parent, group)
		return
	var diagnostic: _Diagnostic = row
	var group_above: _Group = parent.get_metadata(_Column.MESSAGE)
	var item := create_item(parent)
	_shown += 1
	_rows.fill_diagnostic(item, diagnostic, group_above)
	_select_again(item)


## In the place of the row that only lets the group be unfolded.
func _fill_below(item: TreeItem, group: _Group) -> void:
	for child: TreeItem in item.get_children():
		if child.get_metadata(_Column.MESSAGE) == null:
			child.free()
	var rows := _View.rows_of(group)
	for row: RefCounted in rows.slice(0, _MAX_ROWS):
		_add_row(item, row)
	if rows.size() > _MAX_ROWS:
		_rows.fill_note(create_item(item), "and %d more; a filter shows them." % (rows.size() - _MAX_ROWS))


## Whether it is there for nothing but to be unfolded.
func _is_empty(item: TreeItem) -> bool:
	for child: TreeItem in item.get_children():
		if child.get_metadata(_Column.MESSAGE) == null and child.get_text(_Column.MESSAGE).is_empty():
			return true
	return false


func _select_below(item: TreeItem, diagnostic: _Diagnostic) -> bool:
	item.collapsed = false
	for child: TreeItem in item.get_children():
		var group := _what(child) as _Group
		if _what(child) == diagnostic:
			_select(child)
			return true
		if group != null and diagnostic in group.diagnostics:
			return _select_below(child, diagnostic)
	return false


## Once the rows have their places.
func _scroll_as_before() -> void:
	if _is_scroll_due:
		_is_scroll_due = false
		_scroll_bar().value = _scroll_before


func _select(item: TreeItem) -> void:
	_is_scroll_due = false
	# An existing selection is not shown again.
	deselect_all()
	item.select(_Column.MESSAGE)
	scroll_to_item(item)


func _select_again(item: TreeItem) -> void:
	if not _selected_key.is_empty() and _key_of(item) == _selected_key:
		item.select(_Column.MESSAGE)


func _key_of(item: TreeItem) -> String:
	var what := _what(item)
	if what is _Group:
		return "group " + (what as _Group).key
	return (what as _Diagnostic).describe() if what is _Diagnostic else ""


func _what(item: TreeItem) -> RefCounted:
	return item.get_metadata(_Column.MESSAGE) if item != null else null


func _scroll_bar() -> VScrollBar:
	return find_children("*", "VScrollBar", false, false)[0]


func _on_item_mouse_selected(at: Vector2, button: MouseButton) -> void:
	if button != MOUSE_BUTTON_LEFT:
		return
	var what := _what(get_selected())
	var column := get_column_at_position(at)
	if what is _Group:
		var group: _Group = what
		if column == _Column.CODE and group.kind in [_Group._Kind.RULE, _Group._Kind.EQUAL, _Group._Kind.DEPENDENTS]:
			code_pressed.emit(group.diagnostics[0].code)
		return
	var diagnostic := what as _Diagnostic
	if diagnostic != null and column == _Column.CODE:
		code_pressed.emit(diagnostic.code)
	elif diagnostic != null and (column == _Column.PLACE or Input.is_key_pressed(KEY_CTRL) or Input.is_key_pressed(KEY_META)):
		text_opened.emit(diagnostic)
	else:
		_open(get_selected())


## Double-click and Enter.
func _on_item_activated() -> void:
	_open(get_selected())


func _open(item: TreeItem) -> void:
	var what := _what(item)
	if what is _Diagnostic:
		diagnostic_opened.emit(what as _Diagnostic)
	elif what is _Loss:
		loss_opened.emit(_losses_of(item), what as _Loss)
	elif what is _SaveLosses:
		loss_action_pressed.emit(what as _SaveLosses, null, _LossRows._Action.SHOW)
	elif what is _Group:
		var group: _Group = what
		if group.kind == _Group._Kind.FILE:
			file_opened.emit(group.key)
		else:
			item.collapsed = not item.collapsed


func _on_item_collapsed(item: TreeItem) -> void:
	var group := _what(item) as _Group
	# It also comes when the rows are made.
	if group == null or _is_making:
		return
	if not item.collapsed and _is_empty(item):
		_fill_below(item, group)
	if item.collapsed == group.is_folded_at_first():
		folded.erase(group.key)
	else:
		folded[group.key] = item.collapsed
	folded_changed.emit()


## The losses of the save that a row for dropped data belongs to.
func _losses_of(item: TreeItem) -> _SaveLosses:
	return item.get_parent().get_metadata(_Column.MESSAGE)


func _on_button_clicked(item: TreeItem, _column: int, id: int, _button: int) -> void:
	var what := _what(item)
	if what is _Loss:
		loss_action_pressed.emit(_losses_of(item), what as _Loss, id as _LossRows._Action)
	elif what is _SaveLosses:
		loss_action_pressed.emit(what as _SaveLosses, null, id as _LossRows._Action)
	elif what is _Diagnostic:
		fix_pressed.emit(what as _Diagnostic)
	elif what is _Group:
		fix_all_pressed.emit((what as _Group).diagnostics)
