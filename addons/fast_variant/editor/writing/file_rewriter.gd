@tool
extends Node
## The only part of the addon that writes files which the editor may hold. It writes over nothing that it does not expect,
## tells the editor, and can undo what it did as long as later work is not in the way.

## Emitted when files were written, undone or done again, and the editor knows them.
signal rewritten(paths: PackedStringArray)

const EditorMemory := preload("editor_memory.gd")
const FileChange := preload("file_change.gd")
const HeldSettings := preload("held_settings.gd")
const MovedMemory := preload("moved_memory.gd")
const Native := preload("../shared/native.gd")
const OpenScripts := preload("open_scripts.gd")
const Refactoring := preload("../refactoring/refactoring.gd")
const Rewrite := preload("../fixing/rewrite.gd")
const SafeFile := preload("safe_file.gd")
const SceneFiles := preload("../shared/scene_files.gd")
const Toasts := preload("../checking/toasts.gd")
const TrialLoad := preload("trial_load.gd")
const UnsavedEdits := preload("unsaved_edits.gd")
const Words := preload("../shared/words.gd")

const _UNSAVED := "it has changes that are not saved"
const _CHANGED := "it was changed since"

var memory := EditorMemory.new()
var toasts: Toasts
var undo_redo := EditorInterface.get_editor_undo_redo()
var unsaved: UnsavedEdits

## Whether files have moved of which the editor does not know yet.
var _is_following := false


func _init(toasts_: Toasts, unsaved_: UnsavedEdits) -> void:
	toasts = toasts_
	unsaved = unsaved_
	memory.unsaved = unsaved
	memory.updated.connect(rewritten.emit)
	memory.failed.connect(_on_memory_failed)
	add_child(memory)


func attach(plugin: EditorPlugin) -> void:
	plugin.scene_closed.connect(memory.on_scene_closed)


## Whether files were written that the editor does not know yet.
func is_working() -> bool:
	return memory.is_working() or _is_following


## Whether the editor is being told of files that a refactoring has moved.
func is_following() -> bool:
	return _is_following


## Why the file may not be rewritten now; empty if it may. `before` is what its new text was made from, or null.
func refusal(path: String, before: Variant, discards_edits := false) -> String:
	if not discards_edits and unsaved.has(path):
		return _UNSAVED
	if not _is_same(SafeFile.content(path), before):
		return _CHANGED
	return SafeFile.obstacle(path)


## Makes one change, which becomes a step of the editor's undo with `remember`. Returns why not, or nothing.
func write(change: FileChange, discards_edits := false) -> String:
	var reason := refusal(change.path, change.before, discards_edits)
	if reason.is_empty():
		reason = _trial(change.path, change.before, change.after)
	if reason.is_empty():
		reason = _put(change.path, change.after)
	change.is_done = reason.is_empty()
	return reason


## Makes changes that were written a step of the editor's undo, and tells the editor of the files.
func remember(title: String, made: Array[FileChange], discards_edits := false) -> void:
	if made.is_empty():
		return
	undo_redo.create_action(title, UndoRedo.MERGE_DISABLE, self)
	undo_redo.add_do_method(self, &"make_again", title, made)
	undo_redo.add_undo_method(self, &"take_back", title, made)
	undo_redo.commit_action(false)
	_announce(made, discards_edits)


## What is being saved right now, and means the same: without undo, and the editor is not told, because it takes the file's
## time after this. Returns why not, or nothing.
func write_saved(path: String, before: PackedByteArray, after: PackedByteArray) -> String:
	if not _is_same(SafeFile.content(path), before):
		return _CHANGED
	return SafeFile.put(path, after)


## Carries a refactoring out, all of it or nothing, as a step of the editor's undo. Returns why not, or nothing.
func refactor(refactoring: Refactoring) -> String:
	var reason := _carry_out(refactoring, true)
	if not reason.is_empty():
		return reason
	undo_redo.create_action(refactoring.title, UndoRedo.MERGE_DISABLE, self)
	undo_redo.add_do_method(self, &"refactor_again", refactoring)
	undo_redo.add_undo_method(self, &"take_refactoring_back", refactoring)
	undo_redo.commit_action(false)
	return ""


## The method of the editor's undo. What was refused before is not done.
func take_refactoring_back(refactoring: Refactoring) -> void:
	if refactoring.is_applied():
		_tell_of_refactoring("Undo", refactoring, _carry_out(refactoring, false))


## The method of the editor's redo.
func refactor_again(refactoring: Refactoring) -> void:
	if not refactoring.is_applied():
		_tell_of_refactoring("Redo", refactoring, _carry_out(refactoring, true))


## The method of the editor's undo.
func take_back(title: String, changes: Array[FileChange]) -> void:
	_move(changes, false, "Undo of \"%s\"" % title)


## The method of the editor's redo.
func make_again(title: String, changes: Array[FileChange]) -> void:
	_move(changes, true, "Redo of \"%s\"" % title)


## Looks at all files first; a change that was refused before stays as it is.
func _move(changes: Array[FileChange], is_forward: bool, what: String) -> void:
	var refusals: Dictionary[String, String] = {}
	var targets: Dictionary[FileChange, Variant] = {}
	for change: FileChange in changes:
		if change.is_done != is_forward:
			var reason := _aim(change, is_forward, targets)
			if not reason.is_empty():
				refusals[change.path] = reason
	var made: Array[FileChange] = []
	for change: FileChange in targets:
		var reason := _put(change.path, targets[change])
		if reason.is_empty():
			change.is_done = is_forward
			made.append(change)
		else:
			refusals[change.path] = reason
	_announce(made)
	toasts.tell_of_refusals(what, refusals)


