@tool
extends RefCounted
## Tells of diagnostics in a corner of the editor, once until they change.

const Diagnostic := preload("diagnostic.gd")
const SaveLosses := preload("save_losses.gd")
const Settings := preload("settings.gd")
const Words := preload("words.gd")

## By path, what was told last.
var _told: Dictionary[String, int] = {}


func tell(path: String, diagnostics: Array[Diagnostic]) -> void:
	var errors := _messages(diagnostics, "error")
	var warnings := _messages(diagnostics, "warning")
	var news := hash([errors, warnings])
	if errors.is_empty() and warnings.is_empty():
		_told.erase(path)
		return
	if _told.get(path) == news:
		return
	_told[path] = news
	var level := Settings.toasts()
	if level == Settings.ToastLevel.NONE or (errors.is_empty() and level == Settings.ToastLevel.ERRORS):
		return
	var message := "%s: %s, %s" % [
		path.get_file(), Words.counted(errors.size(), "%d error", "%d errors"),
		Words.counted(warnings.size(), "%d warning", "%d warnings")
	]
	var severity := EditorToaster.SEVERITY_WARNING if errors.is_empty() else EditorToaster.SEVERITY_ERROR
	push(message, severity, "The Problems panel lists them.")


## Of a check of the whole project: one for all files in which errors are new.
func tell_of_project(files: Dictionary[String, Array]) -> void:
	var news := 0
	for path: String in files:
		var diagnostics: Array[Diagnostic] = []
		diagnostics.assign(files[path])
		var errors := _messages(diagnostics, "error")
		var told := hash([errors, _messages(diagnostics, "warning")])
		if not errors.is_empty() and _told.get(path) != told:
			news += 1
			_told[path] = told
	if news > 0 and Settings.toasts() != Settings.ToastLevel.NONE:
		var message := Words.counted(news, "%d file has errors.", "%d files have errors.")
		push(message, EditorToaster.SEVERITY_ERROR, "The Problems panel lists them.")


func tell_of_losses(losses: SaveLosses) -> void:
	if Settings.toasts() == Settings.ToastLevel.NONE:
		return
	push(losses.summary(), EditorToaster.SEVERITY_WARNING, "The Problems panel lists what, and can bring it back.")


## Why files were left alone: for one the reason itself, for more how many.
func tell_of_refusals(what: String, refusals: Dictionary[String, String]) -> void:
	if refusals.is_empty():
		return
	var lines: PackedStringArray = []
	for path: String in refusals:
		lines.append("%s: %s" % [path, refusals[path]])
	var first: String = refusals.keys()[0]
	var message := "%s: %s was left alone: %s." % [what, first.get_file(), refusals[first]]
	if refusals.size() > 1:
		message = "%s: %d files were left alone." % [what, refusals.size()]
	push(message, EditorToaster.SEVERITY_WARNING, "\n".join(lines))


func push(message: String, severity: EditorToaster.Severity, tooltip: String = "") -> void:
	EditorInterface.get_editor_toaster().push_toast(message, severity, tooltip)


func _messages(diagnostics: Array[Diagnostic], severity: String) -> PackedStringArray:
	var messages: PackedStringArray = []
	for diagnostic: Diagnostic in diagnostics:
		if diagnostic.severity == severity:
			messages.append(diagnostic.code + diagnostic.message)
	return messages
