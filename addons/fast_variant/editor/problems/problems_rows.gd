@tool
extends RefCounted
## How the rows of the Problems panel look.

enum _Column { MESSAGE, PLACE, CODE, COUNT }

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Group := preload("problems_group.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Words := preload("../shared/words.gd")

## The names of the editor's icons.
const SEVERITY_ICONS: Dictionary[String, StringName] = {
	"error": &"StatusError", "warning": &"StatusWarning", "info": &"NodeInfo"
}
const SEVERITY_TITLES: Dictionary[String, String] = {"error": "Errors", "warning": "Warnings", "info": "Infos"}

var _tree: Tree
## Looked up once, as there are thousands of rows.
var _icons: Dictionary[StringName, Texture2D] = {}
var _code_color: Color


func _init(tree: Tree) -> void:
	_tree = tree


## To be called before rows are made: the theme may be another one.
func read_theme() -> void:
	_icons.clear()
	_code_color = _tree.get_theme_color(&"accent_color", &"Editor")


func fill_group(item: TreeItem, group: _Group) -> void:
	item.set_metadata(_Column.MESSAGE, group)
	match group.kind:
		_Group._Kind.FILE:
			_fill_file(item, group)
		_Group._Kind.RULE:
			_fill_rule(item, group)
		_Group._Kind.SEVERITY:
			item.set_text(_Column.MESSAGE, "%s (%d)" % [SEVERITY_TITLES[group.key], group.diagnostics.size()])
			item.set_icon(_Column.MESSAGE, _icon(SEVERITY_ICONS[group.key]))
			item.set_expand_right(_Column.MESSAGE, true)
		_Group._Kind.EQUAL:
			_fill_equal(item, group)
		_Group._Kind.DEPENDENTS:
			_fill_dependents(item, group)
	if group.kind != _Group._Kind.FILE:
		_add_fix_all(item, group)


## `group` contains the row.
func fill_diagnostic(item: TreeItem, diagnostic: _Diagnostic, group: _Group) -> void:
	var is_named_by_path := group.kind == _Group._Kind.EQUAL and not group.is_in_one_file() or group.is_elsewhere(diagnostic)
	item.set_metadata(_Column.MESSAGE, diagnostic)
	item.set_icon(_Column.MESSAGE, _icon(SEVERITY_ICONS[diagnostic.severity]))
	item.set_text(_Column.MESSAGE, diagnostic.path if is_named_by_path else diagnostic.message)
	item.set_tooltip_text(_Column.MESSAGE, diagnostic.details())
	var is_in_file := group.kind not in [_Group._Kind.RULE, _Group._Kind.SEVERITY]
	var place := diagnostic.line_and_column() if is_in_file else "%s:%s" % [diagnostic.path.get_file(), diagnostic.line_and_column()]
	_fill_place(item, place, "%s:%s. Click to see the text." % [diagnostic.path, diagnostic.line_and_column()])
	_fill_code(item, diagnostic)
	if diagnostic.is_fixable():
		var hint := "Fix: %s" if diagnostic.is_safe_to_fix() else "Fix: %s. It may change what Godot loads."
		item.add_button(_Column.MESSAGE, _icon(&"Tools"), 0, false, hint % diagnostic.fix_title)


func fill_note(item: TreeItem, text: String) -> void:
	item.set_text(_Column.MESSAGE, text)
	item.set_expand_right(_Column.MESSAGE, true)
	item.set_selectable(_Column.MESSAGE, false)


func _fill_file(item: TreeItem, group: _Group) -> void:
	var breaks := "" if group.broken_paths.is_empty() else ", breaks %s" % _scenes(group.broken_paths)
	item.set_text(_Column.MESSAGE, "%s (%d)%s" % [group.key, group.size(), breaks])
	item.set_tooltip_text(_Column.MESSAGE, "%s\nDouble-click to open it." % group.key)
	item.set_icon(_Column.MESSAGE, _file_icon(group.key))
	item.set_expand_right(_Column.MESSAGE, true)


func _fill_rule(item: TreeItem, group: _Group) -> void:
	var first := group.diagnostics[0]
	var count := group.diagnostics.size()
	item.set_text(_Column.MESSAGE, "%s (%d in %s)" % [first.rule_name, count, _files(group)])
	item.set_icon(_Column.MESSAGE, _icon(SEVERITY_ICONS[group.severity()]))
	_fill_code(item, first)


func _fill_equal(item: TreeItem, group: _Group) -> void:
	var first := group.diagnostics[0]
	item.set_text(_Column.MESSAGE, first.message)
	item.set_icon(_Column.MESSAGE, _icon(SEVERITY_ICONS[first.severity]))
	item.set_tooltip_text(_Column.MESSAGE, first.details())
	_fill_place(item, "%d times" % group.diagnostics.size() if group.is_in_one_file() else "in %s" % _files(group), "")
	_fill_code(item, first)


func _fill_dependents(item: TreeItem, group: _Group) -> void:
	item.set_text(_Column.MESSAGE, "Breaks %s" % _scenes(group.broken_paths))
	item.set_icon(_Column.MESSAGE, _icon(SEVERITY_ICONS[group.severity()]))
	item.set_tooltip_text(_Column.MESSAGE, group.diagnostics[0].details())
	_fill_place(item, "in %s" % _files(group), "")
	_fill_code(item, group.diagnostics[0])


func _fill_place(item: TreeItem, text: String, tooltip: String) -> void:
	item.set_text(_Column.PLACE, text)
	item.set_tooltip_text(_Column.PLACE, tooltip)
	# So that the column is as wide as it has to be, and no wider.
	item.set_text_overrun_behavior(_Column.PLACE, TextServer.OVERRUN_NO_TRIMMING)


func _fill_code(item: TreeItem, diagnostic: _Diagnostic) -> void:
	item.set_text(_Column.CODE, diagnostic.code)
	item.set_tooltip_text(_Column.CODE, "%s. Click to read more." % diagnostic.rule_name)
	item.set_custom_color(_Column.CODE, _code_color)
	item.set_text_overrun_behavior(_Column.CODE, TextServer.OVERRUN_NO_TRIMMING)


func _add_fix_all(item: TreeItem, group: _Group) -> void:
	var count := group.safe_count()
	if count > 0:
		item.add_button(_Column.MESSAGE, _icon(&"Tools"), 0, false, "Fix %d Safe" % count)


func _files(group: _Group) -> String:
	return _Words.counted(group.paths().size(), "%d file", "%d files")


## How many there are, as files if not all are scenes.
func _scenes(paths: PackedStringArray) -> String:
	for path: String in paths:
		if not _SceneFiles.is_scene(path):
			return _Words.counted(paths.size(), "%d file", "%d files")
	return _Words.counted(paths.size(), "%d scene", "%d scenes")


## The icon of its class, as in the FileSystem dock.
func _file_icon(path: String) -> Texture2D:
	# The editor does not know the type of a new file yet.
	var type := "PackedScene" if _SceneFiles.is_scene(path) else EditorInterface.get_resource_filesystem().get_file_type(path)
	while not type.is_empty():
		if _tree.has_theme_icon(type, &"EditorIcons"):
			return _icon(type)
		type = ClassDB.get_parent_class(type)
	return _icon(&"File")


func _icon(name: StringName) -> Texture2D:
	if not _icons.has(name):
		_icons[name] = _tree.get_theme_icon(name, &"EditorIcons")
	return _icons[name]
