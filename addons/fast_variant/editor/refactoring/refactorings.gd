@tool
extends Node
## The refactorings that a user can choose: asks for the new name or which files, and carries them out.

const _BuiltInResources := preload("built_in_resources.gd")
const _Commands := preload("../menus/commands.gd")
const _FileRewriter := preload("../writing/file_rewriter.gd")
const _MovesWatch := preload("moves_watch.gd")
const _Navigator := preload("../places/navigator.gd")
const _ProblemsPanel := preload("../problems/problems_panel.gd")
const _Refactoring := preload("refactoring.gd")
const _RefactoringPlace := preload("refactoring_place.gd")
const _RefactoringWindow := preload("refactoring_window.gd")
const _ScriptSymbol := preload("script_symbol.gd")
const _Toasts := preload("../checking/toasts.gd")
const _UnusedWindow := preload("unused_window.gd")
const _WarningBanner := preload("../shared/warning_banner.gd")
const _Words := preload("../shared/words.gd")

## The class of the editor's dock (editor/docks/scene_tree_dock.h, Godot 4.6.3).
const _SCENE_DOCK := "SceneTreeDock"

var rewriter: _FileRewriter
var toasts: _Toasts
var moves_banner := _WarningBanner.new("Repair...", "Shows all places, and lets them name the new paths.")
var moves_watch := _MovesWatch.new()
var unused_window := _UnusedWindow.new()
var window := _RefactoringWindow.new()


func _init(
	commands: _Commands, navigator: _Navigator, panel: _ProblemsPanel, rewriter_: _FileRewriter, toasts_: _Toasts
) -> void:
	rewriter = rewriter_
	toasts = toasts_
	commands.actions[_Commands._Command.RENAME] = rename_selected
	panel.add_banner(moves_banner)
	for each: Window in [window, unused_window]:
		each.connect(&"place_opened", navigator.open_place)
		add_child(each)
	window.apply_requested.connect(_on_apply_requested)
	unused_window.remove_requested.connect(_on_remove_requested)
	moves_watch.rewriter = rewriter
	add_child(moves_watch)
	moves_watch.left_behind.connect(_on_left_behind)
	moves_watch.outdated.connect(moves_banner.hide)
	moves_banner.action_pressed.connect(repair_moved)
	moves_banner.dismiss_pressed.connect(moves_watch.forget)


## Until the files are scanned. Godot reloads scripts when it finds classes of the game, and a reload cancels what awaits.
func _process(_delta: float) -> void:
	if not EditorInterface.get_resource_filesystem().is_scanning():
		set_process(false)
		finish_interrupted()


## Finishes a refactoring of a process that was killed, of the editor or of the command `gdscene`. Until then, there are no other
## refactorings.
func finish_interrupted() -> void:
	var interrupted := _Refactoring.new(&"finish_interrupted", [])
	interrupted.wait()
	var reason := interrupted.error()
	if not reason.is_empty():
		toasts.push("Refactorings are not possible: %s" % reason, EditorToaster.SEVERITY_WARNING)
		return
	if interrupted.is_empty():
		return
	reason = rewriter.refactor(interrupted)
	var message := "A refactoring was interrupted: %s." % interrupted.title
	if reason.is_empty():
		_push_with_undo(message + " It is finished now.", EditorToaster.SEVERITY_WARNING, "")
	else:
		toasts.push("%s It is not finished yet: %s." % [message, reason], EditorToaster.SEVERITY_WARNING)


## The name at the caret in the script editor, or else the selected node. Shows a message if something is missing.
func rename_selected() -> void:
	if EditorInterface.get_script_editor().is_visible_in_tree() and not _is_focus_in_scene_dock():
		_rename_at_caret()
		return
	var root := EditorInterface.get_edited_scene_root()
	var nodes := EditorInterface.get_selection().get_selected_nodes()
	if root != null and not root.scene_file_path.is_empty() and nodes.size() == 1:
		rename_node(root.scene_file_path, root.get_path_to(nodes[0]))
	else:
		toasts.push("Select one node of a saved scene to rename it.", EditorToaster.SEVERITY_INFO)


func rename_node(scene: String, path: String) -> void:
	var make := func(new_name: String) -> _Refactoring: return _Refactoring.new(&"rename_node", [scene, path, new_name])
	var name_of_node := path.get_file()
	var what := "Node %s of %s" % [path, scene]
	if path == ".":
		var root := EditorInterface.get_edited_scene_root()
		name_of_node = root.name if root != null else &""
		what = "Root of %s" % scene
	_ask(what, "Rename Everywhere", "New name:", name_of_node, make)


func rename_symbol(symbol: _ScriptSymbol) -> void:
	var make := func(new_name: String) -> _Refactoring: return symbol.renamed(new_name)
	_ask(symbol.describe(), "Rename Everywhere", "New name:", symbol.name, make)


