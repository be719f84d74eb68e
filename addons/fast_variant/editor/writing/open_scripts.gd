@tool
extends RefCounted
## The scripts that are open in the script editor, in addition to their files.


## The open scripts that have a file of their own.
static func paths() -> PackedStringArray:
	var found: PackedStringArray = []
	for script: Script in EditorInterface.get_script_editor().get_open_scripts():
		if is_script(script.resource_path):
			found.append(script.resource_path)
	return found


## The editors of the open scripts, and the paths of these. Empty where there is no script editor that the addon knows.
static func edits() -> Dictionary[CodeEdit, String]:
	var found: Dictionary[CodeEdit, String] = {}
	var editor := EditorInterface.get_script_editor()
	if editor == null:
		return found
	var scripts := editor.get_open_scripts()
	var index := 0
	# Other text files are open in editors of another class, and have no script.
	for base: ScriptEditorBase in editor.get_open_script_editors():
		if not base.is_class("ScriptTextEditor"):
			continue
		var edit := base.get_base_editor() as CodeEdit
		if edit != null and index < scripts.size():
			found[edit] = scripts[index].resource_path
		index += 1
	return found


## Whether it is the path of a script that the script editor writes.
static func is_script(path: String) -> bool:
	return path.get_extension().to_lower() == "gd"


## The editor of a script; null if it is not open.
static func edit_of(path: String) -> CodeEdit:
	var open_edits := edits()
	for edit: CodeEdit in open_edits:
		if open_edits[edit] == path:
			return edit
	return null


## Whether the script is open with changes that are not in its file.
static func is_edited(path: String) -> bool:
	var edit := edit_of(path)
	return edit != null and edit.get_version() != edit.get_saved_version()


## Gives the script editor, and the script in the editor, the current contents of the file.
static func refresh(path: String) -> void:
	if not FileAccess.file_exists(path):
		return
	var text := FileAccess.get_file_as_string(path)
	var held := ResourceLoader.get_cached_ref(path) as Script if ResourceLoader.has_cached(path) else null
	if held is GDScript and held.source_code != text:
		held.source_code = text
		# With the values of the instances in open scenes.
		held.reload(true)
	var edit := edit_of(path)
	if edit != null and edit.text != text:
		var caret := Vector2i(edit.get_caret_column(), edit.get_caret_line())
		var scroll := edit.scroll_vertical
		edit.text = text
		edit.set_caret_line(mini(caret.y, edit.get_line_count() - 1))
		edit.set_caret_column(caret.x)
		edit.scroll_vertical = scroll
		# As Godot does after it has read a script again: an undo in the text would take back only a part of the changes.
		edit.clear_undo_history()
		edit.tag_saved_version()
