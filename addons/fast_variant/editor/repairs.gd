@tool
extends Node
## Repairs files: fixes, formats, brings back what a save dropped. All of it can be undone in the editor.

const ConfigurationWatch := preload("configuration_watch.gd")
const Diagnostic := preload("diagnostic.gd")
const FileChange := preload("file_change.gd")
const FileRewriter := preload("file_rewriter.gd")
const Native := preload("native.gd")
const Rewrite := preload("rewrite.gd")
const SafeFile := preload("safe_file.gd")
const SaveLosses := preload("save_losses.gd")
const SceneFiles := preload("scene_files.gd")
const Toasts := preload("toasts.gd")
const Words := preload("words.gd")

const CONFIGURATION := ConfigurationWatch.PATH
const _NOT_UTF_8 := "it is not UTF-8"

var rewriter: FileRewriter
var toasts: Toasts


func fix(diagnostic: Diagnostic) -> void:
	var path := diagnostic.path
	_rewrite_all("Fix %s in %s" % [diagnostic.code, path.get_file()], [path],
		func(text: String, _path: String) -> Rewrite: return Native.fix_one(text, diagnostic))


## Applies the safe fixes of exactly these.
func fix_shown(diagnostics: Array[Diagnostic]) -> void:
	var places: Dictionary[String, PackedStringArray] = {}
	for diagnostic: Diagnostic in diagnostics:
		if diagnostic.fix_applicability == "safe":
			var of_file: PackedStringArray = places.get_or_add(diagnostic.path, PackedStringArray())
			of_file.append(diagnostic.place())
			places[diagnostic.path] = of_file
	_rewrite_all("Fix Problems", PackedStringArray(places.keys()),
		func(text: String, path: String) -> Rewrite: return Native.fix_listed(text, path, places[path]))


## Notes in the file that the diagnostic is wanted there.
func ignore_here(diagnostic: Diagnostic) -> void:
	var path := diagnostic.path
	_rewrite_all("Ignore %s in %s" % [diagnostic.code, path.get_file()], [path],
		func(text: String, _path: String) -> Rewrite: return Native.ignore(text, diagnostic))


## Switches the rule off in `gdscene.toml`.
func ignore_in_project(diagnostic: Diagnostic) -> void:
	var before: Variant = SafeFile.content(CONFIGURATION)
	var text: Variant = SceneFiles.as_text(SceneFiles.read(CONFIGURATION))
	if text == null:
		_say("Ignore %s" % diagnostic.code, {CONFIGURATION: _NOT_UTF_8})
		return
	var source: String = text
	var result := Native.ignore_rule(source, diagnostic.code)
	if not result.error.is_empty():
		_say("Ignore %s" % diagnostic.code, {CONFIGURATION: result.error})
		return
	var change := FileChange.new(CONFIGURATION, before, result.text.to_utf8_buffer())
	var title := "Ignore %s in the Project" % diagnostic.code
	_say(title, rewriter.rewrite(title, [change]))


func fix_files(paths: PackedStringArray) -> void:
	_rewrite_all("Fix Scenes", paths,
		func(text: String, path: String) -> Rewrite: return Native.fix(text, path, false))


func format_files(paths: PackedStringArray) -> void:
	_rewrite_all("Format Scenes", paths,
		func(text: String, path: String) -> Rewrite: return Native.format(text, path))


## Writes the text as it was before the save.
func restore(losses: SaveLosses) -> void:
	var title := "Restore %s as It Was before the Save" % losses.path.get_file()
	var now: Variant = SafeFile.content(losses.path)
	_say(title, rewriter.rewrite(title, [FileChange.new(losses.path, now, losses.before)]))


## Replaces the text of one file that has the bytes `before`, or, if they are none, is not there. Returns why not, or nothing.
func replace(title: String, path: String, before: PackedByteArray, text: String) -> String:
	var old: Variant = before
	if before.is_empty() and not FileAccess.file_exists(path):
		old = null
	return rewriter.rewrite(title, [FileChange.new(path, old, text.to_utf8_buffer())]).get(path, "")


## What has just been saved, without undo and without a message: it says the same.
func format_saved(path: String) -> void:
	var before := SceneFiles.read(path)
	var text: Variant = SceneFiles.as_text(before)
	if text == null:
		return
	var source: String = text
	var formatted := Native.format(source, path)
	if not formatted.error.is_empty() or not formatted.is_changed:
		return
	var reason := rewriter.write_saved(path, before, formatted.text.to_utf8_buffer())
	if not reason.is_empty():
		_say("Format on Save", {path: reason})


## `rewrite` takes a text and its path.
func _rewrite_all(title: String, paths: PackedStringArray, rewrite: Callable) -> void:
	var changes: Array[FileChange] = []
	var refusals: Dictionary[String, String] = {}
	for path: String in paths:
		var reason := _plan(path, rewrite, changes)
		if not reason.is_empty():
			refusals[path] = reason
	refusals.merge(rewriter.rewrite(title, changes))
	if refusals.is_empty():
		var changed := Words.counted(changes.size(), "%d file changed.", "%d files changed.")
		toasts.push("%s: %s" % [title, changed], EditorToaster.SEVERITY_INFO)
	else:
		_say(title, refusals)


## Adds the change, if there is one. Returns why the file is left alone, or nothing.
func _plan(path: String, rewrite: Callable, changes: Array[FileChange]) -> String:
	var before: Variant = SafeFile.content(path)
	if before == null:
		return "it is not there any more"
	var bytes: PackedByteArray = before
	var text: Variant = SceneFiles.as_text(bytes)
	if text == null:
		return _NOT_UTF_8
	var result: Rewrite = rewrite.call(text, path)
	if result.error.is_empty() and result.is_changed:
		changes.append(FileChange.new(path, before, result.text.to_utf8_buffer()))
	return result.error


func _say(title: String, refusals: Dictionary[String, String]) -> void:
	toasts.tell_of_refusals(title, refusals)
