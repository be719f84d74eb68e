@tool
extends EditorContextMenuPlugin
## The addon's entry in the menu of the Scene dock.

signal rename_chosen(scene: String, path: String)


## `paths` lead from the scene's root to the nodes that are selected.
func _popup_menu(paths: PackedStringArray) -> void:
	if paths.size() == 1 and not _scene().is_empty():
		var icon := EditorInterface.get_editor_theme().get_icon(&"Rename", &"EditorIcons")
		add_context_menu_item("Rename Everywhere...", _on_rename.bind(paths[0]), icon)


func _on_rename(_nodes: Array, path: String) -> void:
	rename_chosen.emit(_scene(), path)


## Empty for a scene that has no file yet.
func _scene() -> String:
	var root := EditorInterface.get_edited_scene_root()
	return root.scene_file_path if root != null else ""
