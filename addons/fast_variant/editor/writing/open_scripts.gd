@tool
extends RefCounted
## The scripts that are open in the script editor, beside their files.


## Whether the script is open with changes that are not in its file.
static func is_edited(path: String) -> bool:
	var edit := _edit_of(path)
	return edit != null and edit.get_version() != edit.get_saved_version()


## Lets the script editor, and the script that the editor holds, have what is in the file now.
static func refresh(path: String) -> void:
	if not FileAccess.file_exists(path):
		return
	var text := FileAccess.get_file_as_string(path)
	var held := ResourceLoader.get_cached_ref(path) as Script if ResourceLoader.has_cached(path) else null
	if held is GDScript and held.source_code != text:
		held.source_code = text
		# With what the instances in open scenes hold.
		held.reload(true)
	var edit := _edit_of(path)
	if edit != null and edit.text != text:
		var caret := Vector2i(edit.get_caret_column(), edit.get_caret_line())
		var scroll := edit.scroll_vertical
		edit.text = text
		edit.set_caret_line(mini(caret.y, edit.get_line_count() - 1))
		edit.set_caret_column(caret.x)
		edit.scroll_vertical = scroll
		edit.tag_saved_version()


## The editor of a script; null if it is not open.
static func _edit_of(path: String) -> CodeEdit:
	var editor := EditorInterface.get_script_editor()
	var scripts := editor.get_open_scripts()
	var index := 0
	# Other text files are open in editors of another class, and have no script.
	for base: ScriptEditorBase in editor.get_open_script_editors():
		if not base.is_class("ScriptTextEditor"):
			continue
		if index < scripts.size() and scripts[index].resource_path == path:
			return base.get_base_editor() as CodeEdit
		index += 1
	return null
