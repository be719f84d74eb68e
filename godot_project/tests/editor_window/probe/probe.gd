@tool
extends EditorPlugin
## Writes what the editor's window shows into a file, several times a second: which scene is edited, which nodes are
## selected, and every text that can be read, with the place on the screen where its middle is. It does nothing else:
## whatever happens in the window, scripts/test/editor/window.sh does with mouse and keys.
##
## A line is `what TAB text TAB x TAB y`. The last line is `end`, so that a half-written file is known.
##
## In an import before, it makes the file in which the editor keeps the documentation of scripts. Without one, Godot reads
## all scripts in a thread, which at last starts another one in `EditorHelp::worker_thread`
## (`EditorHelp::_regen_script_doc_thread`, editor/doc/editor_help.cpp, Godot 4.6.3). Whoever asks for documentation just then
## waits for a thread that is not there yet, and the editor ends: "terminate called after throwing an instance of
## 'std::system_error', what(): Invalid argument".

const FILE := "res://window.tsv"
const SECONDS := 0.2
const SCRIPT_DOCUMENTATION := "res://.godot/editor/editor_script_doc_cache.res"

var _since := 0.0


func _enter_tree() -> void:
	if DisplayServer.get_name() != "headless":
		return
	set_process(false)
	var documentation := Resource.new()
	documentation.set_meta(&"classes", [])
	DirAccess.make_dir_recursive_absolute(SCRIPT_DOCUMENTATION.get_base_dir())
	ResourceSaver.save(documentation, SCRIPT_DOCUMENTATION)


func _process(delta: float) -> void:
	_since += delta
	if _since < SECONDS:
		return
	_since = 0.0
	_write("\n".join(_lines()))


func _write(text: String) -> void:
	var half := FILE + ".half"
	var file := FileAccess.open(half, FileAccess.WRITE)
	if file == null:
		return
	file.store_string(text)
	file.close()
	DirAccess.rename_absolute(half, FILE)


func _lines() -> PackedStringArray:
	var lines: PackedStringArray = []
	if not EditorInterface.get_resource_filesystem().is_scanning():
		lines.append("ready")
	var root := EditorInterface.get_edited_scene_root()
	if root != null:
		lines.append("edited\t%s" % root.scene_file_path)
		for node: Node in EditorInterface.get_selection().get_selected_nodes():
			lines.append("selected\t%s" % root.get_path_to(node))
	var focused := get_viewport().gui_get_focus_owner()
	if focused != null:
		lines.append("focus\t%s: %s" % [focused.get_class(), _words_of(focused)])
	_add_texts(get_tree().root, lines)
	lines.append("end\n")
	return lines


func _add_texts(node: Node, lines: PackedStringArray) -> void:
	var window := node as Window
	if window != null:
		if not window.visible:
			return
		lines.append(_line("window", window.title, Rect2(window.position, window.size)))
	var control := node as Control
	if control != null:
		if not control.is_visible_in_tree():
			return
		_add_text(control, lines)
	for child: Node in node.get_children(true):
		_add_texts(child, lines)


func _words_of(control: Control) -> String:
	for property: StringName in [&"text", &"tooltip_text", &"placeholder_text"]:
		var words: Variant = control.get(property)
		if words is String and not str(words).is_empty():
			return str(words).c_escape()
	return ""


func _add_text(control: Control, lines: PackedStringArray) -> void:
	var rect := Rect2(control.get_screen_position(), control.size * control.get_global_transform().get_scale())
	if control is Button:
		var button: Button = control
		var text := button.text if not button.text.is_empty() else button.tooltip_text
		lines.append(_line("button", text, rect))
	elif control is LinkButton:
		lines.append(_line("button", (control as LinkButton).text, rect))
	elif control is CodeEdit:
		lines.append(_line("text", (control as CodeEdit).text, rect))
	elif control is LineEdit or control is TextEdit:
		lines.append(_line("edit", control.tooltip_text + str(control.get("placeholder_text")), rect))
		lines.append(_line("typed", str(control.get("text")), rect))
	elif control is EditorProperty:
		lines.append(_line("row", (control as EditorProperty).label, rect))
	elif control is RichTextLabel:
		lines.append(_line("rich", (control as RichTextLabel).get_parsed_text(), rect))
	elif control is Label:
		lines.append(_line("label", (control as Label).text, rect))
	elif control is TabBar:
		var bar: TabBar = control
		for tab: int in bar.tab_count:
			var place := bar.get_tab_rect(tab)
			place.position += rect.position
			lines.append(_line("tab", bar.get_tab_title(tab), place))
	elif control is ItemList:
		var list: ItemList = control
		for item: int in list.item_count:
			var place := list.get_item_rect(item)
			place.position += rect.position
			lines.append(_line("item", list.get_item_text(item), place))
	elif control is Tree:
		var tree: Tree = control
		_add_items(tree, tree.get_root(), rect, lines)


func _add_items(tree: Tree, item: TreeItem, rect: Rect2, lines: PackedStringArray) -> void:
	if item == null:
		return
	var place := tree.get_item_area_rect(item, 0)
	place.position += rect.position - tree.get_scroll()
	if rect.has_point(place.get_center()):
		for column: int in tree.columns:
			if not item.get_text(column).is_empty():
				place = tree.get_item_area_rect(item, column)
				place.position += rect.position - tree.get_scroll()
				lines.append(_line("item", item.get_text(column), place))
	if not item.collapsed or (item == tree.get_root() and tree.hide_root):
		for child: TreeItem in item.get_children():
			_add_items(tree, child, rect, lines)


func _line(what: String, text: String, rect: Rect2) -> String:
	var middle := rect.get_center()
	return "%s\t%s\t%d\t%d" % [what, text.c_escape(), roundi(middle.x), roundi(middle.y)]