func move(path: String) -> void:
	var old := path.trim_suffix("/")
	var make := func(new_path: String) -> _Refactoring: return _Refactoring.new(&"move_files", [old, new_path])
	_ask("%s, with all that names its path" % old, "Move with References", "New path:", old, make)


func extract(resource: Resource, file: String) -> void:
	var scene := _BuiltInResources.file_of(resource)
	var id := _BuiltInResources.id_of(resource)
	var make := func(new_path: String) -> _Refactoring: return _Refactoring.new(&"extract", [scene, id, new_path])
	var subject := "%s %s, which is built into %s" % [resource.get_class(), id, scene]
	finish_interrupted()
	window.propose(subject, "Extract to File", "New file:", file, make)


func find_unused(folder: String) -> void:
	finish_interrupted()
	unused_window.search(folder)


## The references to the old paths of files that the user has moved in the FileSystem dock.
func repair_moved() -> void:
	var moves := moves_watch.moves()
	var make := func(_name: String) -> _Refactoring: return _Refactoring.new(&"repair_moved", [moves])
	finish_interrupted()
	window.show_plan("What still names %s" % _old_paths(moves), "Repair References", make)


func _rename_at_caret() -> void:
	var editor := EditorInterface.get_script_editor().get_current_editor()
	var edit := editor.get_base_editor() as CodeEdit if editor != null else null
	var symbol := _ScriptSymbol.at_caret(edit) as _ScriptSymbol
	if symbol != null:
		rename_symbol(symbol)
	else:
		toasts.push(_ScriptSymbol.what_is_missing(edit), EditorToaster.SEVERITY_INFO)


func _is_focus_in_scene_dock() -> bool:
	var node: Node = get_viewport().gui_get_focus_owner()
	while node != null and node.get_class() != _SCENE_DOCK:
		node = node.get_parent()
	return node != null


func _ask(subject: String, action: String, label: String, old: String, make: Callable) -> void:
	finish_interrupted()
	window.ask(subject, action, label, old, make)


func _on_apply_requested(refactoring: _Refactoring) -> void:
	var reason := rewriter.refactor(refactoring)
	if not reason.is_empty():
		window.refuse(reason)
		return
	window.done()
	if refactoring.method == &"repair_moved":
		moves_watch.forget()
	_tell_of(refactoring, _Words.counted(refactoring.touched().size(), "%d file changed", "%d files changed"))


func _on_remove_requested(removal: _Refactoring) -> void:
	var reason := rewriter.refactor(removal)
	if not reason.is_empty():
		unused_window.refuse(reason)
		return
	unused_window.done()
	# With the files next to them, such as `.import`.
	_tell_of(removal, _Words.counted(removal.removals.size(), "%d file removed", "%d files removed"))


func _tell_of(refactoring: _Refactoring, result: String) -> void:
	var message := "%s: %s." % [refactoring.title, result]
	if not refactoring.doubts.is_empty():
		message += " " + _Words.counted(refactoring.doubts.size(), "%d place is left to look at.", "%d places are left to look at.")
	_push_with_undo(message.left(1).to_upper() + message.substr(1), EditorToaster.SEVERITY_INFO, "\n".join(refactoring.notes()))


## Offers to undo the last refactoring. The keys of undo reach it only outside the script editor.
func _push_with_undo(message: String, severity: EditorToaster.Severity, tooltip: String) -> void:
	toasts.push(message, severity, tooltip, "Undo", rewriter.carry_out_now.bind(rewriter.last_step, false))


## Says so and waits; the user may be in the middle of something.
func _on_left_behind(repair: _Refactoring) -> void:
	var parts: PackedStringArray = []
	if not repair.places.is_empty():
		parts.append("%s in %s" % [
			_Words.counted(repair.places.size(), "%d place", "%d places"),
			_Words.counted(repair.files.size(), "%d file", "%d files"),
		])
	if not repair.doubts.is_empty():
		parts.append(_Words.counted(repair.doubts.size(), "%d place to look at", "%d places to look at"))
	var is_one := repair.places.size() + repair.doubts.size() == 1
	var message := "%s still %s %s" % [
		" and ".join(parts), "names" if is_one else "name", _old_paths(moves_watch.moves())
	]
	var lines: PackedStringArray = []
	for place: _RefactoringPlace in repair.places + repair.doubts:
		lines.append("%s:%d: %s" % [place.path, place.line, place.what])
	moves_banner.warn(message + ".", "\n".join(lines))
	if not moves_banner.is_visible_in_tree():
		toasts.push(message + ". The Problems panel offers to repair it.", EditorToaster.SEVERITY_WARNING, "\n".join(lines))


func _old_paths(moves: Dictionary[String, String]) -> String:
	var first: String = moves.keys()[0]
	return first if moves.size() == 1 else "%s and %d other old paths" % [first, moves.size() - 1]
