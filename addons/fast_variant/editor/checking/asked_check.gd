@tool
extends RefCounted
## Checks files because somebody asked, and answers: the panel shows what is wrong, or a toast says that nothing is.

const Checker := preload("checker.gd")
const Problems := preload("../problems/problems.gd")
const ProblemsPanel := preload("../problems/problems_panel.gd")
const Toasts := preload("toasts.gd")
const Words := preload("../shared/words.gd")

var checker: Checker
var panel: ProblemsPanel
var problems: Problems
## Brings the panel to the front.
var show_panel: Callable
var toasts: Toasts

var _paths: PackedStringArray = []
## Those that are still to be checked.
var _waiting: Dictionary[String, bool] = {}


func check(paths: PackedStringArray) -> void:
	_paths = paths
	_waiting.clear()
	for path: String in paths:
		_waiting[path] = true
	for path: String in paths:
		checker.check(path, false)


## To be called when a file was checked by itself.
func on_file_checked(path: String) -> void:
	if _waiting.erase(path) and _waiting.is_empty():
		_answer.call_deferred()


func _answer() -> void:
	var count := 0
	var worst := _paths[0]
	for path: String in _paths:
		count += problems.diagnostics_of(path).size()
		if problems.rank(path) < problems.rank(worst):
			worst = path
	var files := _paths[0].get_file() if _paths.size() == 1 else Words.counted(_paths.size(), "%d file", "%d files")
	if count == 0:
		toasts.push("%s: no problems." % files, EditorToaster.SEVERITY_INFO)
		return
	show_panel.call()
	if not panel.show_file(worst):
		var there := Words.counted(count, "%d problem, which the filter hides", "%d problems, which the filter hides")
		toasts.push("%s: %s." % [files, there], EditorToaster.SEVERITY_INFO)
