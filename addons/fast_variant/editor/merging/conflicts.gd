@tool
extends Node
## Conflicts that `gdscene merge` or git left in files: asks how to settle them, and writes the result.

const _Commands := preload("../menus/commands.gd")
const _Conflict := preload("conflict.gd")
const _ConflictText := preload("conflict_text.gd")
const _ConflictsWindow := preload("conflicts_window.gd")
const _Diagnostic := preload("../checking/diagnostic.gd")
const _FileChange := preload("../writing/file_change.gd")
const _FileRewriter := preload("../writing/file_rewriter.gd")
const _HeldSettings := preload("../writing/held_settings.gd")
const _Native := preload("../shared/native.gd")
const _Navigator := preload("../places/navigator.gd")
const _Problems := preload("../problems/problems.gd")
const _ProblemsPanel := preload("../problems/problems_panel.gd")
const _Saves := preload("../saving/saves.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Toasts := preload("../checking/toasts.gd")
const _Words := preload("../shared/words.gd")

var window := _ConflictsWindow.new()

var _navigator: _Navigator
var _problems: _Problems
var _rewriter: _FileRewriter
var _toasts: _Toasts


func _init(
	commands: _Commands, navigator: _Navigator, panel: _ProblemsPanel, problems: _Problems, rewriter: _FileRewriter,
	saves: _Saves, toasts: _Toasts
) -> void:
	_navigator = navigator
	_problems = problems
	_rewriter = rewriter
	_toasts = toasts
	commands.actions[_Commands._Command.RESOLVE] = resolve_next
	panel.actions.resolve_asked.connect(resolve)
	rewriter.rewritten.connect(_on_rewritten)
	saves.saved.connect(_on_saved)
	add_child(window)
	window.apply_requested.connect(_on_apply_requested)
	window.show_requested.connect(_on_show_requested)
	window.text_requested.connect(_on_text_requested)


static func are_in(path: String) -> bool:
	var text := _SceneFiles.read(path)
	return _Native.has_conflicts(text) or _Native.has_markers(path, text)


## Asks for each conflict of a file.
func resolve(path: String) -> void:
	if are_in(path):
		window.open(path)
	else:
		_toasts.push("%s has no conflicts of a merge." % path.get_file(), EditorToaster.SEVERITY_INFO)


## Opens the conflicts of the scene at the front, or, if it has no conflicts, of the first file with conflicts.
func resolve_next() -> void:
	var root := EditorInterface.get_edited_scene_root()
	var candidates: PackedStringArray = [root.scene_file_path if root != null else ""]
	for path: String in _problems.paths():
		if _problems.diagnostics_of(path).any(func(each: _Diagnostic) -> bool: return each.is_merge_conflict()):
			candidates.append(path)
	candidates.append(_HeldSettings.PATH)
	for path: String in candidates:
		if not path.is_empty() and are_in(path):
			window.open(path)
			return
	_toasts.push("No conflicts of a merge found.", EditorToaster.SEVERITY_INFO)


func _on_saved(path: String) -> void:
	if path == window.file():
		window.look()


func _on_rewritten(paths: PackedStringArray) -> void:
	if window.file() in paths:
		window.look()


func _on_apply_requested(source: _ConflictText, choices: Dictionary[int, String]) -> void:
	var change := _FileChange.new(source.path, source.on_disk, _Native.settled(source.text, choices))
	var reason := window.refusals() if change.after == change.before else _rewriter.write(change)
	if not reason.is_empty():
		window.refuse(reason)
		return
	_rewriter.remember("Resolve Conflicts of %s" % source.path.get_file(), [change])
	var known := window.conflicts().size()
	window.look()
	var left := window.conflicts().size()
	if left == 0:
		window.hide()
	elif known - left < choices.size():
		window.warn("Not all could be settled: %s." % window.refusals())
	_toasts.push(_outcome(source, known - left, left), EditorToaster.SEVERITY_INFO)


func _outcome(source: _ConflictText, settled_count: int, left: int) -> String:
	var settled := _Words.counted(settled_count, "%d conflict", "%d conflicts")
	var outcome := "%s: %s settled." % [source.path.get_file(), settled]
	if left > 0:
		return outcome + " %d left." % left
	return outcome + (" `git add` ends the merge of it." if source.is_merged_now() else "")


func _on_show_requested(path: String, conflict: _Conflict) -> void:
	var property := conflict.name if conflict.kind == "property" else ""
	if not _SceneFiles.is_scene(path):
		_navigator.open_resource(path, conflict.sub_resource, property)
		return
	await _navigator.open_node(path, conflict.node_path, property)
	if not conflict.sub_resource.is_empty():
		_navigator.open_resource(path, conflict.sub_resource, property)


func _on_text_requested(path: String, line: int) -> void:
	_navigator.open_text(path, line)
