@tool
extends Node
## Reports new findings in a corner of the editor: once for all that come together, and only findings that the Problems
## panel does not show.

const _Checker := preload("checker.gd")
const _Diagnostic := preload("diagnostic.gd")
const _SaveLosses := preload("../saving/save_losses.gd")
const _Settings := preload("../settings/settings.gd")
const _ToastButton := preload("toast_button.gd")
const _Words := preload("../shared/words.gd")

## Findings within this time are one piece of news.
const _SETTLE_SECONDS := 0.3

var checker: _Checker
## Whether the user sees the Problems panel.
var is_panel_in_sight: Callable

## By severity and path, the findings known last.
var _known: Dictionary[String, Dictionary] = {"error": {}, "warning": {}}
## By path, how many there are by severity.
var _saved: Dictionary[String, Dictionary] = {}
## Files in which a check of the project found errors that are new.
var _found: Dictionary[String, bool] = {}
var _losses: Array[_SaveLosses] = []
var _timer := Timer.new()


func _init(checker_: _Checker) -> void:
	checker = checker_
	checker.file_checked.connect(_on_file_checked)
	checker.project_checked.connect(tell_of_project)
	_timer.wait_time = _SETTLE_SECONDS
	_timer.one_shot = true
	_timer.timeout.connect(_on_timeout)
	add_child(_timer)


## Shown for a file that was saved or opened, if it has new findings.
func tell(path: String, diagnostics: Array[_Diagnostic]) -> void:
	var has_new_errors := _learn(path, diagnostics, "error")
	var has_new_warnings := _learn(path, diagnostics, "warning")
	var level := _Settings.toasts()
	if level == _Settings._ToastLevel.NONE or not has_new_errors and not has_new_warnings:
		return
	var errors := _messages(diagnostics, "error").size()
	if level == _Settings._ToastLevel.ERRORS and not has_new_errors:
		return
	_saved[path] = {"error": errors, "warning": _messages(diagnostics, "warning").size()}
	_timer.start()


## Shown for a check of the whole project, if it finds new errors.
func tell_of_project(files: Dictionary[String, Array]) -> void:
	for path: String in files:
		var diagnostics: Array[_Diagnostic] = []
		diagnostics.assign(files[path])
		if _learn(path, diagnostics, "error") and _Settings.toasts() != _Settings._ToastLevel.NONE:
			_found[path] = true
			_timer.start()


func tell_of_losses(losses: _SaveLosses) -> void:
	if _Settings.toasts() != _Settings._ToastLevel.NONE:
		_losses.append(losses)
		_timer.start()


## Findings that are known from now on are not reported as new later. The part of the addon that rewrites a file
## reports the rewrite.
func note(path: String, diagnostics: Array[_Diagnostic]) -> void:
	for severity: String in _known:
		_learn(path, diagnostics, severity)


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


## With a button, if `action_title` is given. The editor cuts long messages, so the tooltip has all of one.
func push(
	message: String, severity: EditorToaster.Severity, tooltip := "", action_title := "", action := Callable()
) -> void:
	EditorInterface.get_editor_toaster().push_toast(message, severity, tooltip if not tooltip.is_empty() else message)
	if not action_title.is_empty():
		_ToastButton.add.call_deferred(message, action_title, action)


func _on_file_checked(path: String, is_announced: bool) -> void:
	var diagnostics := checker.problems.diagnostics_of(path)
	if is_announced:
		tell(path, diagnostics)
	else:
		note(path, diagnostics)


func _on_timeout() -> void:
	# The checks of a project that has just been opened report together.
	if not checker.is_at_rest() and (checker.file_count() < 0 or _saved.is_empty()):
		_timer.start()
		return
	if not is_panel_in_sight.call():
		_push_problems()
		_push_losses()
	_saved.clear()
	_found.clear()
	_losses.clear()


func _push_problems() -> void:
	if _saved.size() == 1 and _found.is_empty():
		var path: String = _saved.keys()[0]
		var errors: int = _saved[path]["error"]
		var parts: PackedStringArray = []
		if errors > 0:
			parts.append(_Words.counted(errors, "%d error", "%d errors"))
		if _saved[path]["warning"] > 0:
			parts.append(_Words.counted(_saved[path]["warning"], "%d warning", "%d warnings"))
		_push("%s: %s" % [path.get_file(), ", ".join(parts)], errors > 0)
		return
	var with_errors := _found.duplicate()
	for path: String in _saved:
		if _saved[path]["error"] > 0:
			with_errors[path] = true
	if not with_errors.is_empty():
		_push(_Words.counted(with_errors.size(), "%d file has errors.", "%d files have errors."), true)
	elif not _saved.is_empty():
		_push(_Words.counted(_saved.size(), "%d file has warnings.", "%d files have warnings."), false)


func _push(message: String, is_error: bool) -> void:
	var severity := EditorToaster.SEVERITY_ERROR if is_error else EditorToaster.SEVERITY_WARNING
	push(message, severity, "The Problems panel lists them.")


func _push_losses() -> void:
	if _losses.is_empty():
		return
	var message := _losses[0].summary()
	if _losses.size() > 1:
		var count := 0
		for losses: _SaveLosses in _losses:
			count += losses.losses.size()
		message = "Saving %d files dropped %s." % [_losses.size(), _Words.counted(count, "%d thing", "%d things")]
	push(message, EditorToaster.SEVERITY_WARNING, "The Problems panel lists what, and can bring it back.")


## Returns whether there is something that was not known.
func _learn(path: String, diagnostics: Array[_Diagnostic], severity: String) -> bool:
	var before: PackedStringArray = _known[severity].get(path, PackedStringArray())
	var messages := _messages(diagnostics, severity)
	_known[severity][path] = messages
	if messages.is_empty():
		_known[severity].erase(path)
	for message: String in messages:
		if message not in before:
			return true
	return messages.size() > before.size()


func _messages(diagnostics: Array[_Diagnostic], severity: String) -> PackedStringArray:
	var messages: PackedStringArray = []
	for diagnostic: _Diagnostic in diagnostics:
		if diagnostic.severity == severity:
			messages.append(diagnostic.code + diagnostic.message)
	return messages
