@tool
extends EditorExportPlugin
## Looks at every text scene and resource that is exported. What is wrong is listed with the export's messages, and
## errors let the export fail, if the setting says so.

const Diagnostic := preload("diagnostic.gd")
const Native := preload("native.gd")
const SceneFiles := preload("scene_files.gd")
const Settings := preload("settings.gd")

## Who speaks, in the list of messages.
const _CATEGORY := "FastVariant"
## An export plugin has no way to say that the export has failed. But a shared object that cannot be copied lets it
## fail, on all platforms, and its name is shown.
const _STOP := "res://(stopped, because scenes have errors; see the messages)"

var _error_count := 0
var _path := ""


func _init() -> void:
	set_translation_domain(&"godot.editor")


func _get_name() -> String:
	return _CATEGORY


func _export_begin(_features: PackedStringArray, _is_debug: bool, path: String, _flags: int) -> void:
	_error_count = 0
	_path = path


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	if Settings.on_export() == Settings.OnExport.IGNORE or not SceneFiles.is_text(path) or Settings.is_excluded(path):
		return
	for diagnostic: Diagnostic in Native.lint_file(path):
		if diagnostic.severity == "error":
			_tell(diagnostic)


## A pack alone has no shared objects, and so cannot fail: it is taken away.
func _export_end() -> void:
	if _error_count > 0 and _fails() and _path.get_extension() in ["pck", "zip"] and FileAccess.file_exists(_path):
		_say(tr("The pack is not kept, because scenes have errors."))
		DirAccess.remove_absolute(_path)
		if _is_from_command_line():
			# After the editor has said that it ends well (`EditorNode::_fs_changed`, editor/editor_node.cpp, Godot 4.6.3).
			EditorInterface.get_base_control().get_tree().quit.call_deferred(1)


func _is_from_command_line() -> bool:
	for argument: String in OS.get_cmdline_args():
		if argument in ["--export-pack", "--export-patch"]:
			return true
	return false


func _tell(diagnostic: Diagnostic) -> void:
	_say(diagnostic.describe())
	_error_count += 1
	if _error_count == 1 and _fails():
		add_shared_object(_STOP, [], "")


func _say(text: String) -> void:
	var type := EditorExportPlatform.EXPORT_MESSAGE_ERROR if _fails() else EditorExportPlatform.EXPORT_MESSAGE_WARNING
	get_export_platform().add_message(type, _CATEGORY, text)


func _fails() -> bool:
	return Settings.on_export() == Settings.OnExport.FAIL
