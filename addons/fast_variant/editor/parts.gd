@tool
extends Node
## The parts of the addon in the editor. Each gets the parts that it needs when it is made, and listens to them itself. A part with
## methods `attach` and `detach` also needs the plugin of the editor. Godot ends the connections of freed objects.

const _AskedCheck := preload("checking/asked_check.gd")
const _CheckTriggers := preload("checking/check_triggers.gd")
const _Checker := preload("checking/checker.gd")
const _ClassWatch := preload("checking/class_watch.gd")
const _Commands := preload("menus/commands.gd")
const _ComparisonWindow := preload("comparing/comparison_window.gd")
const _ConfigurationWatch := preload("settings/configuration_watch.gd")
const _Conflicts := preload("merging/conflicts.gd")
const _Connections := preload("connecting/connections.gd")
const _ExportGuard := preload("exporting/export_guard.gd")
const _ExportQuestion := preload("exporting/export_question.gd")
const _FileMenu := preload("menus/file_menu.gd")
const _FileRewriter := preload("writing/file_rewriter.gd")
const _FirstRun := preload("problems/first_run.gd")
const _LossActions := preload("saving/loss_actions.gd")
const _MergeOffer := preload("merging/merge_offer.gd")
const _Navigator := preload("places/navigator.gd")
const _NewerFiles := preload("saving/newer_files.gd")
const _NodeMenu := preload("menus/node_menu.gd")
const _PlacesWindow := preload("places/places_window.gd")
const _Problems := preload("problems/problems.gd")
const _ProblemsPanel := preload("problems/problems_panel.gd")
const _ProblemsTab := preload("problems/problems_tab.gd")
const _ProjectMenu := preload("menus/project_menu.gd")
const _Reader := preload("reading/reader.gd")
const _Refactorings := preload("refactoring/refactorings.gd")
const _Repairs := preload("fixing/repairs.gd")
const _Saves := preload("saving/saves.gd")
const _SceneBadges := preload("problems/scene_badges.gd")
const _ScriptMarks := preload("problems/script_marks.gd")
const _ScriptMenu := preload("menus/script_menu.gd")
const _Settings := preload("settings/settings.gd")
const _SettingsTooltips := preload("settings/settings_tooltips.gd")
const _SettingsWatch := preload("settings/settings_watch.gd")
const _TextWindow := preload("text/text_window.gd")
const _Toasts := preload("checking/toasts.gd")
const _UnsavedEdits := preload("writing/unsaved_edits.gd")
const _VariantTab := preload("bytes/variant_tab.gd")

var class_watch := _ClassWatch.new()
var commands := _Commands.new()
var configuration := _ConfigurationWatch.new()
var problems := _Problems.new()
var reader := _Reader.new()
var settings := _SettingsWatch.new()
var unsaved := _UnsavedEdits.new()
var checker := _Checker.new(problems)
var toasts := _Toasts.new(checker)
var rewriter := _FileRewriter.new(toasts, unsaved)
var repairs := _Repairs.new(rewriter, toasts)
var saves := _Saves.new(checker, problems, repairs, rewriter)
var text_window := _TextWindow.new(problems, reader, repairs)
var navigator := _Navigator.new(problems, text_window)
var panel := _ProblemsPanel.new(checker, configuration, navigator, problems, reader, repairs)
var tab := _ProblemsTab.new(commands, panel, problems, toasts)
var asked_check := _AskedCheck.new(checker, commands, problems, tab, toasts)
var comparison_window := _ComparisonWindow.new(commands, navigator, rewriter, saves, toasts, unsaved)
var connections := _Connections.new(navigator, panel, repairs)
var conflicts := _Conflicts.new(commands, navigator, panel, problems, rewriter, saves, toasts)
var export_guard := _ExportGuard.new()
var export_question := _ExportQuestion.new(export_guard, toasts)
var first_run := _FirstRun.new(configuration, navigator, reader, repairs, tab)
var loss_actions := _LossActions.new(navigator, problems, repairs, saves, tab, unsaved)
var merge_offer := _MergeOffer.new(panel, reader, toasts)
var newer_files := _NewerFiles.new(panel, saves, toasts, unsaved, loss_actions.window)
var places_window := _PlacesWindow.new(navigator)
var refactorings := _Refactorings.new(commands, navigator, panel, rewriter, toasts)
var scene_badges := _SceneBadges.new(problems, settings, tab)
var script_marks := _ScriptMarks.new(problems, settings, tab)
var project_menu := _ProjectMenu.new(asked_check, reader, refactorings, repairs, tab)

## In the order in which they come into the editor.
var _parts: Array[Object] = [
	class_watch, commands, configuration, reader, settings, unsaved, checker, toasts, rewriter, repairs, saves, text_window,
	navigator, tab, comparison_window, connections, conflicts, export_guard, export_question, first_run, loss_actions,
	merge_offer, newer_files, places_window, refactorings, scene_badges, script_marks, project_menu,
	_CheckTriggers.new(checker, class_watch, configuration, rewriter, settings),
	_FileMenu.new(asked_check, comparison_window, conflicts, places_window, refactorings, repairs),
	_NodeMenu.new(comparison_window, refactorings),
	_ScriptMenu.new(refactorings),
	_SettingsTooltips.new(configuration),
	_VariantTab.new(settings),
]


## Puts everything into the editor.
func attach(plugin: EditorPlugin) -> void:
	_Settings.register()
	for part: Object in _parts:
		if part.has_method(&"attach"):
			part.call(&"attach", plugin)
		var node := part as Node
		# Some have a place of their own in the editor.
		if node != null and node.get_parent() == null:
			add_child(node)


## Takes everything out of the editor again.
func detach(plugin: EditorPlugin) -> void:
	for part: Object in _parts:
		if part.has_method(&"detach"):
			part.call(&"detach", plugin)
	_Settings.unregister()
