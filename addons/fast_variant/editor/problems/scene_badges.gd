@tool
extends Node
## Marks nodes with errors and warnings in the Scene dock. A click on a mark leads to the problem.
##
## Godot has no API for that, but a tree with rows that take buttons, and with its own number for each of its buttons
## (`SceneTreeEditor`, editor/scene/scene_tree_editor.cpp, Godot 4.4 to 4.6). It rebuilds rows when nodes change; it is drawn then,
## so the marks are looked after when it is. Where the dock is built in another way, there are no marks.

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Problems := preload("problems.gd")
const _ProblemsTab := preload("problems_tab.gd")
const _Rows := preload("problems_rows.gd")
const _Settings := preload("../settings/settings.gd")
const _SettingsWatch := preload("../settings/settings_watch.gd")

## Not one of the dock's own, which count from 0.
const _BUTTON := 0xfa57
## More nodes of a scene are not marked.
const _MAX_NODES := 100
const _SETTLE_SECONDS := 0.1

var _problems: _Problems
var _tab: _ProblemsTab
## The dock's; null if it was not found.
var _tree: Tree
## By the node's path in the tree of nodes.
var _wanted: Dictionary[NodePath, Array] = {}
## By the same, the instance of the row, which the dock may have freed.
var _rows: Dictionary[NodePath, int] = {}
var _timer := Timer.new()


func _init(problems: _Problems, settings: _SettingsWatch, tab: _ProblemsTab) -> void:
	_problems = problems
	_tab = tab
	problems.changed.connect(refresh)
	settings.changed.connect(refresh.unbind(1))
	_timer.one_shot = true
	_timer.wait_time = _SETTLE_SECONDS
	_timer.timeout.connect(_look_after_rows)
	add_child(_timer)


func attach(plugin: EditorPlugin) -> void:
	plugin.scene_changed.connect(refresh.unbind(1))


func _ready() -> void:
	_tree = _find_tree()
	if _tree != null:
		_tree.draw.connect(_on_drawn)
		_tree.button_clicked.connect(_on_button_clicked)


func _exit_tree() -> void:
	_wanted.clear()
	_look_after_rows()


func refresh() -> void:
	_wanted.clear()
	var root := EditorInterface.get_edited_scene_root()
	if root != null and _Settings.is_on(_Settings.BADGES):
		for diagnostic: _Diagnostic in _problems.diagnostics_of(root.scene_file_path):
			_want(root, diagnostic)
	_on_drawn()


func marked_nodes() -> Array[NodePath]:
	var found: Array[NodePath] = []
	for path: NodePath in _rows:
		var row := _row_of(path)
		if row != null and row.get_button_by_id(0, _BUTTON) >= 0:
			found.append(path)
	return found


func _want(root: Node, diagnostic: _Diagnostic) -> void:
	if diagnostic.severity == "info" or diagnostic.node_path.is_empty():
		return
	var node := root.get_node_or_null(NodePath(diagnostic.node_path))
	if node == null or _wanted.size() >= _MAX_NODES and not _wanted.has(node.get_path()):
		return
	var path := node.get_path()
	if not _wanted.has(path):
		_wanted[path] = []
	_wanted[path].append(diagnostic)


## Null where the dock is another one.
func _find_tree() -> Tree:
	for dock: Node in EditorInterface.get_base_control().find_children("*", "SceneTreeDock", true, false):
		for editor: Node in dock.find_children("*", "SceneTreeEditor", true, false):
			# The dock's dialogs have such trees, too.
			if editor.get_window() == dock.get_window():
				for tree: Node in editor.find_children("*", "Tree", false, false):
					return tree
	return null


## The rows may be other ones now.
func _on_drawn() -> void:
	if _timer.is_stopped() and _timer.is_inside_tree() and not (_wanted.is_empty() and _rows.is_empty()):
		_timer.start()


func _look_after_rows() -> void:
	if not is_instance_valid(_tree):
		return
	for path: NodePath in _rows.keys():
		if not _wanted.has(path):
			_unmark(_row_of(path))
			_rows.erase(path)
	for path: NodePath in _wanted:
		var row := _row_of(path)
		if row == null:
			row = _find_row(path)
		if row != null:
			_rows[path] = row.get_instance_id()
			_mark(row, _wanted[path])


func _mark(row: TreeItem, diagnostics: Array) -> void:
	var lines: PackedStringArray = []
	var is_error := false
	for diagnostic: _Diagnostic in diagnostics:
		lines.append("%s: %s" % [diagnostic.code, diagnostic.message])
		is_error = is_error or diagnostic.severity == "error"
	var tooltip := "%s\nClick to see it in the Problems panel." % "\n".join(lines)
	var button := row.get_button_by_id(0, _BUTTON)
	if button >= 0 and row.get_button_tooltip_text(0, button) == tooltip:
		return
	_unmark(row)
	var icon := _Rows.SEVERITY_ICONS["error" if is_error else "warning"]
	row.add_button(0, EditorInterface.get_editor_theme().get_icon(icon, &"EditorIcons"), _BUTTON, false, tooltip)


func _unmark(row: TreeItem) -> void:
	if row == null:
		return
	var button := row.get_button_by_id(0, _BUTTON)
	if button >= 0:
		row.erase_button(0, button)


## As it was found, if it is still there and that of the node.
func _row_of(path: NodePath) -> TreeItem:
	var row := instance_from_id(_rows.get(path, 0)) as TreeItem if _rows.has(path) else null
	return row if row != null and row.get_metadata(0) == path else null


## Down from the root, which has the first row.
func _find_row(path: NodePath) -> TreeItem:
	var row := _tree.get_root()
	while row != null:
		var found: Variant = row.get_metadata(0)
		if not found is NodePath:
			return null
		if found == path:
			return row
		if str(path).begins_with(str(found) + "/"):
			row = row.get_first_child()
		else:
			row = row.get_next()
	return null


func _on_button_clicked(row: TreeItem, _column: int, id: int, mouse_button: int) -> void:
	var path: Variant = row.get_metadata(0)
	if id != _BUTTON or mouse_button != MOUSE_BUTTON_LEFT or not path is NodePath or not _wanted.has(path):
		return
	var first: _Diagnostic = _wanted[path][0]
	for diagnostic: _Diagnostic in _wanted[path]:
		if diagnostic.severity == "error" and first.severity != "error":
			first = diagnostic
	_tab.show()
	_tab.panel.show_diagnostic(first)
