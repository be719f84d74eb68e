@tool
extends Tree
## The diagnostics, by file.

signal diagnostic_opened(diagnostic: Diagnostic)
signal loss_opened(path: String, loss: Loss)
signal loss_action_pressed(path: String, loss: Loss, action: LossRows.Action)
signal code_pressed(code: String)
signal fix_pressed(diagnostic: Diagnostic)
## The user has folded or unfolded a file.
signal folded_changed

enum Column { MESSAGE, PLACE, CODE, COUNT }

const Diagnostic := preload("diagnostic.gd")
const Loss := preload("loss.gd")
const LossRows := preload("loss_rows.gd")
const Problems := preload("problems.gd")
const ProblemsFilter := preload("problems_filter.gd")
const SaveLosses := preload("save_losses.gd")

## More are counted, not shown: no one reads them, and the editor would freeze.
const _MAX_SHOWN := 2000

## The files that the user has folded, kept while they come and go.
var folded: Dictionary[String, bool] = {}
var _left_out := 0
var _shown := 0


func _init() -> void:
	columns = Column.COUNT
	hide_root = true
	select_mode = Tree.SELECT_ROW
	allow_rmb_select = true
	size_flags_vertical = Control.SIZE_EXPAND_FILL
	set_column_expand(Column.PLACE, false)
	set_column_expand(Column.CODE, false)
	item_mouse_selected.connect(_on_item_mouse_selected)
	item_activated.connect(_on_item_activated)
	item_collapsed.connect(_on_item_collapsed)
	button_clicked.connect(_on_button_clicked)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		var scale_factor := EditorInterface.get_editor_scale()
		set_column_custom_minimum_width(Column.PLACE, int(80 * scale_factor))
		set_column_custom_minimum_width(Column.CODE, int(90 * scale_factor))

## Shows what `filter` lets through.
func show_problems(problems: Problems, filter: ProblemsFilter) -> void:
	var selected := selected_diagnostic()
	clear()
	_left_out = 0
	_shown = 0
	var root := create_item()
	var paths := problems.paths()
	# What a save dropped comes first.
	for path: String in paths:
		if problems.losses_of(path) != null:
			_add_file(root, path, problems.diagnostics_of(path).filter(filter.lets_through), problems.losses_of(path))
	for path: String in paths:
		var diagnostics := problems.diagnostics_of(path).filter(filter.lets_through)
		if not diagnostics.is_empty() and problems.losses_of(path) == null:
			_add_file(root, path, diagnostics, null)
	if _left_out > 0:
		create_item(root).set_text(Column.MESSAGE, "and %d more" % _left_out)
	if selected != null:
		_select_again(root, selected)

## Null if none is.
func selected_diagnostic() -> Diagnostic:
	return _diagnostic_of(get_selected()) if get_selected() != null else null

## Those that are shown.
func shown_diagnostics() -> Array[Diagnostic]:
	var diagnostics: Array[Diagnostic] = []
	var item := get_root().get_next_in_tree() if get_root() != null else null
	while item != null:
		var diagnostic := _diagnostic_of(item)
		if diagnostic != null:
			diagnostics.append(diagnostic)
		item = item.get_next_in_tree()
	return diagnostics


func _add_file(root: TreeItem, path: String, diagnostics: Array[Diagnostic], losses: SaveLosses) -> void:
	if _shown >= _MAX_SHOWN:
		_left_out += diagnostics.size()
		return
	var item := create_item(root)
	item.set_text(Column.MESSAGE, "%s (%d)" % [path, diagnostics.size()])
	item.set_icon(Column.MESSAGE, get_theme_icon(&"PackedScene", &"EditorIcons"))
	item.set_metadata(Column.MESSAGE, path)
	if losses != null:
		_add_losses(item, losses)
	for diagnostic: Diagnostic in diagnostics:
		if _shown < _MAX_SHOWN:
			_add_diagnostic(item, diagnostic)
		else:
			_left_out += 1
	item.collapsed = folded.has(path)


func _add_diagnostic(file: TreeItem, diagnostic: Diagnostic) -> void:
	_shown += 1
	var item := create_item(file)
	item.set_metadata(Column.MESSAGE, diagnostic)
	item.set_icon(Column.MESSAGE, get_theme_icon(ProblemsFilter.ICONS[diagnostic.severity], &"EditorIcons"))
	item.set_text(Column.MESSAGE, diagnostic.message)
	item.set_tooltip_text(Column.MESSAGE, "%s\n%s" % [diagnostic.message, diagnostic.help])
	item.set_text(Column.PLACE, "%d:%d" % [diagnostic.line, diagnostic.column])
	item.set_text(Column.CODE, diagnostic.code)
	item.set_tooltip_text(Column.CODE, "%s. Click to read more." % diagnostic.rule_name)
	item.set_custom_color(Column.CODE, get_theme_color(&"accent_color", &"Editor"))
	if diagnostic.is_fixable():
		var is_safe := diagnostic.fix_applicability == "safe"
		var hint := "Fix: %s" if is_safe else "Fix: %s. It may change what Godot loads."
		item.add_button(Column.MESSAGE, get_theme_icon(&"Tools", &"EditorIcons"), 0, false, hint % diagnostic.fix_title)


func _add_losses(file: TreeItem, losses: SaveLosses) -> void:
	var group := create_item(file)
	LossRows.fill_losses(group, losses, self)
	for loss: Loss in losses.losses:
		LossRows.fill_loss(create_item(group), loss, self)


## Null for other rows.
func _diagnostic_of(item: TreeItem) -> Diagnostic:
	var what: Variant = item.get_metadata(Column.MESSAGE)
	if not what is Diagnostic:
		return null
	var diagnostic: Diagnostic = what
	return diagnostic


func _select_again(root: TreeItem, diagnostic: Diagnostic) -> void:
	var item := root.get_first_child()
	while item != null:
		var other := _diagnostic_of(item)
		if other != null and other.describe() == diagnostic.describe():
			item.select(Column.MESSAGE)
			return
		item = item.get_next_in_tree()


func _on_item_mouse_selected(at: Vector2, button: MouseButton) -> void:
	if button != MOUSE_BUTTON_LEFT:
		return
	var diagnostic := selected_diagnostic()
	if diagnostic != null and get_column_at_position(at) == Column.CODE:
		code_pressed.emit(diagnostic.code)
	else:
		_open(get_selected())


func _on_item_activated() -> void:
	_open(get_selected())


func _open(item: TreeItem) -> void:
	if item == null:
		return
	var what: Variant = item.get_metadata(Column.MESSAGE)
	if what is Diagnostic:
		var diagnostic: Diagnostic = what
		diagnostic_opened.emit(diagnostic)
	elif what is Loss:
		var loss: Loss = what
		loss_opened.emit(item.get_parent().get_parent().get_metadata(Column.MESSAGE), loss)


func _on_item_collapsed(item: TreeItem) -> void:
	var path: Variant = item.get_metadata(Column.MESSAGE)
	# It also comes when the rows are made.
	if not path is String or folded.has(path) == item.collapsed:
		return
	if item.collapsed:
		folded[path] = true
	else:
		folded.erase(path)
	folded_changed.emit()


func _on_button_clicked(item: TreeItem, _column: int, id: int, _button: int) -> void:
	var what: Variant = item.get_metadata(Column.MESSAGE)
	if what is Loss:
		var loss: Loss = what
		var path: String = item.get_parent().get_parent().get_metadata(Column.MESSAGE)
		loss_action_pressed.emit(path, loss, id as LossRows.Action)
	else:
		fix_pressed.emit(what)
