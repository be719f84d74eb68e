@tool
extends Node
## Marks lines with problems in the script editor. A click on a mark leads to the problem in the Problems panel.
##
## Where the script editor is built in another way than the addon knows, there are no marks.

const _Diagnostic := preload("../checking/diagnostic.gd")
const _OpenScripts := preload("../writing/open_scripts.gd")
const _Problems := preload("problems.gd")
const _ProblemsTab := preload("problems_tab.gd")
const _ScriptGutter := preload("script_gutter.gd")
const _Settings := preload("../settings/settings.gd")
const _SettingsWatch := preload("../settings/settings_watch.gd")

var _problems: _Problems
var _tab: _ProblemsTab


func _init(problems: _Problems, settings: _SettingsWatch, tab: _ProblemsTab) -> void:
	_problems = problems
	_tab = tab
	problems.changed.connect(refresh)
	settings.changed.connect(refresh.unbind(1))


func attach(_plugin: EditorPlugin) -> void:
	var editor := EditorInterface.get_script_editor()
	if editor != null:
		# Deferred: it emits this before the script has its text.
		editor.editor_script_changed.connect(refresh.unbind(1), CONNECT_DEFERRED)
	refresh.call_deferred()


func detach(_plugin: EditorPlugin) -> void:
	for edit: CodeEdit in _OpenScripts.edits():
		_remove_from(edit)


## Shows in each open script what is known to be wrong in it.
func refresh() -> void:
	# The addon may have been disabled meanwhile.
	if not is_inside_tree():
		return
	var is_wanted := _Settings.is_on(_Settings.SCRIPT_MARKS)
	var edits := _OpenScripts.edits()
	for edit: CodeEdit in edits:
		var path := edits[edit]
		if is_wanted and _OpenScripts.is_script(path) and not _Settings.is_excluded(path):
			_gutter_of(edit).show_findings(path, _problems.diagnostics_of(path))
		else:
			_remove_from(edit)


func _gutter_of(edit: CodeEdit) -> _ScriptGutter:
	var gutter := _ScriptGutter.of(edit) as _ScriptGutter
	if gutter == null:
		gutter = _ScriptGutter.new(edit)
		gutter.pressed.connect(_on_pressed)
		edit.add_child(gutter)
	return gutter


func _remove_from(edit: CodeEdit) -> void:
	var gutter := _ScriptGutter.of(edit) as _ScriptGutter
	if gutter != null:
		gutter.remove()


## Findings in unsaved text can be missing in the panel, or be in another line there.
func _on_pressed(diagnostic: _Diagnostic) -> void:
	_tab.show()
	for known: _Diagnostic in _problems.diagnostics_of(diagnostic.path):
		if known == diagnostic or known.what() == diagnostic.what():
			_tab.panel.show_diagnostic(known)
			return
