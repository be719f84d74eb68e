@tool
extends RefCounted
## Carries out the actions for problems, files and groups of the Problems panel.

## Emitted to check a file again.
signal check_asked(paths: PackedStringArray)
## Emitted to connect, disconnect or show a connection.
signal connection_asked(action: _Menu._Action, diagnostic: _Diagnostic)
## Emitted to resolve the conflicts that a merge left in a file.
signal resolve_asked(path: String)

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Group := preload("problems_group.gd")
const _Menu := preload("problems_menu.gd")
const _Navigator := preload("../places/navigator.gd")
const _PathIgnores := preload("../fixing/path_ignores.gd")
const _Reader := preload("../reading/reader.gd")
const _Repairs := preload("../fixing/repairs.gd")
const _SceneFiles := preload("../shared/scene_files.gd")

var navigator: _Navigator
var reader: _Reader
var repairs: _Repairs


func run(action: _Menu._Action, diagnostic: _Diagnostic) -> void:
	match action:
		_Menu._Action.OPEN:
			navigator.open(diagnostic)
		_Menu._Action.OPEN_TEXT:
			open_text(diagnostic)
		_Menu._Action.EXPLAIN:
			reader.explain(diagnostic.code)
		_Menu._Action.FIX:
			repairs.fix(diagnostic)
		_Menu._Action.IGNORE_HERE:
			repairs.ignore_here(diagnostic)
		_Menu._Action.IGNORE_IN_FILE:
			ignore_in(diagnostic.path, [diagnostic.code])
		_Menu._Action.IGNORE_IN_FOLDER:
			ignore_in(diagnostic.path.get_base_dir() + "/", [diagnostic.code])
		_Menu._Action.IGNORE_IN_PROJECT:
			repairs.ignore_in_project(diagnostic)
		_Menu._Action.COPY:
			copy([diagnostic])
		_Menu._Action.SHOW_SIGNALS, _Menu._Action.CONNECT_TO, _Menu._Action.CREATE_METHOD, _Menu._Action.DISCONNECT:
			connection_asked.emit(action, diagnostic)
		_:
			run_on_path(action, diagnostic.path)


func run_on_group(action: _Menu._Action, group: _Group) -> void:
	match action:
		_Menu._Action.FIX:
			repairs.fix_shown(group.diagnostics)
		_Menu._Action.COPY:
			copy(group.diagnostics)
		_Menu._Action.IGNORE_IN_FILE:
			ignore_in(group.key, group.codes())
		_Menu._Action.EXPLAIN, _Menu._Action.IGNORE_IN_PROJECT:
			run(action, group.diagnostics[0])
		_:
			run_on_path(action, group.key)


func run_on_path(action: _Menu._Action, path: String) -> void:
	match action:
		_Menu._Action.OPEN:
			open_file(path)
		_Menu._Action.OPEN_TEXT:
			navigator.open_text(path, 1, 1)
		_Menu._Action.RESOLVE:
			resolve_asked.emit(path)
		_Menu._Action.SHOW_IN_FILE_SYSTEM:
			EditorInterface.select_file(path)
		_Menu._Action.CHECK:
			check_asked.emit(PackedStringArray([path]))
		_Menu._Action.FORMAT:
			repairs.format_files([path])
		_Menu._Action.COPY_PATH:
			DisplayServer.clipboard_set(path)


func open_text(diagnostic: _Diagnostic) -> void:
	navigator.open_text(diagnostic.path, diagnostic.line, diagnostic.column)


## As text, if the editor cannot open it.
func open_file(path: String) -> void:
	if navigator.is_for_text(path):
		navigator.open_text(path, 1, 1)
	elif _SceneFiles.is_scene(path):
		EditorInterface.open_scene_from_path(path)
	else:
		EditorInterface.edit_resource(load(path))


func copy(diagnostics: Array[_Diagnostic]) -> void:
	var lines: PackedStringArray = []
	for diagnostic: _Diagnostic in diagnostics:
		lines.append(diagnostic.describe())
	DisplayServer.clipboard_set("\n".join(lines))


## `path` is that of a file, or of a folder with a `/` at its end.
func ignore_in(path: String, codes: PackedStringArray) -> void:
	var before := _SceneFiles.read(_Repairs.CONFIGURATION)
	var text: Variant = _SceneFiles.as_text(before)
	if text == null:
		repairs.toasts.push("%s is not UTF-8." % _Repairs.CONFIGURATION, EditorToaster.SEVERITY_ERROR)
		return
	var source: String = text
	var result := _PathIgnores.with_ignored(source, path, codes)
	var refusal := result.error
	if refusal.is_empty() and result.is_changed:
		refusal = repairs.replace("Ignore %s in %s" % [", ".join(codes), path], _Repairs.CONFIGURATION, before, result.text)
	if not refusal.is_empty():
		repairs.toasts.push("%s: %s" % [_Repairs.CONFIGURATION, refusal], EditorToaster.SEVERITY_ERROR)
