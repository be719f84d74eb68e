@tool
extends Node
## Leads from a diagnostic to its place: the node in the scene, or the line of the text where the scene cannot be opened.

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Problems := preload("../problems/problems.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _TextWindow := preload("../text/text_window.gd")

## Groups of rules on texts that Godot cannot read, or reads otherwise than it looks.
const _TEXT_GROUPS: PackedStringArray = ["SYN", "STR", "FILE"]
## Further rules on files that Godot does not load.
const _REFUSED: PackedStringArray = ["REF001", "REF002", "REF003"]
## The rule on files that need a broken one. The editor offers to open them without it, and a save would keep them so.
const _BROKEN_DEPENDENCY := "RES017"
const _MAX_FRAMES := 120

var _problems: _Problems
var _text_window: _TextWindow


func _init(problems: _Problems, text_window: _TextWindow) -> void:
	_problems = problems
	_text_window = text_window


func open(diagnostic: _Diagnostic) -> void:
	if is_for_text(diagnostic.path):
		_text_window.open(diagnostic.path, diagnostic.line, diagnostic.column)
	elif _SceneFiles.is_scene(diagnostic.path):
		open_node(diagnostic.path, diagnostic.node_path)
	elif _SceneFiles.is_text(diagnostic.path):
		EditorInterface.edit_resource(load(diagnostic.path))
	elif ResourceLoader.exists(diagnostic.path, "Script"):
		_open_script(diagnostic.path, diagnostic.line, diagnostic.column)
	else:
		_text_window.open(diagnostic.path, diagnostic.line, diagnostic.column)


## The line in the text window, also of a file that the editor opens otherwise.
func open_text(path: String, line: int, column: int = 1) -> void:
	_text_window.open(path, line, column)


## A script opens in its editor; a file that is not a text is selected in the FileSystem dock.
func open_place(path: String, line: int, column: int) -> void:
	if _SceneFiles.is_text(path) or not ResourceLoader.exists(path):
		open_text(path, line, column)
	elif ResourceLoader.exists(path, "Script"):
		_open_script(path, line, column)
	else:
		EditorInterface.select_file(path)


## Whether the editor would refuse the file, or show something else than it says.
func is_for_text(path: String) -> bool:
	for diagnostic: _Diagnostic in _problems.diagnostics_of(path):
		if diagnostic.code == _BROKEN_DEPENDENCY:
			return true
		if diagnostic.severity != "error":
			continue
		if diagnostic.code in _REFUSED or diagnostic.code.rstrip("0123456789") in _TEXT_GROUPS:
			return true
	return not ResourceLoader.exists(path)


## With a property, the Inspector shows that.
func open_node(path: String, node_path: String, property := "") -> void:
	EditorInterface.open_scene_from_path(path)
	for frame: int in _MAX_FRAMES:
		var root := EditorInterface.get_edited_scene_root()
		if root != null and root.scene_file_path == path:
			_select(_nearest(root, node_path), property)
			return
		await get_tree().process_frame


## Selects a node if its scene is at the front.
func select_node(path: String, node_path: String) -> void:
	var root := EditorInterface.get_edited_scene_root()
	if root != null and root.scene_file_path == path:
		_select(_nearest(root, node_path), "")


## A resource inside a scene, by its id, or the one that a file is.
func open_resource(path: String, id: String, property := "") -> void:
	var resource := ResourceLoader.get_cached_ref("%s::%s" % [path, id]) if not id.is_empty() else null
	if resource == null and not _SceneFiles.is_scene(path):
		resource = load(path)
	if resource != null:
		EditorInterface.inspect_object(resource, property)


func _open_script(path: String, line: int, column: int) -> void:
	EditorInterface.edit_script(load(path) as Script, line, column - 1)
	EditorInterface.set_main_screen_editor("Script")


func _select(node: Node, property: String) -> void:
	var selection := EditorInterface.get_selection()
	selection.clear()
	selection.add_node(node)
	EditorInterface.edit_node(node)
	if not property.is_empty():
		EditorInterface.inspect_object(node, property)


## The node itself; if it is missing, the nearest one above.
func _nearest(root: Node, node_path: String) -> Node:
	var path := node_path
	while not path.is_empty() and path != ".":
		var node := root.get_node_or_null(path)
		if node != null:
			return node
		path = path.get_base_dir()
	return root
