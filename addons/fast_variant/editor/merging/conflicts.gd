@tool
extends Node
## Conflicts that `gdscene merge` left in files: asks what is to become of them, and writes that.

const Commands := preload("../menus/commands.gd")
const Conflict := preload("conflict.gd")
const ConflictsWindow := preload("conflicts_window.gd")
const Diagnostic := preload("../checking/diagnostic.gd")
const FileChange := preload("../writing/file_change.gd")
const FileRewriter := preload("../writing/file_rewriter.gd")
const HeldSettings := preload("../writing/held_settings.gd")
const Native := preload("../shared/native.gd")
const Navigator := preload("../places/navigator.gd")
const Problems := preload("../problems/problems.gd")
const ProblemsPanel := preload("../problems/problems_panel.gd")
const Saves := preload("../saving/saves.gd")
const SceneFiles := preload("../shared/scene_files.gd")
const Toasts := preload("../checking/toasts.gd")
const Words := preload("../shared/words.gd")

var window := ConflictsWindow.new()

var _navigator: Navigator
var _problems: Problems
var _rewriter: FileRewriter
var _toasts: Toasts


func _init(
	commands: Commands, navigator: Navigator, panel: ProblemsPanel, problems: Problems, rewriter: FileRewriter,
	saves: Saves, toasts: Toasts
) -> void:
	_navigator = navigator
	_problems = problems
	_rewriter = rewriter
	_toasts = toasts
	commands.actions[Commands.Command.RESOLVE] = resolve_next
	panel.actions.resolve_asked.connect(resolve)
	rewriter.rewritten.connect(_on_rewritten)
	saves.saved.connect(_on_saved)
	add_child(window)
	window.apply_requested.connect(_on_apply_requested)
	window.show_requested.connect(_on_show_requested)
	window.text_requested.connect(_on_text_requested)


static func are_in(path: String) -> bool:
	return Native.has_conflicts(SceneFiles.read(path))


## Asks for each conflict of a file.
func resolve(path: String) -> void:
	if are_in(path):
		window.open(path)
	else:
		_toasts.push("%s has no conflicts that `gdscene merge` left." % path.get_file(), EditorToaster.SEVERITY_INFO)


## Of the scene at the front if it has conflicts, else of the first file that has.
func resolve_next() -> void:
	var root := EditorInterface.get_edited_scene_root()
	var candidates: PackedStringArray = [root.scene_file_path if root != null else ""]
	for path: String in _problems.paths():
		if _problems.diagnostics_of(path).any(func(each: Diagnostic) -> bool: return each.is_merge_conflict()):
			candidates.append(path)
	candidates.append(HeldSettings.PATH)
	for path: String in candidates:
		if not path.is_empty() and are_in(path):
			window.open(path)
			return
	_toasts.push("There are no conflicts that `gdscene merge` left.", EditorToaster.SEVERITY_INFO)


func _on_saved(path: String) -> void:
	if path == window.file():
		window.look()


func _on_rewritten(paths: PackedStringArray) -> void:
	if window.file() in paths:
		window.look()


func _on_apply_requested(path: String, before: PackedByteArray, choices: Dictionary[int, String]) -> void:
	var change := FileChange.new(path, before, Native.settled(before, choices))
	var reason := window.refusals() if change.after == before else _rewriter.write(change)
	if not reason.is_empty():
		window.refuse(reason)
		return
	_rewriter.remember("Resolve Conflicts of %s" % path.get_file(), [change])
	var known := window.conflicts().size()
	window.look()
	var left := window.conflicts().size()
	var settled := Words.counted(known - left, "%d conflict", "%d conflicts")
	if left == 0:
		window.hide()
	elif known - left < choices.size():
		window.warn("Not all could be settled: %s." % window.refusals())
	var rest := "" if left == 0 else " %d left." % left
	_toasts.push("%s: %s settled.%s" % [path.get_file(), settled, rest], EditorToaster.SEVERITY_INFO)


func _on_show_requested(path: String, conflict: Conflict) -> void:
	var property := conflict.name if conflict.kind == "property" else ""
	if not SceneFiles.is_scene(path):
		_navigator.open_resource(path, conflict.sub_resource, property)
		return
	await _navigator.open_node(path, conflict.node_path, property)
	if not conflict.sub_resource.is_empty():
		_navigator.open_resource(path, conflict.sub_resource, property)


func _on_text_requested(path: String, line: int) -> void:
	_navigator.open_text(path, line)
