@tool
extends AcceptDialog
## A list of files: the dependencies of a scene, or the places that mention something.

const _Native := preload("../shared/native.gd")
const _Navigator := preload("navigator.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _WindowPlace := preload("../shared/window_place.gd")

var _navigator: _Navigator
var _tree := Tree.new()
var _note := Label.new()


func _init(navigator: _Navigator) -> void:
	_navigator = navigator
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	_tree.hide_root = true
	_tree.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_tree.item_activated.connect(_on_item_activated)
	var column := VBoxContainer.new()
	column.add_child(_note)
	column.add_child(_tree)
	add_child(column)


## The files that `path` needs, missing files first.
func show_dependencies(path: String) -> void:
	title = "Dependencies of %s" % path
	_tree.clear()
	var root := _tree.create_item()
	var missing := 0
	var decoded: Variant = _SceneFiles.as_text(_SceneFiles.read(path)) if _SceneFiles.is_text(path) else null
	var text: String = decoded if decoded != null else ""
	for dependency: String in ResourceLoader.get_dependencies(path):
		var file := _file_of(dependency)
		var is_there := ResourceLoader.exists(file)
		missing += int(not is_there)
		var item := _tree.create_item(root, -1 if is_there else 0)
		_fill(item, file, file, 1, 1)
		if not is_there:
			_lead_to_mention(item, file, path, text)
			item.set_icon(0, EditorInterface.get_editor_theme().get_icon(&"StatusError", &"EditorIcons"))
			item.set_tooltip_text(0, "The file does not exist.")
	_note.text = "%d files, %d of them missing" % [root.get_child_count(), missing]
	_show()


## Where the project's texts name `path` or its uid.
func show_references(path: String) -> void:
	title = "References to %s" % path
	_tree.clear()
	var root := _tree.create_item()
	for place: Dictionary in _Native.mentions(_names_of(path)):
		var file: String = place["path"]
		var line: int = place["line"]
		if file != path:
			_fill(_tree.create_item(root), "%s:%d: %s" % [file, line, place["text"]], file, line, 1)
	_note.text = "%d places" % root.get_child_count()
	_show()


## The lines that are shown.
func shown() -> PackedStringArray:
	var lines: PackedStringArray = []
	for item: TreeItem in _tree.get_root().get_children():
		lines.append(item.get_text(0))
	return lines


func _fill(item: TreeItem, text: String, path: String, line: int, column: int) -> void:
	item.set_text(0, text)
	item.set_metadata(0, [path, line, column])


## To mend it, one has to see who wants the file.
func _lead_to_mention(item: TreeItem, file: String, path: String, text: String) -> void:
	var at := text.find("\"%s\"" % file)
	if at >= 0:
		item.set_metadata(0, [path, text.count("\n", 0, at) + 1, at - text.rfind("\n", at)])


func _show() -> void:
	_WindowPlace.show_centered(self, Vector2(720, 420))
	_tree.grab_focus()


## The path in `uid://…::type::path`, or in a bare path.
func _file_of(dependency: String) -> String:
	var parts := dependency.split("::")
	if parts.size() < 3:
		return parts[0]
	var uid := ResourceUID.text_to_id(parts[0])
	if uid != ResourceUID.INVALID_ID and ResourceUID.has_id(uid):
		return ResourceUID.get_id_path(uid)
	return parts[2]


func _names_of(path: String) -> PackedStringArray:
	var names: PackedStringArray = [path]
	var uid := ResourceLoader.get_resource_uid(path)
	if uid != ResourceUID.INVALID_ID:
		names.append(ResourceUID.id_to_text(uid))
	return names


func _on_item_activated() -> void:
	var place: Array = _tree.get_selected().get_metadata(0)
	_navigator.open_place(place[0], place[1], place[2])
