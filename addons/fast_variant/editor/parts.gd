@tool
extends Node
## The parts of the addon in the editor. Each gets the parts that it needs when it is made, and listens to them itself. A part with
## methods `attach` and `detach` also needs the plugin of the editor. Godot ends the connections of freed objects.

const AskedCheck := preload("checking/asked_check.gd")
const CheckTriggers := preload("checking/check_triggers.gd")
const Checker := preload("checking/checker.gd")
const ClassWatch := preload("checking/class_watch.gd")
const Commands := preload("menus/commands.gd")
const ComparisonWindow := preload("comparing/comparison_window.gd")
const ConfigurationWatch := preload("settings/configuration_watch.gd")
const Conflicts := preload("merging/conflicts.gd")
const Connections := preload("connecting/connections.gd")
const ExportGuard := preload("exporting/export_guard.gd")
const ExportQuestion := preload("exporting/export_question.gd")
const FileMenu := preload("menus/file_menu.gd")
const FileRewriter := preload("writing/file_rewriter.gd")
const FirstRun := preload("problems/first_run.gd")
const LossActions := preload("saving/loss_actions.gd")
const MergeOffer := preload("merging/merge_offer.gd")
const Navigator := preload("places/navigator.gd")
const NewerFiles := preload("saving/newer_files.gd")
const NodeMenu := preload("menus/node_menu.gd")
const PlacesWindow := preload("places/places_window.gd")
const Problems := preload("problems/problems.gd")
const ProblemsPanel := preload("problems/problems_panel.gd")
const ProblemsTab := preload("problems/problems_tab.gd")
const ProjectMenu := preload("menus/project_menu.gd")
const Reader := preload("reading/reader.gd")
const Refactorings := preload("refactoring/refactorings.gd")
const Repairs := preload("fixing/repairs.gd")
const Saves := preload("saving/saves.gd")
const SceneBadges := preload("problems/scene_badges.gd")
const ScriptMarks := preload("problems/script_marks.gd")
const ScriptMenu := preload("menus/script_menu.gd")
const Settings := preload("settings/settings.gd")
const SettingsTooltips := preload("settings/settings_tooltips.gd")
const SettingsWatch := preload("settings/settings_watch.gd")
const TextWindow := preload("text/text_window.gd")
const Toasts := preload("checking/toasts.gd")
const UnsavedEdits := preload("writing/unsaved_edits.gd")
const VariantTab := preload("bytes/variant_tab.gd")

var class_watch := ClassWatch.new()
var commands := Commands.new()
var configuration := ConfigurationWatch.new()
var problems := Problems.new()
var reader := Reader.new()
var settings := SettingsWatch.new()
var unsaved := UnsavedEdits.new()
var checker := Checker.new(problems)
var toasts := Toasts.new(checker)
var rewriter := FileRewriter.new(toasts, unsaved)
var repairs := Repairs.new(rewriter, toasts)
var saves := Saves.new(checker, problems, repairs, rewriter)
var text_window := TextWindow.new(problems, reader, repairs)
var navigator := Navigator.new(problems, text_window)
var panel := ProblemsPanel.new(checker, configuration, navigator, problems, reader, repairs)
var tab := ProblemsTab.new(commands, panel, problems, toasts)
var asked_check := AskedCheck.new(checker, commands, problems, tab, toasts)
var comparison_window := ComparisonWindow.new(commands, navigator, rewriter, saves, toasts, unsaved)
var connections := Connections.new(navigator, panel, repairs)
var conflicts := Conflicts.new(commands, navigator, panel, problems, rewriter, saves, toasts)
var export_guard := ExportGuard.new()
var export_question := ExportQuestion.new(export_guard, toasts)
var first_run := FirstRun.new(configuration, navigator, reader, repairs, tab)
var loss_actions := LossActions.new(navigator, problems, repairs, saves, tab, unsaved)
var merge_offer := MergeOffer.new(panel, reader, toasts)
var newer_files := NewerFiles.new(panel, saves, toasts, unsaved, loss_actions.window)
var places_window := PlacesWindow.new(navigator)
var refactorings := Refactorings.new(commands, navigator, panel, rewriter, toasts)
var scene_badges := SceneBadges.new(problems, settings, tab)
var script_marks := ScriptMarks.new(problems, settings, tab)
var project_menu := ProjectMenu.new(asked_check, reader, refactorings, repairs, tab)

## In the order in which they come into the editor.
var _parts: Array[Object] = [
	class_watch, commands, configuration, reader, settings, unsaved, checker, toasts, rewriter, repairs, saves, text_window,
	navigator, tab, comparison_window, connections, conflicts, export_guard, export_question, first_run, loss_actions,
	merge_offer, newer_files, places_window, refactorings, scene_badges, script_marks, project_menu,
	CheckTriggers.new(checker, class_watch, configuration, rewriter, settings),
	FileMenu.new(asked_check, comparison_window, conflicts, places_window, refactorings, repairs),
	NodeMenu.new(comparison_window, refactorings),
	ScriptMenu.new(refactorings),
	SettingsTooltips.new(configuration),
	VariantTab.new(settings),
]


## Puts everything into the editor.
func attach(plugin: EditorPlugin) -> void:
	Settings.register()
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
	Settings.unregister()
