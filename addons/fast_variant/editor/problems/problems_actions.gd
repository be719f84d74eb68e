@tool
extends RefCounted
## Carries out the actions for problems, files and groups of the Problems panel.

## Emitted to check a file again.
signal check_asked(paths: PackedStringArray)
## Emitted to connect, disconnect or show a connection.
signal connection_asked(action: Menu.Action, diagnostic: Diagnostic)
## Emitted to resolve the conflicts that a merge left in a file.
signal resolve_asked(path: String)

const Diagnostic := preload("../checking/diagnostic.gd")
const Group := preload("problems_group.gd")
const Menu := preload("problems_menu.gd")
const Navigator := preload("../places/navigator.gd")
const PathIgnores := preload("../fixing/path_ignores.gd")
const Reader := preload("../reading/reader.gd")
const Repairs := preload("../fixing/repairs.gd")
const SceneFiles := preload("../shared/scene_files.gd")

var navigator: Navigator
var reader: Reader
var repairs: Repairs


func run(action: Menu.Action, diagnostic: Diagnostic) -> void:
	match action:
		Menu.Action.OPEN:
			navigator.open(diagnostic)
		Menu.Action.OPEN_TEXT:
			open_text(diagnostic)
		Menu.Action.EXPLAIN:
			reader.explain(diagnostic.code)
		Menu.Action.FIX:
			repairs.fix(diagnostic)
		Menu.Action.IGNORE_HERE:
			repairs.ignore_here(diagnostic)
		Menu.Action.IGNORE_IN_FILE:
			ignore_in(diagnostic.path, [diagnostic.code])
		Menu.Action.IGNORE_IN_FOLDER:
			ignore_in(diagnostic.path.get_base_dir() + "/", [diagnostic.code])
		Menu.Action.IGNORE_IN_PROJECT:
			repairs.ignore_in_project(diagnostic)
		Menu.Action.COPY:
			copy([diagnostic])
		Menu.Action.SHOW_SIGNALS, Menu.Action.CONNECT_TO, Menu.Action.CREATE_METHOD, Menu.Action.DISCONNECT:
			connection_asked.emit(action, diagnostic)
		_:
			run_on_path(action, diagnostic.path)


func run_on_group(action: Menu.Action, group: Group) -> void:
	match action:
		Menu.Action.FIX:
			repairs.fix_shown(group.diagnostics)
		Menu.Action.COPY:
			copy(group.diagnostics)
		Menu.Action.IGNORE_IN_FILE:
			ignore_in(group.key, group.codes())
		Menu.Action.EXPLAIN, Menu.Action.IGNORE_IN_PROJECT:
			run(action, group.diagnostics[0])
		_:
			run_on_path(action, group.key)


func run_on_path(action: Menu.Action, path: String) -> void:
	match action:
		Menu.Action.OPEN:
			open_file(path)
		Menu.Action.OPEN_TEXT:
			navigator.open_text(path, 1, 1)
		Menu.Action.RESOLVE:
			resolve_asked.emit(path)
		Menu.Action.SHOW_IN_FILE_SYSTEM:
			EditorInterface.select_file(path)
		Menu.Action.CHECK:
			check_asked.emit(PackedStringArray([path]))
		Menu.Action.FORMAT:
			repairs.format_files([path])
		Menu.Action.COPY_PATH:
			DisplayServer.clipboard_set(path)


func open_text(diagnostic: Diagnostic) -> void:
	navigator.open_text(diagnostic.path, diagnostic.line, diagnostic.column)


## As text, if the editor cannot open it.
func open_file(path: String) -> void:
	if navigator.is_for_text(path):
		navigator.open_text(path, 1, 1)
	elif SceneFiles.is_scene(path):
		EditorInterface.open_scene_from_path(path)
	else:
		EditorInterface.edit_resource(load(path))


func copy(diagnostics: Array[Diagnostic]) -> void:
	var lines: PackedStringArray = []
	for diagnostic: Diagnostic in diagnostics:
		lines.append(diagnostic.describe())
	DisplayServer.clipboard_set("\n".join(lines))


## `path` is that of a file, or of a folder with a `/` at its end.
func ignore_in(path: String, codes: PackedStringArray) -> void:
	var before := SceneFiles.read(Repairs.CONFIGURATION)
	var text: Variant = SceneFiles.as_text(before)
	if text == null:
		repairs.toasts.push("%s is not UTF-8." % Repairs.CONFIGURATION, EditorToaster.SEVERITY_ERROR)
		return
	var source: String = text
	var result := PathIgnores.with_ignored(source, path, codes)
	var refusal := result.error
	if refusal.is_empty() and result.is_changed:
		refusal = repairs.replace("Ignore %s in %s" % [", ".join(codes), path], Repairs.CONFIGURATION, before, result.text)
	if not refusal.is_empty():
		repairs.toasts.push("%s: %s" % [Repairs.CONFIGURATION, refusal], EditorToaster.SEVERITY_ERROR)
