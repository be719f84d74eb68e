@tool
extends EditorExportPlugin
## Looks at every text scene and resource that is exported. The problems are listed with the export's messages, and errors that harm
## the game stop the export, if the setting says so. Scripts that use something that the game does not have are listed, too. The
## addon's own scripts and icons, which only the editor uses, are not exported. If it has no library for the platform, none of its
## files are.

signal ended

const _Addon := preload("../shared/addon.gd")
const _Diagnostic := preload("../checking/diagnostic.gd")
const _ExportHarm := preload("export_harm.gd")
const _ExportOutcome := preload("export_outcome.gd")
const _ExportedFiles := preload("exported_files.gd")
const _ExportedFindings := preload("exported_findings.gd")
const _ExportedLibrary := preload("exported_library.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Settings := preload("../settings/settings.gd")

## Who speaks, in the list of messages.
const _CATEGORY := "FastVariant"
## An export plugin has no way to say that the export has failed. But a shared object that cannot be copied lets it
## fail, on all platforms, and its name is shown.
const _STOP := "res://(stopped, because of errors in scenes; see the messages)"
## Calls that log an error in an exported game (rust/fast-variant/src/edition/game.rs).
const _EDITOR_ONLY := (
	"\\bSceneRewriter\\b|"
	+ "\\bSceneLinter\\s*\\.\\s*(lint_paths|lint_project|refresh)\\b"
)
## Quoted text in a script.
const _TEXT := "\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'"
## The last message of an export that is stopped.
const _HOW_TO_PASS := (
	"The export is stopped because Godot cannot load the files above, or because the game would lack parts of them. To export "
	+ "nevertheless: Project Settings > Fast Variant > Scenes > Errors on Export; Excluded Folders there leaves folders out."
)
const _HOW_TO_PASS_ALL := (
	"The export is stopped because scenes have errors. To export nevertheless: Project Settings > Fast Variant > Scenes > "
	+ "Errors on Export; Excluded Folders there leaves folders out."
)
## A script that has one of these asks where it runs.
const _ASKS: PackedStringArray = ["@tool", "has_feature(\"editor\")", "is_editor_hint()"]

const _WITHOUT_LIBRARY := (
	"The addon has no library for %s (%s), so the game is exported without it: it does not have the classes of FastVariant, and "
	+ "scripts that name them cannot be loaded there. The README of the addon says how scripts do without (In exported games)."
)
const _NAMES_MISSING_CLASS := (
	"%s:%d: this export does not have the class `%s`, and the script cannot be loaded in it. Reach the class by its name: "
	+ "`ClassDB.class_exists(&\"%s\")`, `ClassDB.class_call_static(&\"%s\", ...)`."
)
const _LIBRARY_MISSING := (
	"%s is not there, and the game needs it. Take a release of the addon that has the library, or build it with "
	+ "scripts/build.sh of its repository."
)

## Lists the errors that would stop an export, and lets it pass, because the user chose to.
var is_let_pass := false

## The outcome of the exports since the last call.
var _outcome := _ExportOutcome.new()
var _name := ""
var _error_count := 0
## The reasons to stop the running export.
var _reasons: PackedStringArray = []
## Null while the setting ignores errors.
var _findings: _ExportedFindings
var _written: _ExportedFiles
var _library: _ExportedLibrary
## Finds the classes of the extension where the export does not have them; else null.
var _missing_class: RegEx


func attach(plugin: EditorPlugin) -> void:
	plugin.add_export_plugin(self)


func detach(plugin: EditorPlugin) -> void:
	plugin.remove_export_plugin(self)


## The outcome of the exports since the last call.
func take_outcome() -> _ExportOutcome:
	var taken := _outcome
	_outcome = _ExportOutcome.new()
	return taken


## Exporters are asked in the order of their names: this one before Godot's own "GDExtension".
func _get_name() -> String:
	return _CATEGORY


func _export_begin(features: PackedStringArray, _is_debug: bool, path: String, _flags: int) -> void:
	_name = path.get_file()
	_error_count = 0
	_reasons.clear()
	_findings = _ExportedFindings.new() if _Settings.on_export() != _Settings._OnExport.IGNORE else null
	_written = _ExportedFiles.new(path)
	_library = _ExportedLibrary.new(features)
	_missing_class = null
	var platform := get_export_platform()
	if not _library.is_supported():
		_library.unlist()
		_missing_class = RegEx.create_from_string("\\b(%s)\\b" % "|".join(_library.class_names()))
		platform.add_message(EditorExportPlatform.EXPORT_MESSAGE_WARNING, _CATEGORY, _WITHOUT_LIBRARY % [
			platform.get_os_name(), ", ".join(_library.architectures()),
		])
	elif _library.is_library_missing():
		# Godot lets the export fail when it cannot copy the file, and says no more.
		platform.add_message(EditorExportPlatform.EXPORT_MESSAGE_ERROR, _CATEGORY, _LIBRARY_MISSING % _library.library())


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	if _is_for_editor(path) or (path == _library.path and not _library.is_supported()):
		skip()
		return
	if _findings == null or _Settings.is_excluded(path):
		return
	if path.get_extension() == "gd":
		_look_at_script(path)
	if not _SceneFiles.is_text(path):
		return
	for diagnostic: _Diagnostic in _findings.of(path):
		if diagnostic.severity == "error":
			_tell(diagnostic)


func _is_for_editor(path: String) -> bool:
	for part: String in ["/editor/", "/class_icons/", "/plugin.gd"]:
		if path.begins_with(_Addon.folder() + part):
			return true
	return false


func _look_at_script(path: String) -> void:
	var source := FileAccess.get_file_as_string(path)
	if _missing_class != null:
		_look_for_missing_class(path, source)
		return
	for text: String in _ASKS:
		if source.contains(text):
			return
	var editor_only := RegEx.create_from_string(_EDITOR_ONLY)
	var lines := source.split("\n")
	for index: int in lines.size():
		var found := editor_only.search(lines[index].get_slice("#", 0))
		if found != null:
			get_export_platform().add_message(EditorExportPlatform.EXPORT_MESSAGE_WARNING, _CATEGORY, (
				"%s:%d: `%s` is part of FastVariant's library for the editor, which exported games do not carry: there, it "
				+ "logs an error. Use it only where `OS.has_feature(\"editor\")` is true."
			) % [path, index + 1, found.get_string()])


## The first place is enough: the script does not load.
func _look_for_missing_class(path: String, source: String) -> void:
	var text := RegEx.create_from_string(_TEXT)
	var lines := source.split("\n")
	for index: int in lines.size():
		var found := _missing_class.search(text.sub(lines[index], "", true).get_slice("#", 0))
		if found != null:
			var type := found.get_string()
			get_export_platform().add_message(EditorExportPlatform.EXPORT_MESSAGE_WARNING, _CATEGORY,
				_NAMES_MISSING_CLASS % [path, index + 1, type, type, type])
			return


func _export_end() -> void:
	_findings = null
	if not _library.is_supported():
		_library.list()
	if not _reasons.is_empty():
		_end_stopped_export()
	elif _error_count > 0:
		_outcome.listed.append(_name)
	ended.emit()


## A game that Godot has begun to write is of no use, and may look complete. A pack alone has no shared objects, and so cannot fail:
## Godot takes it for whole.
func _end_stopped_export() -> void:
	var removed := _written.remove()
	if not removed.is_empty():
		_say("Removed incomplete files: %s." % ", ".join(removed), true)
	_say(_HOW_TO_PASS_ALL if _Settings.on_export() == _Settings._OnExport.STOP_FOR_ALL else _HOW_TO_PASS, true)
	_outcome.stopped.append(_name)
	_outcome.reasons.append_array(_reasons)
	if _is_pack_from_command_line():
		# After the editor has said that it ends well (`EditorNode::_fs_changed`, editor/editor_node.cpp, Godot 4.6.3).
		EditorInterface.get_base_control().get_tree().quit.call_deferred(1)


## A pack that is exported so.
func _is_pack_from_command_line() -> bool:
	for argument: String in OS.get_cmdline_args():
		if argument in ["--export-pack", "--export-patch"]:
			return true
	return false


func _tell(diagnostic: _Diagnostic) -> void:
	var stops := _is_stopped_by(diagnostic)
	_say(diagnostic.describe(), stops)
	_error_count += 1
	if stops:
		_reasons.append(diagnostic.describe())
		if _reasons.size() == 1:
			add_shared_object(_STOP, [], "")


func _is_stopped_by(diagnostic: _Diagnostic) -> bool:
	match _Settings.on_export():
		_Settings._OnExport.ASK, _Settings._OnExport.STOP:
			return not is_let_pass and _ExportHarm.is_in(diagnostic)
		_Settings._OnExport.STOP_FOR_ALL:
			return not is_let_pass
	return false


func _say(text: String, is_error: bool) -> void:
	var type := EditorExportPlatform.EXPORT_MESSAGE_ERROR if is_error else EditorExportPlatform.EXPORT_MESSAGE_WARNING
	get_export_platform().add_message(type, _CATEGORY, text)
