@tool
extends Node
## The only part of the addon that writes files which the editor may hold. It writes over nothing that it does not expect,
## tells the editor, and can undo what it did as long as later work is not in the way.

## Emitted when files were written, undone or done again, and the editor knows them.
signal rewritten(paths: PackedStringArray)

const EditorMemory := preload("editor_memory.gd")
const FileChange := preload("file_change.gd")
const Native := preload("native.gd")
const Rewrite := preload("rewrite.gd")
const SafeFile := preload("safe_file.gd")
const SceneFiles := preload("scene_files.gd")
const Toasts := preload("toasts.gd")
const TrialLoad := preload("trial_load.gd")
const UnsavedEdits := preload("unsaved_edits.gd")
const Words := preload("words.gd")

const _UNSAVED := "it has changes that are not saved"
const _CHANGED := "it was changed since"

var memory := EditorMemory.new()
var toasts: Toasts
var undo_redo: EditorUndoRedoManager
var unsaved: UnsavedEdits


func _ready() -> void:
	memory.unsaved = unsaved
	memory.updated.connect(rewritten.emit)
	memory.failed.connect(_on_memory_failed)
	add_child(memory)


## Whether files were written that the editor does not know yet.
func is_working() -> bool:
	return memory.is_working()


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
		reason = SafeFile.put(change.path, change.after)
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
		var reason := SafeFile.put(change.path, targets[change])
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
