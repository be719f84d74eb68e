@tool
extends Node
## The only part of the addon that writes files which the editor may hold. It overwrites nothing unexpected, notifies the editor,
## and can undo its changes while later work does not conflict with them.

## Emitted when files were written, undone or done again, and the editor knows them.
signal rewritten(paths: PackedStringArray)

const _EditorHistory := preload("editor_history.gd")
const _EditorMemory := preload("editor_memory.gd")
const _FileChange := preload("file_change.gd")
const _FileList := preload("file_list.gd")
const _FileStep := preload("file_step.gd")
const _HeldResource := preload("held_resource.gd")
const _HeldSettings := preload("held_settings.gd")
const _HistoryStep := preload("history_step.gd")
const _MovedMemory := preload("moved_memory.gd")
const _Native := preload("../shared/native.gd")
const _OpenScripts := preload("open_scripts.gd")
const _Refactoring := preload("../refactoring/refactoring.gd")
const _RefactoringStep := preload("refactoring_step.gd")
const _Rewrite := preload("../fixing/rewrite.gd")
const _SafeFile := preload("safe_file.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _ScriptOrder := preload("script_order.gd")
const _Toasts := preload("../checking/toasts.gd")
const _TrialLoad := preload("trial_load.gd")
const _UnsavedEdits := preload("unsaved_edits.gd")
const _Words := preload("../shared/words.gd")

const _UNSAVED := "it has changes that are not saved"
const _CHANGED := "it was changed since"
const _LONGEST_SCAN_MSEC := 30_000

## The refactoring that was carried out last; null before the first one.
var last_step: _RefactoringStep
var memory := _EditorMemory.new()
var toasts: _Toasts
var undo_redo := EditorInterface.get_editor_undo_redo()
var unsaved: _UnsavedEdits

## Whether files have moved and the editor does not know it yet.
var _is_following := false
## Whether a refused step goes back to where it was in the editor's history.
var _is_putting_back := false


func _init(toasts_: _Toasts, unsaved_: _UnsavedEdits) -> void:
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


## Whether the editor is being notified of files that a refactoring has moved.
func is_following() -> bool:
	return _is_following


## Why the file cannot be rewritten now; empty if it can. `before` is the text from which the new text was made, or null.
func refusal(path: String, before: Variant, discards_edits := false) -> String:
	if not discards_edits and unsaved.has(path):
		return _UNSAVED
	if not _is_same(_SafeFile.content(path), before):
		return _CHANGED
	return _SafeFile.obstacle(path)


## Makes one change, which becomes a step of the editor's undo with `remember`. Returns why not, or nothing.
func write(change: _FileChange, discards_edits := false) -> String:
	var reason := refusal(change.path, change.before, discards_edits)
	if reason.is_empty():
		reason = _trial(change.path, change.before, change.after)
	if reason.is_empty():
		reason = _put(change.path, change.after)
	change.is_done = reason.is_empty()
	if change.is_done:
		_HeldResource.forget_touches(change.path)
	return reason


## Makes changes that were written a step of the editor's undo, and notifies the editor of the files.
func remember(title: String, made: Array[_FileChange], discards_edits := false) -> void:
	if made.is_empty():
		return
	_add_to_history(_FileStep.new(title, made))
	_announce(made, discards_edits)


## For a file that is being saved right now, with the same meaning. There is no undo, and the editor is not notified, because it
## takes the file's time after this. Returns why not, or nothing.
func write_saved(path: String, before: PackedByteArray, after: PackedByteArray) -> String:
	if not _is_same(_SafeFile.content(path), before):
		return _CHANGED
	return _SafeFile.put(path, after)


## Carries a refactoring out, all of it or nothing, as a step of the editor's undo. Returns why not, or nothing.
func refactor(refactoring: _Refactoring) -> String:
	var step := _RefactoringStep.new(refactoring)
	var reason := _carry_out(step, true)
	if not reason.is_empty():
		return reason
	step.keep_after()
	last_step = step
	_add_to_history(step)
	return ""


func _add_to_history(step: _HistoryStep) -> void:
	undo_redo.create_action(step.title, UndoRedo.MERGE_DISABLE, self)
	undo_redo.add_do_method(self, &"make_again", step)
	undo_redo.add_undo_method(self, &"take_back", step)
	undo_redo.commit_action(false)


## Takes the refactoring back, or makes it again, wherever it is in the editor's history.
func carry_out_now(step: _RefactoringStep, is_forward: bool) -> void:
	var title := step.title
	var reason := "" if step.is_over(is_forward) else _carry_out(step, is_forward)
	if reason.is_empty():
		var message := ("Done again: %s." if is_forward else "Undone: %s.") % title
		var action := "Undo" if is_forward else "Redo"
		toasts.push(message, EditorToaster.SEVERITY_INFO, "", action, carry_out_now.bind(step, not is_forward))
	else:
		var action := "Redo" if is_forward else "Undo"
		var message := "%s of \"%s\": nothing was changed: %s." % [action, title, reason]
		toasts.push(message, EditorToaster.SEVERITY_WARNING, "", action, carry_out_now.bind(step, is_forward))


## The method of the editor's undo.
func take_back(step: _HistoryStep) -> void:
	_step_in_history(step, false)


## The method of the editor's redo.
func make_again(step: _HistoryStep) -> void:
	_step_in_history(step, true)


## A refused step goes back to where it was. One that there is nothing to do for is passed over.
func _step_in_history(step: _HistoryStep, is_forward: bool) -> void:
	if _is_putting_back:
		_is_putting_back = false
		return
	if step.is_over(is_forward) or step.is_skipped:
		step.is_skipped = false
		_go_on(is_forward)
		return
	var reasons: PackedStringArray = []
	if step is _FileStep:
		reasons = _move((step as _FileStep).changes, is_forward)
	else:
		var reason := _carry_out(step as _RefactoringStep, is_forward)
		reasons = [] if reason.is_empty() else ["nothing was changed: %s" % reason]
	if not reasons.is_empty():
		_report_refused(step, is_forward, reasons)
		_put_back(is_forward)


func _report_refused(step: _HistoryStep, is_forward: bool, reasons: PackedStringArray) -> void:
	var action := "Redo" if is_forward else "Undo"
	var what := reasons[0]
	if reasons.size() > 1:
		what = "%d files were left alone" % reasons.size()
	var message := "%s of \"%s\": %s. The step stays." % [action, step.title, what]
	var tooltip := "\n".join(reasons) + "\n\nSkip lets the editor pass the step over."
	toasts.push(message, EditorToaster.SEVERITY_WARNING, tooltip, "Skip", step.skip)


func _go_on(is_forward: bool) -> void:
	await _EditorHistory.until_free()
	if is_forward:
		_EditorHistory.redo()
	else:
		_EditorHistory.undo()


## Moves the editor's history back over a step that it has just done, without doing anything.
func _put_back(is_forward: bool) -> void:
	await _EditorHistory.until_free()
	_is_putting_back = true
	await _go_on(not is_forward)
	if _is_putting_back:
		# It was another step.
		_is_putting_back = false
		_go_on(is_forward)


## Looks at all files first. Returns why files stay as they are, each with its path.
func _move(changes: Array[_FileChange], is_forward: bool) -> PackedStringArray:
	var refusals: PackedStringArray = []
	var targets: Dictionary[_FileChange, Variant] = {}
	for change: _FileChange in changes:
		if change.is_done != is_forward:
			var reason := _aim(change, is_forward, targets)
			if not reason.is_empty():
				refusals.append("%s: %s" % [change.path, reason])
	var made: Array[_FileChange] = []
	for change: _FileChange in targets:
		var reason := _put(change.path, targets[change])
		if reason.is_empty():
			change.is_done = is_forward
			_HeldResource.forget_touches(change.path)
			made.append(change)
		else:
			refusals.append("%s: %s" % [change.path, reason])
	_announce(made)
	return refusals


## Adds the intended contents of the file. Returns why it is to stay as it is, or nothing.
func _aim(change: _FileChange, is_forward: bool, targets: Dictionary[_FileChange, Variant]) -> String:
	var from: Variant = change.before if is_forward else change.after
	var to: Variant = change.after if is_forward else change.before
	var now: Variant = _SafeFile.content(change.path)
	var reason := refusal(change.path, now)
	if not reason.is_empty():
		return reason
	if _is_same(now, from) or _is_same(now, to):
		# Also a text that Godot cannot load, such as one with conflict markers: the file had it before.
		targets[change] = to
		return ""
	if now == null:
		return "it was removed since"
	if from == null or to == null:
		return _CHANGED
	reason = _merge(change, [from, to, now], targets)
	if reason.is_empty():
		reason = _trial(change.path, now, targets[change])
	if not reason.is_empty():
		targets.erase(change)
	return reason


## The text changed since: the changes from the first to the second of the contents are made in the third, where it is unchanged.
func _merge(change: _FileChange, contents: Array, targets: Dictionary[_FileChange, Variant]) -> String:
	var texts: PackedStringArray = []
	for bytes: PackedByteArray in contents:
		var text: Variant = _SceneFiles.as_text(bytes)
		if text == null:
			return _CHANGED
		texts.append(text)
	var merged := _Native.merge(texts[0], texts[1], texts[2])
	if merged.error.is_empty():
		targets[change] = merged.text.to_utf8_buffer()
	return merged.error


## The journal of the library writes the files: all of them, or none. A file that already has its intended contents stays so.
func _carry_out(step: _RefactoringStep, is_forward: bool) -> String:
	var refactoring := step.refactoring
	var moves := refactoring.moves
	var paths := refactoring.touched()
	if not is_forward:
		moves = {}
		for old: String in refactoring.moves:
			moves[refactoring.moves[old]] = old
		for index: int in paths.size():
			paths[index] = refactoring.new_path(paths[index])
	var moved := _MovedMemory.files_of(moves)
	var gone := refactoring.removals if is_forward else PackedStringArray()
	var reason := _refactoring_obstacle(paths, moved, gone)
	if not reason.is_empty():
		return reason
	var settings := FileAccess.get_file_as_string(_HeldSettings.PATH)
	reason = _run_journal(step, is_forward)
	if reason.is_empty():
		_HeldSettings.take_over(settings, FileAccess.get_file_as_string(_HeldSettings.PATH))
		_MovedMemory.let_go(gone)
		for path: String in paths:
			_HeldResource.forget_touches(path)
		_follow_refactoring(paths, moved, moves)
	return reason


## The journal takes a file only as the step before left it. So a file that a user has reverted by hand gets these contents for a
## moment. Even if the editor is killed then, it contains nothing that is not in the history.
func _run_journal(step: _RefactoringStep, is_forward: bool) -> String:
	var reached := step.reached(is_forward)
	var texts: Dictionary[String, Variant] = {}
	for path: String in reached:
		texts[path] = _SafeFile.content(path)
		var reason := _SafeFile.put(path, reached[path])
		if not reason.is_empty():
			return _restored(texts, "%s: %s" % [path, reason])
	var refactoring := step.refactoring
	return _restored(texts, refactoring.apply() if is_forward else refactoring.undo())


## Returns the reason; with one, the files get these contents.
func _restored(contents: Dictionary[String, Variant], reason: String) -> String:
	if not reason.is_empty():
		for path: String in contents:
			_SafeFile.put(path, contents[path])
	return reason


## The editor's contents must be in the files: they could be saved over them, and unsaved edits may use the old names.
func _refactoring_obstacle(paths: PackedStringArray, moved: Dictionary[String, String], gone: PackedStringArray) -> String:
	if is_working():
		return "the editor is still reading the files of the step before"
	for path: String in EditorInterface.get_open_scenes():
		if unsaved.has(path):
			return "%s has changes that are not saved; save it first" % path
		if moved.has(path) and _SceneFiles.root_of(path) == null:
			return "%s moves and is open; close it first" % path
		if path in gone:
			return "%s is open; close it first" % path
	for script: Script in EditorInterface.get_script_editor().get_open_scripts():
		if _OpenScripts.is_edited(script.resource_path):
			return "%s has changes that are not saved; save it first" % script.resource_path
	for path: String in paths:
		if path.get_extension() != "gd" and unsaved.has(path):
			return "%s has changes that are not saved; save it first" % path
	return ""


## Updates the editor to the files: first their paths, then scripts, then objects that use them.
func _follow_refactoring(
	paths: PackedStringArray, moved: Dictionary[String, String], moves: Dictionary[String, String]
) -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	if not moves.is_empty():
		_is_following = true
		_MovedMemory.follow(moved, moves)
		file_system.scan()
		await _scanned(file_system)
		_is_following = false
	var others: PackedStringArray = []
	var scripts: PackedStringArray = []
	for path: String in paths:
		var new_path: String = moved.get(path, path)
		if new_path.get_extension() == "gd":
			scripts.append(new_path)
		elif not _FileList.is_known(new_path) and FileAccess.file_exists(new_path):
			# A new file must be known before files that name it are read.
			_FileList.update(new_path)
		elif not moves.has(path) or moved.has(path):
			others.append(new_path)
	for path: String in _ScriptOrder.sorted(scripts):
		_FileList.update(path)
		_OpenScripts.refresh(path)
	memory.update(others)


## The editor emits the signal when it has read the classes of the scripts, too; until then it cannot hear of other files.
func _scanned(file_system: EditorFileSystem) -> void:
	var state: Dictionary[String, bool] = {"is_done": false}
	file_system.filesystem_changed.connect(func() -> void: state["is_done"] = true, CONNECT_ONE_SHOT)
	var end := Time.get_ticks_msec() + _LONGEST_SCAN_MSEC
	while (file_system.is_scanning() or not state["is_done"]) and Time.get_ticks_msec() < end:
		await get_tree().process_frame


## The editor holds the project's settings, and is notified at once.
func _put(path: String, content: Variant) -> String:
	if path != _HeldSettings.PATH:
		return _SafeFile.put(path, content)
	var before := FileAccess.get_file_as_string(path)
	var reason := _SafeFile.put(path, content)
	if reason.is_empty():
		_HeldSettings.take_over(before, FileAccess.get_file_as_string(path))
	return reason


func _trial(path: String, before: Variant, after: Variant) -> String:
	if before == null or after == null:
		return ""
	var old: PackedByteArray = before
	var new: PackedByteArray = after
	return _TrialLoad.obstacle(path, old, new)


func _announce(changes: Array[_FileChange], discards_edits := false) -> void:
	if changes.is_empty():
		return
	var paths: PackedStringArray = []
	for change: _FileChange in changes:
		paths.append(change.path)
	memory.update(paths, paths if discards_edits else PackedStringArray())


func _on_memory_failed(path: String, reason: String) -> void:
	var failures: Dictionary[String, String] = {path: reason}
	toasts.tell_of_refusals("Reading again", failures)


func _is_same(one: Variant, other: Variant) -> bool:
	return typeof(one) == typeof(other) and one == other
