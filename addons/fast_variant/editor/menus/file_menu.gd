@tool
extends EditorContextMenuPlugin
## The addon's entries in the menu of the FileSystem dock.

signal check_chosen(paths: PackedStringArray)
signal format_chosen(paths: PackedStringArray)
signal fix_chosen(paths: PackedStringArray)
signal dependencies_chosen(path: String)
signal references_chosen(path: String)
signal move_chosen(path: String)
signal unused_chosen(folder: String)
signal resolve_chosen(path: String)
signal compare_chosen(path: String)

const Conflicts := preload("../merging/conflicts.gd")
const SceneFiles := preload("../shared/scene_files.gd")


func _popup_menu(paths: PackedStringArray) -> void:
	var texts := SceneFiles.texts_in(paths)
	if not texts.is_empty():
		var what := _what(texts)
		_add("Check " + what, _on_check, &"StatusSuccess")
		_add("Fix " + what, _on_fix, &"Tools")
		_add("Format " + what, _on_format, &"TextFile")
	if paths.size() == 1 and not texts.is_empty() and not paths[0].ends_with("/") and Conflicts.are_in(paths[0]):
		_add("Resolve Conflicts...", _on_resolve, &"StatusWarning")
	# Those of Godot's own lists have no lines: Edit Dependencies, View Owners.
	if paths.size() == 1 and not paths[0].ends_with("/"):
		if SceneFiles.is_text(paths[0]):
			_add("Compare with Last Commit", _on_compare, &"FileTree")
			_add("Dependencies by Line", _on_dependencies, &"ArrowRight")
		_add("References by Line", _on_references, &"ArrowLeft")
	if paths.size() == 1 and paths[0] != "res://":
		_add("Move with References...", _on_move, &"MoveUp")
	if paths.size() == 1 and paths[0].ends_with("/"):
		_add("Find Unused...", _on_unused, &"Search")


func _what(texts: PackedStringArray) -> String:
	var scenes := 0
	for path: String in texts:
		scenes += int(SceneFiles.is_scene(path))
	if texts.size() == 1:
		return "Scene" if scenes == 1 else "Resource"
	if scenes == 0:
		return "%d Resources" % texts.size()
	return "%d Scenes" % scenes if scenes == texts.size() else "%d Scenes and Resources" % texts.size()


func _add(text: String, callback: Callable, icon: StringName) -> void:
	add_context_menu_item(text, callback, EditorInterface.get_editor_theme().get_icon(icon, &"EditorIcons"))


func _on_check(paths: PackedStringArray) -> void:
	check_chosen.emit(SceneFiles.texts_in(paths))


func _on_fix(paths: PackedStringArray) -> void:
	fix_chosen.emit(SceneFiles.texts_in(paths))


func _on_format(paths: PackedStringArray) -> void:
	format_chosen.emit(SceneFiles.texts_in(paths))


func _on_dependencies(paths: PackedStringArray) -> void:
	dependencies_chosen.emit(paths[0])


func _on_references(paths: PackedStringArray) -> void:
	references_chosen.emit(paths[0])


func _on_move(paths: PackedStringArray) -> void:
	move_chosen.emit(paths[0])


func _on_unused(paths: PackedStringArray) -> void:
	unused_chosen.emit(paths[0])


func _on_resolve(paths: PackedStringArray) -> void:
	resolve_chosen.emit(paths[0])


func _on_compare(paths: PackedStringArray) -> void:
	compare_chosen.emit(paths[0])
