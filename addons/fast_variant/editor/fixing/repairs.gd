@tool
extends Node
## Repairs files: fixes, formats, brings back data that a save dropped. All of it can be undone in the editor.

const _Batch := preload("batch.gd")
const _BatchRunner := preload("batch_runner.gd")
const _ConfigurationWatch := preload("../settings/configuration_watch.gd")
const _Diagnostic := preload("../checking/diagnostic.gd")
const _FileChange := preload("../writing/file_change.gd")
const _FileRewriter := preload("../writing/file_rewriter.gd")
const _Ignores := preload("ignores.gd")
const _LiveValues := preload("../saving/live_values.gd")
const _Native := preload("../shared/native.gd")
const _Question := preload("../shared/question.gd")
const _Refactoring := preload("../refactoring/refactoring.gd")
const _Rewrite := preload("rewrite.gd")
const _SafeFile := preload("../writing/safe_file.gd")
const _SaveLosses := preload("../saving/save_losses.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Settings := preload("../settings/settings.gd")
const _Toasts := preload("../checking/toasts.gd")
const _TrialLoad := preload("../writing/trial_load.gd")
const _Words := preload("../shared/words.gd")

const CONFIGURATION := _ConfigurationWatch.PATH
## A property that its object does not have.
const _UNKNOWN_PROPERTY := "TREE015"

var rewriter: _FileRewriter
var toasts: _Toasts

var _runner := _BatchRunner.new()
var _question := ConfirmationDialog.new()
## The action that the question is about.
var _asked: Callable


func _init(rewriter_: _FileRewriter, toasts_: _Toasts) -> void:
	rewriter = rewriter_
	toasts = toasts_
	_runner.finished.connect(_tell)
	add_child(_runner)
	# The rules speak English, so all of it does.
	_question.auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	_question.ok_button_text = "Discard My Changes and Fix"
	_question.confirmed.connect(func() -> void: _asked.call())
	add_child(_question)


## Applies the fix of one diagnostic. If the editor has unsaved changes, a value under a misspelt name is set on the object in the
## editor. Every other fix would drop the changes, and asks first.
func fix(diagnostic: _Diagnostic) -> void:
	if not diagnostic.fix_files.is_empty():
		_fix_in_project([diagnostic])
		return
	if not rewriter.unsaved.has(diagnostic.path):
		_fix_in_file(diagnostic, false)
		return
	if diagnostic.code == _UNKNOWN_PROPERTY and _LiveValues.move_misspelt(rewriter.undo_redo, diagnostic).is_empty():
		var message := "Fix %s: set in the editor; save %s to keep it." % [diagnostic.code, diagnostic.path.get_file()]
		toasts.push(message, EditorToaster.SEVERITY_INFO)
		return
	_asked = _fix_in_file.bind(diagnostic, true)
	_question.title = "Fix %s" % diagnostic.code
	_question.dialog_text = "%s has changes that are not saved.\nFixing reads the file again and drops them." % diagnostic.path
	_Question.ask(_question)


## Rewrites one file; `rewrite` takes its text and its path, and returns a `Rewrite`.
func rewrite_file(title: String, path: String, rewrite: Callable) -> void:
	_rewrite(title, [path], rewrite)


## Applies the safe fixes of exactly these. Fixes of several files come first, each as a step of its own.
func fix_shown(diagnostics: Array[_Diagnostic]) -> void:
	var places: Dictionary[String, PackedStringArray] = {}
	var in_project: Array[_Diagnostic] = []
	for diagnostic: _Diagnostic in diagnostics:
		if not diagnostic.is_safe_to_fix():
			continue
		if not diagnostic.fix_files.is_empty():
			in_project.append(diagnostic)
		else:
			var of_file: PackedStringArray = places.get(diagnostic.path, PackedStringArray())
			of_file.append(diagnostic.place())
			places[diagnostic.path] = of_file
	await _fix_in_project(in_project)
	if not places.is_empty():
		_rewrite("Fix Problems", PackedStringArray(places.keys()),
			func(text: String, path: String) -> _Rewrite: return _Native.fix_listed(text, path, places[path]))


## Applies all safe fixes.
func fix_files(paths: PackedStringArray) -> void:
	_rewrite("Fix Scenes", paths,
		func(text: String, path: String) -> _Rewrite: return _Native.fix(text, path, false))


func fix_project() -> void:
	fix_files(_project_files())


func format_project() -> void:
	format_files(_project_files())


func format_files(paths: PackedStringArray) -> void:
	_rewrite("Format Scenes", paths,
		func(text: String, path: String) -> _Rewrite: return _Native.format(text, path))


## Notes in the file that the diagnostic is wanted there.
func ignore_here(diagnostic: _Diagnostic) -> void:
	_rewrite("Ignore %s in %s" % [diagnostic.code, diagnostic.path.get_file()], [diagnostic.path],
		func(text: String, _path: String) -> _Rewrite: return _Ignores.here(text, diagnostic))


## Switches the rule off in `gdscene.toml`.
func ignore_in_project(diagnostic: _Diagnostic) -> void:
	var title := "Ignore %s in the Project" % diagnostic.code
	var before: Variant = _SafeFile.content(CONFIGURATION)
	var text: Variant = _SceneFiles.as_text(_SceneFiles.read(CONFIGURATION))
	if text == null:
		_tell_of(title, CONFIGURATION, _Batch.NOT_UTF_8)
		return
	var source: String = text
	var result := _Native.ignore_rule(source, diagnostic.code)
	var reason := result.error
	if reason.is_empty():
		reason = _change(title, _FileChange.new(CONFIGURATION, before, result.text.to_utf8_buffer()))
	_tell_of(title, CONFIGURATION, reason)


## The text from before a save, for a file that has the bytes `now`, or null if it is gone. Changes written since the save stay, if
## both can be merged so that Godot loads the result. If the save overwrote the text of another program, the saved text stays, too.
func restored(losses: _SaveLosses, now: Variant) -> PackedByteArray:
	var from := losses.base if losses.is_overwrite() else losses.after
	if now == null or now == from or now == losses.before or now == _formatted(from, losses.path):
		return losses.before
	var current: PackedByteArray = now
	var merged := _merged(from, losses.before, current)
	# A merge by contents has no comments and other text that Godot drops.
	if merged.is_empty() and losses.is_overwrite() and _SceneFiles.is_text(losses.path):
		merged = _Native.merge_sides(losses.path, from, current, losses.before)
	if merged.is_empty() or not _TrialLoad.obstacle(losses.path, current, merged).is_empty():
		return losses.before
	return merged


## Writes the result of `restored`, if the file still has the bytes `now`. Returns why not, or nothing.
func restore(losses: _SaveLosses, now: Variant, discards_edits := false) -> String:
	var title := "Restore %s as It Was before the Save" % losses.path.get_file()
	var refusal := _change(title, _FileChange.new(losses.path, now, restored(losses, now)), discards_edits)
	_tell_of(title, losses.path, refusal)
	return refusal


## Replaces the text of one file that has the bytes `before`, or does not exist if they are empty. Returns why not, or
## nothing.
func replace(title: String, path: String, before: PackedByteArray, text: String) -> String:
	var old: Variant = before
	if before.is_empty() and not FileAccess.file_exists(path):
		old = null
	return _change(title, _FileChange.new(path, old, text.to_utf8_buffer()))


## For a file that has just been saved, without undo and without a message, because its content stays the same.
func format_saved(path: String) -> void:
	var before := _SceneFiles.read(path)
	var after := _formatted(before, path)
	if after == before:
		return
	var reason := rewriter.write_saved(path, before, after)
	if not reason.is_empty():
		_tell_of("Format on Save", path, reason)


## One after the other, because a fix can settle other findings, too.
func _fix_in_project(diagnostics: Array[_Diagnostic]) -> void:
	for diagnostic: _Diagnostic in diagnostics:
		var at: Array = [diagnostic.path, diagnostic.code, diagnostic.line, diagnostic.column]
		var fix_ := _Refactoring.new(&"fix_in_project", at)
		while not fix_.is_ready():
			await get_tree().process_frame
		var reason := fix_.error()
		if reason.is_empty():
			reason = rewriter.refactor(fix_)
		if not reason.is_empty():
			_tell_of("Fix %s" % diagnostic.code, diagnostic.path, reason)
			continue
		var message := "Fix %s: %s in %s." % [diagnostic.code, fix_.title, _Words.counted(fix_.touched().size(), "%d file", "%d files")]
		var undo := rewriter.carry_out_now.bind(rewriter.last_step, false)
		toasts.push(message, EditorToaster.SEVERITY_INFO, "\n".join(fix_.touched()), "Undo", undo)


func _fix_in_file(diagnostic: _Diagnostic, discards_edits: bool) -> void:
	_rewrite("Fix %s in %s" % [diagnostic.code, diagnostic.path.get_file()], [diagnostic.path],
		func(text: String, _path: String) -> _Rewrite: return _Native.fix_one(text, diagnostic), discards_edits)


## `rewrite` takes a text and its path. A few files are done at once.
func _rewrite(title: String, paths: PackedStringArray, rewrite: Callable, discards_edits := false) -> void:
	if _runner.is_busy():
		toasts.push("%s: wait until the rewriting of other files is done." % title, EditorToaster.SEVERITY_WARNING)
		return
	var batch := _Batch.new(rewriter, title, paths, rewrite)
	batch.discards_edits = discards_edits
	if paths.size() > _BatchRunner.ASKED_ABOVE:
		_runner.start(batch)
		return
	while batch.plan_next():
		pass
	while batch.write_next():
		pass
	batch.finish()
	_tell(batch)


func _tell(batch: _Batch) -> void:
	var severity := EditorToaster.SEVERITY_INFO if batch.refusals.is_empty() else EditorToaster.SEVERITY_WARNING
	toasts.push(batch.summary(), severity, batch.details())


func _project_files() -> PackedStringArray:
	var files: PackedStringArray = []
	for path: String in _SceneFiles.texts_in(["res://"]):
		if not _Settings.is_excluded(path):
			files.append(path)
	return files


## Makes the changes from `before` to `after` in `now`, line by line. Returns nothing if that cannot be done.
func _merged(before: PackedByteArray, after: PackedByteArray, now: PackedByteArray) -> PackedByteArray:
	var texts: PackedStringArray = []
	for bytes: PackedByteArray in [before, after, now]:
		var text: Variant = _SceneFiles.as_text(bytes)
		if text == null:
			return PackedByteArray()
		texts.append(text)
	var merged := _Native.merge(texts[0], texts[1], texts[2])
	return merged.text.to_utf8_buffer() if merged.error.is_empty() else PackedByteArray()


## The bytes themselves if they cannot be formatted.
func _formatted(bytes: PackedByteArray, path: String) -> PackedByteArray:
	var text: Variant = _SceneFiles.as_text(bytes)
	if text == null:
		return bytes
	var source: String = text
	return _Native.format(source, path).text.to_utf8_buffer() if _SceneFiles.is_text(path) else bytes


func _tell_of(title: String, path: String, refusal: String) -> void:
	if refusal.is_empty():
		toasts.push("%s: %s changed." % [title, path.get_file()], EditorToaster.SEVERITY_INFO)
	else:
		toasts.push("%s: %s was left alone: %s." % [title, path.get_file(), refusal], EditorToaster.SEVERITY_WARNING, path)


func _change(title: String, change: _FileChange, discards_edits := false) -> String:
	var reason := rewriter.write(change, discards_edits)
	if reason.is_empty():
		rewriter.remember(title, [change], discards_edits)
	return reason
