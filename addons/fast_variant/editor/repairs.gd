@tool
extends Node
## Rewrites files: fixes, formats, brings back what a save dropped. All of it can be undone in the editor.

## Emitted for each file that was written, when the editor knows it.
signal rewritten(path: String)

const ConfigurationWatch := preload("configuration_watch.gd")
const Diagnostic := preload("diagnostic.gd")
const Native := preload("native.gd")
const Rewrite := preload("rewrite.gd")
const SaveLosses := preload("save_losses.gd")
const SceneFiles := preload("scene_files.gd")
const Toasts := preload("toasts.gd")
const UnsavedScenes := preload("unsaved_scenes.gd")
const Words := preload("words.gd")

const CONFIGURATION := ConfigurationWatch.PATH

var toasts: Toasts
var undo_redo: EditorUndoRedoManager
var unsaved: UnsavedScenes


func fix(diagnostic: Diagnostic) -> void:
	var path := diagnostic.path
	_rewrite_all("Fix %s in %s" % [diagnostic.code, path.get_file()], [path],
		func(text: String, _path: String) -> Rewrite: return Native.fix_one(text, diagnostic))


## Notes in the file that the diagnostic is wanted there.
func ignore_here(diagnostic: Diagnostic) -> void:
	var path := diagnostic.path
	_rewrite_all("Ignore %s in %s" % [diagnostic.code, path.get_file()], [path],
		func(text: String, _path: String) -> Rewrite: return Native.ignore(text, diagnostic))


## Switches the rule off in `gdscene.toml`.
func ignore_in_project(diagnostic: Diagnostic) -> void:
	var text: Variant = SceneFiles.as_text(SceneFiles.read(CONFIGURATION))
	var source: String = text if text != null else ""
	var result := Native.ignore_rule(source, diagnostic.code)
	if result.error.is_empty():
		replace("Ignore %s in the Project" % diagnostic.code, CONFIGURATION, result.text)
	else:
		_complain("%s: %s" % [CONFIGURATION, result.error])


func fix_files(paths: PackedStringArray) -> void:
	_rewrite_all("Fix Scenes", paths,
		func(text: String, path: String) -> Rewrite: return Native.fix(text, path, false))


func format_files(paths: PackedStringArray) -> void:
	_rewrite_all("Format Scenes", paths,
		func(text: String, path: String) -> Rewrite: return Native.format(text, path))


## Writes the text as it was before the save.
func restore(losses: SaveLosses, _discards_edits := false) -> void:
	var title := "Restore %s as It Was before the Save" % losses.path.get_file()
	_commit(title, {losses.path: losses.before})


## Replaces the text of one file.
func replace(title: String, path: String, text: String) -> void:
	_commit(title, {path: text.to_utf8_buffer()})


## What has just been saved, without undo and without a message: it says the same. The editor is not told of another file,
## because it takes the file's time after this.
func format_saved(path: String) -> void:
	var text: Variant = SceneFiles.as_text(SceneFiles.read(path))
	if text == null:
		return
	var source: String = text
	var formatted := Native.format(source, path)
	if formatted.error.is_empty() and formatted.is_changed:
		SceneFiles.write(path, formatted.text.to_utf8_buffer())


## The method of the editor's undo.
func put(path: String, bytes: PackedByteArray) -> void:
	var error := SceneFiles.write(path, bytes)
	if error != OK:
		_complain("%s cannot be written: %s" % [path, error_string(error)])
		return
	# Not while the editor is at work on its history: that of the scene is cleared.
	_announce.call_deferred(path)


func _announce(path: String) -> void:
	SceneFiles.announce(path)
	unsaved.on_saved(path)
	rewritten.emit(path)


## `rewrite` takes a text and its path.
func _rewrite_all(title: String, paths: PackedStringArray, rewrite: Callable) -> void:
	var texts: Dictionary[String, PackedByteArray] = {}
	var refusals: PackedStringArray = []
	for path: String in paths:
		var refusal := _rewrite_one(path, rewrite, texts)
		if not refusal.is_empty():
			refusals.append("%s: %s" % [path, refusal])
	_commit(title, texts)
	if not refusals.is_empty():
		var message := Words.counted(refusals.size(), "%d file was left alone.", "%d files were left alone.")
		toasts.push(message, EditorToaster.SEVERITY_WARNING, "\n".join(refusals))
	else:
		var changed := Words.counted(texts.size(), "%d file changed.", "%d files changed.")
		toasts.push("%s: %s" % [title, changed], EditorToaster.SEVERITY_INFO)


## Adds the new text, if it is another one. Returns why it was left alone, or nothing.
func _rewrite_one(path: String, rewrite: Callable, texts: Dictionary[String, PackedByteArray]) -> String:
	if unsaved.has(path):
		return "it has changes that are not saved; save the scene first"
	var text: Variant = SceneFiles.as_text(SceneFiles.read(path))
	if text == null:
		return "it is not UTF-8"
	var result: Rewrite = rewrite.call(text, path)
	if result.error.is_empty() and result.is_changed:
		texts[path] = result.text.to_utf8_buffer()
	return result.error


func _commit(title: String, texts: Dictionary[String, PackedByteArray]) -> void:
	if texts.is_empty():
		return
	undo_redo.create_action(title, UndoRedo.MERGE_DISABLE, self)
	for path: String in texts:
		undo_redo.add_do_method(self, &"put", path, texts[path])
		undo_redo.add_undo_method(self, &"put", path, SceneFiles.read(path))
	undo_redo.commit_action()


func _complain(message: String) -> void:
	push_error("FastVariant: " + message)
	toasts.push(message, EditorToaster.SEVERITY_ERROR)
