@tool
extends RefCounted
## Checks files on request, and answers: the panel shows the problems, or a toast reports that nothing was found. Also answers
## whether the project may be started.

const _Checker := preload("checker.gd")
const _Commands := preload("../menus/commands.gd")
const _Problems := preload("../problems/problems.gd")
const _ProblemsTab := preload("../problems/problems_tab.gd")
const _Settings := preload("../settings/settings.gd")
const _Toasts := preload("toasts.gd")
const _Words := preload("../shared/words.gd")

var _checker: _Checker
var _problems: _Problems
var _tab: _ProblemsTab
var _toasts: _Toasts
var _paths: PackedStringArray = []
## The files that must still be checked.
var _waiting: Dictionary[String, bool] = {}


func _init(checker: _Checker, commands: _Commands, problems: _Problems, tab: _ProblemsTab, toasts: _Toasts) -> void:
	_checker = checker
	_problems = problems
	_tab = tab
	_toasts = toasts
	commands.actions[_Commands._Command.CHECK_PROJECT] = check_project
	checker.file_checked.connect(_on_file_checked)
	tab.panel.actions.check_asked.connect(check)


func check(paths: PackedStringArray) -> void:
	_paths = paths
	_waiting.clear()
	for path: String in paths:
		_waiting[path] = true
	for path: String in paths:
		_checker.check(path, false)


func check_project() -> void:
	_checker.check_project()
	_tab.show()


## Not while errors are known, if the user wants that.
func may_play() -> bool:
	var errors := _problems.count("error")
	if errors == 0 or not _Settings.is_on(_Settings.CHECK_BEFORE_PLAY):
		return true
	_tab.show()
	var known := _Words.counted(errors, "there is %d error", "there are %d errors")
	_toasts.push("Not started: %s in the project." % known, EditorToaster.SEVERITY_ERROR,
		"Editor Settings > Fast Variant > Scenes > Check before Play decides this.")
	return false


func _on_file_checked(path: String, _is_announced: bool) -> void:
	if _waiting.erase(path) and _waiting.is_empty():
		_answer.call_deferred()


func _answer() -> void:
	var count := 0
	var worst := _paths[0]
	for path: String in _paths:
		count += _problems.diagnostics_of(path).size()
		if _problems.rank(path) < _problems.rank(worst):
			worst = path
	var files := _paths[0].get_file() if _paths.size() == 1 else _Words.counted(_paths.size(), "%d file", "%d files")
	if count == 0:
		_toasts.push("%s: no problems." % files, EditorToaster.SEVERITY_INFO)
		return
	_tab.show()
	if not _tab.panel.show_file(worst):
		var there := _Words.counted(count, "%d problem, which the filter hides", "%d problems, which the filter hides")
		_toasts.push("%s: %s." % [files, there], EditorToaster.SEVERITY_INFO)
