@tool
extends EditorPlugin
## Installs the archive that the environment names as Godot's Asset Library does with what it has downloaded, and quits.
##
## The way is that of the button "Import..." of the tab AssetLib, behind its file dialog. A download differs in one thing: there,
## "Ignore asset root" is on wherever it can be (`EditorAssetLibraryItemDownload::install`,
## editor/asset_library/asset_library_editor_plugin.cpp, Godot 4.6.3).

const ARCHIVE := "FV_ARCHIVE"


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	var reason := _install()
	print("installer test: %s" % ("SUCCESS" if reason.is_empty() else "FAILED, " + reason))
	for frame: int in 20:
		await get_tree().process_frame
	get_tree().quit(0 if reason.is_empty() else 1)


## Returns why it cannot.
func _install() -> String:
	var library := _find(EditorInterface.get_base_control(), "EditorAssetLibrary")
	if library == null:
		return "there is no Asset Library"
	var dialog := _find(library, "EditorFileDialog")
	if dialog == null:
		return "the Asset Library has no dialog for a file"
	dialog.emit_signal(&"file_selected", OS.get_environment(ARCHIVE))
	var installer := _find(library, "EditorAssetInstaller") as ConfirmationDialog
	if installer == null:
		return "the archive was not opened"
	var ignores_root := _find(installer, "CheckBox") as CheckBox
	if ignores_root == null:
		return "the installer does not ask whether the root is to be ignored"
	print("ignores the root: %s" % not ignores_root.disabled)
	if not ignores_root.disabled:
		ignores_root.button_pressed = true
	if installer.get_ok_button().disabled:
		return "there is nothing to install"
	installer.get_ok_button().pressed.emit()
	return ""


## The last one below `node`, dialogs included. The class may have no name in scripts.
func _find(node: Node, type: String) -> Node:
	var found: Node = null
	for child: Node in node.get_children(true):
		if child.get_class() == type:
			found = child
		else:
			var below := _find(child, type)
			found = below if below != null else found
	return found