## Adds what the file is to hold. Returns why it is to stay as it is, or nothing.
func _aim(change: FileChange, is_forward: bool, targets: Dictionary[FileChange, Variant]) -> String:
	var from: Variant = change.before if is_forward else change.after
	var to: Variant = change.after if is_forward else change.before
	var now: Variant = SafeFile.content(change.path)
	var reason := refusal(change.path, now)
	if not reason.is_empty():
		return reason
	if _is_same(now, from):
		targets[change] = to
	elif now == null:
		return "it was removed since"
	elif from == null or to == null:
		return _CHANGED
	else:
		reason = _merge(change, [from, to, now], targets)
	if reason.is_empty():
		reason = _trial(change.path, now, targets[change])
	if not reason.is_empty():
		targets.erase(change)
	return reason


## The text moved on: what changed from the first to the second of the contents is changed in the third, where that is as
## it was.
func _merge(change: FileChange, contents: Array, targets: Dictionary[FileChange, Variant]) -> String:
	var texts: PackedStringArray = []
	for bytes: PackedByteArray in contents:
		var text: Variant = SceneFiles.as_text(bytes)
		if text == null:
			return _CHANGED
		texts.append(text)
	var merged := Native.merge(texts[0], texts[1], texts[2])
	if merged.error.is_empty():
		targets[change] = merged.text.to_utf8_buffer()
	return merged.error


## The journal of the library writes the files: all of them, or none.
func _carry_out(refactoring: Refactoring, is_forward: bool) -> String:
	var moves := refactoring.moves
	var paths := refactoring.touched()
	if not is_forward:
		moves = {}
		for old: String in refactoring.moves:
			moves[refactoring.moves[old]] = old
		for index: int in paths.size():
			paths[index] = refactoring.new_path(paths[index])
	var moved := MovedMemory.files_of(moves)
	var gone := refactoring.removals if is_forward else PackedStringArray()
	var reason := _refactoring_obstacle(paths, moved, gone)
	if not reason.is_empty():
		return reason
	var settings := FileAccess.get_file_as_string(HeldSettings.PATH)
	reason = refactoring.apply() if is_forward else refactoring.undo()
	if reason.is_empty():
		HeldSettings.take_over(settings, FileAccess.get_file_as_string(HeldSettings.PATH))
		MovedMemory.let_go(gone)
		_follow_refactoring(paths, moved, moves)
	return reason


## What the editor holds must be in the files: it could be saved over them, and what is unsaved may use the old names.
func _refactoring_obstacle(paths: PackedStringArray, moved: Dictionary[String, String], gone: PackedStringArray) -> String:
	if is_working():
		return "the editor is still reading the files of the step before"
	for path: String in EditorInterface.get_open_scenes():
		if unsaved.has(path):
			return "%s has changes that are not saved; save it first" % path
		if moved.has(path) and SceneFiles.root_of(path) == null:
			return "%s moves and is open; close it first" % path
		if path in gone:
			return "%s is open; close it first" % path
	for script: Script in EditorInterface.get_script_editor().get_open_scripts():
		if OpenScripts.is_edited(script.resource_path):
			return "%s has changes that are not saved; save it first" % script.resource_path
	for path: String in paths:
		if path.get_extension() != "gd" and unsaved.has(path):
			return "%s has changes that are not saved; save it first" % path
	return ""


## Lets the editor hold what the files are now: first where they are, then scripts, then what is made with them.
func _follow_refactoring(
	paths: PackedStringArray, moved: Dictionary[String, String], moves: Dictionary[String, String]
) -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	if not moves.is_empty():
		_is_following = true
		MovedMemory.follow(moved, moves)
		file_system.scan()
		while file_system.is_scanning():
			await get_tree().process_frame
		_is_following = false
	var others: PackedStringArray = []
	for path: String in paths:
		var new_path: String = moved.get(path, path)
		if new_path.get_extension() == "gd":
			file_system.update_file(new_path)
			OpenScripts.refresh(new_path)
		elif file_system.get_file_type(new_path).is_empty() and FileAccess.file_exists(new_path):
			# A new one has to be known before what names it is read.
			file_system.update_file(new_path)
		elif not moves.has(path) or moved.has(path):
			others.append(new_path)
	memory.update(others)


func _tell_of_refactoring(what: String, refactoring: Refactoring, reason: String) -> void:
	if not reason.is_empty():
		toasts.push("%s of \"%s\": nothing was changed: %s." % [what, refactoring.title, reason], EditorToaster.SEVERITY_WARNING)


## The editor holds the project's settings, and is told of them at once.
func _put(path: String, content: Variant) -> String:
	if path != HeldSettings.PATH:
		return SafeFile.put(path, content)
	var before := FileAccess.get_file_as_string(path)
	var reason := SafeFile.put(path, content)
	if reason.is_empty():
		HeldSettings.take_over(before, FileAccess.get_file_as_string(path))
	return reason


func _trial(path: String, before: Variant, after: Variant) -> String:
	if before == null or after == null:
		return ""
	var old: PackedByteArray = before
	var new: PackedByteArray = after
	return TrialLoad.obstacle(path, old, new)


func _announce(changes: Array[FileChange], discards_edits := false) -> void:
	if changes.is_empty():
		return
	var paths: PackedStringArray = []
	for change: FileChange in changes:
		paths.append(change.path)
	memory.update(paths, paths if discards_edits else PackedStringArray())


func _on_memory_failed(path: String, reason: String) -> void:
	var failures: Dictionary[String, String] = {path: reason}
	toasts.tell_of_refusals("Reading again", failures)


func _is_same(one: Variant, other: Variant) -> bool:
	return typeof(one) == typeof(other) and one == other
