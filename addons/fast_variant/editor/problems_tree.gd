@tool
extends Tree
## The findings, by file.

signal finding_opened(finding: Finding)
signal loss_opened(path: String, loss: Loss)
signal code_pressed(code: String)
signal fix_pressed(finding: Finding)
## The user has folded or unfolded a file.
signal folded_changed

const Finding := preload("finding.gd")
const Loss := preload("loss.gd")
const Problems := preload("problems.gd")
const ProblemsFilter := preload("problems_filter.gd")
const SaveLosses := preload("save_losses.gd")

enum Columns { MESSAGE, PLACE, CODE, COUNT }

## More are counted, not shown: nobody reads them, and the editor would stand still.
const _MAX_SHOWN := 2000

## The files that the user has folded, kept while they come and go.
var folded: Dictionary[String, bool] = {}
var _left_out := 0
var _shown := 0


func _init() -> void:
	set_translation_domain(&"godot.editor")
	columns = Columns.COUNT
	hide_root = true
	select_mode = Tree.SELECT_ROW
	allow_rmb_select = true
	size_flags_vertical = Control.SIZE_EXPAND_FILL
	set_column_expand(Columns.PLACE, false)
	set_column_expand(Columns.CODE, false)
	item_mouse_selected.connect(_on_item_mouse_selected)
	item_activated.connect(_on_item_activated)
	item_collapsed.connect(_on_item_collapsed)
	button_clicked.connect(_on_button_clicked)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		var scale_factor := EditorInterface.get_editor_scale()
		set_column_custom_minimum_width(Columns.PLACE, int(80 * scale_factor))
		set_column_custom_minimum_width(Columns.CODE, int(90 * scale_factor))


## Shows what `filter` lets through.
func show_problems(problems: Problems, filter: ProblemsFilter) -> void:
	var selected := selected_finding()
	clear()
	_left_out = 0
	_shown = 0
	var root := create_item()
	var paths := problems.paths()
	# What a save dropped comes first.
	for path: String in paths:
		if problems.losses_of(path) != null:
			_add_file(root, path, problems.findings_of(path).filter(filter.lets_through), problems.losses_of(path))
	for path: String in paths:
		var findings := problems.findings_of(path).filter(filter.lets_through)
		if not findings.is_empty() and problems.losses_of(path) == null:
			_add_file(root, path, findings, null)
	if _left_out > 0:
		create_item(root).set_text(Columns.MESSAGE, tr("and %d more") % _left_out)
	if selected != null:
		_select_again(root, selected)


## Null if none is.
func selected_finding() -> Finding:
	return _finding_of(get_selected()) if get_selected() != null else null


## Those that are shown.
func shown_findings() -> Array[Finding]:
	var findings: Array[Finding] = []
	var item := get_root().get_next_in_tree() if get_root() != null else null
	while item != null:
		var finding := _finding_of(item)
		if finding != null:
			findings.append(finding)
		item = item.get_next_in_tree()
	return findings


func _add_file(root: TreeItem, path: String, findings: Array[Finding], losses: SaveLosses) -> void:
	if _shown >= _MAX_SHOWN:
		_left_out += findings.size()
		return
	var item := create_item(root)
	item.set_text(Columns.MESSAGE, "%s (%d)" % [path, findings.size()])
	item.set_icon(Columns.MESSAGE, get_theme_icon(&"PackedScene", &"EditorIcons"))
	item.set_metadata(Columns.MESSAGE, path)
	if losses != null:
		_add_losses(item, losses)
	for finding: Finding in findings:
		if _shown < _MAX_SHOWN:
			_add_finding(item, finding)
		else:
			_left_out += 1
	item.collapsed = folded.has(path)


func _add_finding(file: TreeItem, finding: Finding) -> void:
	_shown += 1
	var item := create_item(file)
	item.set_metadata(Columns.MESSAGE, finding)
	item.set_icon(Columns.MESSAGE, get_theme_icon(ProblemsFilter.ICONS[finding.severity], &"EditorIcons"))
	item.set_text(Columns.MESSAGE, finding.message)
	item.set_tooltip_text(Columns.MESSAGE, "%s\n%s" % [finding.message, finding.help])
	item.set_text(Columns.PLACE, "%d:%d" % [finding.line, finding.column])
	item.set_text(Columns.CODE, finding.code)
	item.set_tooltip_text(Columns.CODE, tr("%s. Click to read more.") % finding.rule_name)
	item.set_custom_color(Columns.CODE, get_theme_color(&"accent_color", &"Editor"))
	if finding.is_fixable():
		var is_safe := finding.fix_applicability == "safe"
		var hint := tr("Fix: %s") if is_safe else tr("Fix: %s. It may change what Godot loads.")
		item.add_button(Columns.MESSAGE, get_theme_icon(&"Tools", &"EditorIcons"), 0, false, hint % finding.fix_title)


func _add_losses(file: TreeItem, losses: SaveLosses) -> void:
	var group := create_item(file)
	group.set_icon(Columns.MESSAGE, get_theme_icon(&"Save", &"EditorIcons"))
	group.set_text(Columns.MESSAGE, tr("Dropped by the last save (%d)") % losses.losses.size())
	group.set_metadata(Columns.MESSAGE, losses)
	for loss: Loss in losses.losses:
		var item := create_item(group)
		item.set_metadata(Columns.MESSAGE, loss)
		item.set_text(Columns.MESSAGE, "%s: %s" % [loss.describe(), loss.reason])
		item.set_tooltip_text(Columns.MESSAGE, tr("It stood in line %d before the save.") % loss.line)
		item.set_icon(Columns.MESSAGE, get_theme_icon(&"StatusWarning", &"EditorIcons"))


## Null for other rows.
func _finding_of(item: TreeItem) -> Finding:
	var what: Variant = item.get_metadata(Columns.MESSAGE)
	if not what is Finding:
		return null
	var finding: Finding = what
	return finding


func _select_again(root: TreeItem, finding: Finding) -> void:
	var item := root.get_first_child()
	while item != null:
		var other := _finding_of(item)
		if other != null and other.describe() == finding.describe():
			item.select(Columns.MESSAGE)
			return
		item = item.get_next_in_tree()


func _on_item_mouse_selected(at: Vector2, button: MouseButton) -> void:
	if button != MOUSE_BUTTON_LEFT:
		return
	var finding := selected_finding()
	if finding != null and get_column_at_position(at) == Columns.CODE:
		code_pressed.emit(finding.code)
	else:
		_open(get_selected())


func _on_item_activated() -> void:
	_open(get_selected())


func _open(item: TreeItem) -> void:
	if item == null:
		return
	var what: Variant = item.get_metadata(Columns.MESSAGE)
	if what is Finding:
		var finding: Finding = what
		finding_opened.emit(finding)
	elif what is Loss:
		var loss: Loss = what
		loss_opened.emit(item.get_parent().get_parent().get_metadata(Columns.MESSAGE), loss)


func _on_item_collapsed(item: TreeItem) -> void:
	var path: Variant = item.get_metadata(Columns.MESSAGE)
	# It also comes when the rows are made.
	if not path is String or folded.has(path) == item.collapsed:
		return
	if item.collapsed:
		folded[path] = true
	else:
		folded.erase(path)
	folded_changed.emit()


func _on_button_clicked(item: TreeItem, _column: int, _id: int, _button: int) -> void:
	fix_pressed.emit(item.get_metadata(Columns.MESSAGE))
