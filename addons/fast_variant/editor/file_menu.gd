@tool
extends EditorContextMenuPlugin
## The addon's entries in the menu of the FileSystem dock.

signal check_chosen(paths: PackedStringArray)
signal format_chosen(paths: PackedStringArray)
signal fix_chosen(paths: PackedStringArray)
signal dependencies_chosen(path: String)
signal references_chosen(path: String)

const SceneFiles := preload("scene_files.gd")


func _popup_menu(paths: PackedStringArray) -> void:
	if not SceneFiles.texts_in(paths).is_empty():
		add_context_menu_item("Check Scenes", _on_check)
		add_context_menu_item("Fix Scenes", _on_fix)
		add_context_menu_item("Format Scenes", _on_format)
	if paths.size() == 1 and not paths[0].ends_with("/"):
		if SceneFiles.is_text(paths[0]):
			add_context_menu_item("Show Dependencies", _on_dependencies)
		add_context_menu_item("Find References", _on_references)


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
