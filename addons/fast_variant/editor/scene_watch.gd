@tool
extends Node
## The heart of the addon: what happens in the editor goes to those who do something about it.

const Addon := preload("shared/addon.gd")
const AskedCheck := preload("checking/asked_check.gd")
const Checker := preload("checking/checker.gd")
const ClassWatch := preload("checking/class_watch.gd")
const Commands := preload("menus/commands.gd")
const ConfigurationTemplate := preload("settings/configuration_template.gd")
const ConfigurationWatch := preload("settings/configuration_watch.gd")
const FileRewriter := preload("writing/file_rewriter.gd")
const FileMenu := preload("menus/file_menu.gd")
const FirstRun := preload("problems/first_run.gd")
const ComparisonWindow := preload("comparing/comparison_window.gd")
const Conflicts := preload("merging/conflicts.gd")
const Diagnostic := preload("checking/diagnostic.gd")
const HeldSettings := preload("writing/held_settings.gd")
const Icons := preload("shared/icons.gd")
const LossActions := preload("saving/loss_actions.gd")
const Native := preload("shared/native.gd")
const Navigator := preload("places/navigator.gd")
const NodeMenu := preload("menus/node_menu.gd")
const PanelHost := preload("shared/panel_host.gd")
const PlacesWindow := preload("places/places_window.gd")
const Problems := preload("problems/problems.gd")
const ProblemsPanel := preload("problems/problems_panel.gd")
const ProjectMenu := preload("menus/project_menu.gd")
const Refactorings := preload("refactoring/refactorings.gd")
const Repairs := preload("fixing/repairs.gd")
const RuleWindow := preload("problems/rule_window.gd")
const SaveAudit := preload("saving/save_audit.gd")
const SaveLosses := preload("saving/save_losses.gd")
const SceneBadges := preload("problems/scene_badges.gd")
const SceneFiles := preload("shared/scene_files.gd")
const ScriptMenu := preload("menus/script_menu.gd")
const Settings := preload("settings/settings.gd")
const SettingsWatch := preload("settings/settings_watch.gd")
const TextWindow := preload("text/text_window.gd")
const Toasts := preload("checking/toasts.gd")
const UnsavedEdits := preload("writing/unsaved_edits.gd")
const Words := preload("shared/words.gd")

## More files that were rewritten at once are checked with the project.
const _MAX_CHECKED_BY_THEMSELVES := 10

var asked_check := AskedCheck.new()
var audit := SaveAudit.new()
var checker := Checker.new()
var class_watch := ClassWatch.new()
var commands := Commands.new()
var configuration := ConfigurationWatch.new()
var comparison_window := ComparisonWindow.new()
var conflicts := Conflicts.new()
var file_menu := FileMenu.new()
var loss_actions := LossActions.new()
var navigator := Navigator.new()
var node_menu := NodeMenu.new()
var panel := ProblemsPanel.new()
var places_window := PlacesWindow.new()
var problems := Problems.new()
var project_menu := ProjectMenu.new()
var refactorings := Refactorings.new()
var repairs := Repairs.new()
var rewriter := FileRewriter.new()
var rule_window := RuleWindow.new()
var scene_badges := SceneBadges.new()
var script_menu := ScriptMenu.new()
var settings := SettingsWatch.new()
var text_window := TextWindow.new()
var toasts := Toasts.new()
var unsaved := UnsavedEdits.new()

var _plugin: EditorPlugin
var _host: PanelHost


## Puts everything into the editor.
func attach(plugin: EditorPlugin) -> void:
	_plugin = plugin
	Settings.register()
	_acquaint()
	var parts: Array[Node] = [
		audit, checker, class_watch, commands, configuration, loss_actions, navigator, settings, toasts, unsaved, rewriter,
		repairs, refactorings, conflicts, scene_badges
	]
	for part: Node in parts:
		add_child(part)
	for window: Window in _windows():
		EditorInterface.get_base_control().add_child(window)
	commands.add()
	_host = PanelHost.new(plugin, panel, _tab_name(), commands.shortcut_of(Commands.Command.SHOW_PANEL))
	plugin.add_context_menu_plugin(EditorContextMenuPlugin.CONTEXT_SLOT_FILESYSTEM, file_menu)
	plugin.add_context_menu_plugin(EditorContextMenuPlugin.CONTEXT_SLOT_SCENE_TREE, node_menu)
	plugin.add_context_menu_plugin(EditorContextMenuPlugin.CONTEXT_SLOT_SCRIPT_EDITOR_CODE, script_menu)
	plugin.add_tool_submenu_item(_tool_name(), project_menu)
	_listen_to_editor()
	_listen_to_parts()
	_listen_to_menus()
	_show_counts()
	if EditorInterface.get_edited_scene_root() != null:
		_on_scene_changed(EditorInterface.get_edited_scene_root())
	_on_files_changed()
	if FirstRun.is_wanted():
		tell_new_user()


## Takes everything out of the editor again.
func detach() -> void:
	panel.save_state()
	commands.remove()
	_plugin.scene_saved.disconnect(_on_scene_saved)
	_plugin.resource_saved.disconnect(_on_resource_saved)
	_plugin.scene_changed.disconnect(_on_scene_changed)
	_plugin.scene_closed.disconnect(_on_scene_closed)
	var file_system := EditorInterface.get_resource_filesystem()
	file_system.filesystem_changed.disconnect(_on_files_changed)
	file_system.resources_reimported.disconnect(_on_files_reimported)
	_plugin.remove_context_menu_plugin(file_menu)
	_plugin.remove_context_menu_plugin(node_menu)
	_plugin.remove_context_menu_plugin(script_menu)
	# Frees the menu.
	_plugin.remove_tool_menu_item(_tool_name())
	_host.remove()
	_host = null
	panel.queue_free()
	for window: Window in _windows():
		window.queue_free()
	Settings.unregister()


## To be called before the editor saves.
func before_save() -> void:
	if Settings.is_on(Settings.AUDIT_SAVES):
		audit.keep_texts()


## Whether the project may be started: not while errors are known, if the user wants that.
func may_play() -> bool:
	var errors := problems.count("error")
	if errors == 0 or not Settings.is_on(Settings.CHECK_BEFORE_PLAY):
		return true
	show_panel()
	var known := Words.counted(errors, "there is %d error", "there are %d errors")
	toasts.push("Not started: %s in the project." % known, EditorToaster.SEVERITY_ERROR,
		"Editor Settings > Fast Variant > Scenes > Check before Play decides this.")
	return false


## At the top of the panel, which comes to the front the first time.
func tell_new_user() -> void:
	var note := FirstRun.new()
	note.configuration = configuration
	note.configuration_chosen.connect(_on_configuration_chosen)
	note.documentation_chosen.connect(show_documentation)
	panel.add_child(note)
	panel.move_child(note, 0)
	if FirstRun.is_news():
		# The editor lays out its panels after this when it starts.
		show_panel.call_deferred()


func show_documentation() -> void:
	navigator.open_text(Addon.folder().path_join("README.md"), 1)


func show_panel() -> void:
	# The addon may have been switched off meanwhile.
	if _host != null:
		_host.make_visible()


func _windows() -> Array[Window]:
	return [
		comparison_window, conflicts.window, loss_actions.question, loss_actions.window, places_window,
		refactorings.unused_window, refactorings.window, rule_window, text_window
	]


func _acquaint() -> void:
	asked_check.checker = checker
	asked_check.panel = panel
	asked_check.problems = problems
	asked_check.show_panel = show_panel
	asked_check.toasts = toasts
	audit.problems = problems
	checker.problems = problems
	comparison_window.unsaved = unsaved
	conflicts.navigator = navigator
	conflicts.problems = problems
	conflicts.rewriter = rewriter
	conflicts.toasts = toasts
	loss_actions.navigator = navigator
	loss_actions.problems = problems
	loss_actions.repairs = repairs
	loss_actions.undo_redo = _plugin.get_undo_redo()
	loss_actions.unsaved = unsaved
	navigator.problems = problems
	navigator.text_window = text_window
	repairs.rewriter = rewriter
	repairs.toasts = toasts
	refactorings.rewriter = rewriter
	refactorings.toasts = toasts
	scene_badges.problems = problems
	toasts.checker = checker
	toasts.is_panel_in_sight = panel.is_visible_in_tree
	rewriter.toasts = toasts
	rewriter.undo_redo = _plugin.get_undo_redo()
	rewriter.unsaved = unsaved
	unsaved.undo_redo = _plugin.get_undo_redo()
	panel.checker = checker
	panel.add_banner(refactorings.moves_banner)
	panel.configuration_button.configuration = configuration
	panel.navigator = navigator
	panel.problems = problems
	panel.repairs = repairs
	panel.rule_window = rule_window
	text_window.problems = problems


func _listen_to_editor() -> void:
	_plugin.scene_saved.connect(_on_scene_saved)
	_plugin.resource_saved.connect(_on_resource_saved)
	_plugin.scene_changed.connect(_on_scene_changed)
	_plugin.scene_closed.connect(_on_scene_closed)
	var file_system := EditorInterface.get_resource_filesystem()
	file_system.filesystem_changed.connect(_on_files_changed)
	file_system.resources_reimported.connect(_on_files_reimported)


func _listen_to_parts() -> void:
	audit.dropped.connect(_on_dropped)
	audit.saved_along.connect(_on_resource_saved)
	loss_actions.listen_to(panel)
	class_watch.changed.connect(_on_files_changed)
	configuration.changed.connect(checker.check_project)
	checker.file_checked.connect(_on_file_checked)
	checker.project_checked.connect(_on_project_checked)
	problems.changed.connect(_show_counts)
	# The icon is drawn in the theme's colour. Deferred: the editor has the new theme after its windows have it.
	panel.theme_changed.connect(_show_counts, CONNECT_DEFERRED)
	problems.changed.connect(scene_badges.refresh)
	scene_badges.pressed.connect(_on_badge_pressed)
	rewriter.rewritten.connect(_on_rewritten)
	settings.changed.connect(_on_settings_changed)
	text_window.save_requested.connect(_on_text_save_requested)
	text_window.code_pressed.connect(rule_window.explain)
	comparison_window.node_chosen.connect(navigator.select_node)
	comparison_window.node_opened.connect(navigator.open_node)
	comparison_window.text_opened.connect(navigator.open_text)
	places_window.place_opened.connect(_on_place_opened)
	refactorings.window.place_opened.connect(_on_place_opened)
	refactorings.unused_window.place_opened.connect(_on_place_opened)


func _listen_to_menus() -> void:
	commands.chosen.connect(_on_command)
	file_menu.check_chosen.connect(asked_check.check)
	panel.actions.check_asked.connect(asked_check.check)
	panel.actions.resolve_asked.connect(conflicts.resolve)
	file_menu.resolve_chosen.connect(conflicts.resolve)
	file_menu.compare_chosen.connect(comparison_window.compare)
	node_menu.compare_chosen.connect(comparison_window.compare)
	file_menu.fix_chosen.connect(repairs.fix_files)
	file_menu.format_chosen.connect(repairs.format_files)
	file_menu.dependencies_chosen.connect(places_window.show_dependencies)
	file_menu.references_chosen.connect(places_window.show_references)
	file_menu.move_chosen.connect(refactorings.move)
	file_menu.unused_chosen.connect(refactorings.find_unused)
	node_menu.rename_chosen.connect(refactorings.rename_node)
	node_menu.extract_chosen.connect(refactorings.extract)
	script_menu.rename_chosen.connect(refactorings.rename_symbol)
	project_menu.check_chosen.connect(_on_check_project)
	project_menu.fix_chosen.connect(_on_fix_project)
	project_menu.format_chosen.connect(_on_format_project)
	project_menu.unused_chosen.connect(refactorings.find_unused.bind("res://"))
	project_menu.panel_chosen.connect(show_panel)
	project_menu.documentation_chosen.connect(show_documentation)


func _on_scene_saved(path: String) -> void:
	_on_saved(path)
	unsaved.on_saved(path)


func _on_resource_saved(resource: Resource) -> void:
	if not resource is PackedScene:
		_on_saved(resource.resource_path)


func _on_saved(path: String) -> void:
	conflicts.on_saved(path)
	comparison_window.on_changed(path)
	if not SceneFiles.is_text(path):
		return
	if Settings.is_on(Settings.AUDIT_SAVES):
		problems.set_losses(path, null)
		audit.compare(path)
	if Settings.is_on(Settings.FORMAT_ON_SAVE):
		repairs.format_saved(path)
		audit.keep_text(path)
	if Settings.is_on(Settings.CHECK_ON_SAVE):
		checker.check(path)


func _on_scene_closed(path: String) -> void:
	unsaved.on_closed(path)
	rewriter.memory.on_scene_closed(path)


## Another scene came to the front; perhaps it was opened just now.
func _on_scene_changed(root: Node) -> void:
	unsaved.on_shown(root)
	panel.filter.set_scene(root.scene_file_path if root != null else "")
	scene_badges.refresh()
	if root == null or not SceneFiles.is_text(root.scene_file_path):
		return
	var path := root.scene_file_path
	# A scene that is new, or whose file was deleted, has none.
	if not FileAccess.file_exists(path):
		return
	if Settings.is_on(Settings.CHECK_ON_OPEN) and not checker.is_known(path) and not Settings.is_excluded(path):
		checker.check(path)


func _on_files_changed() -> void:
	if Settings.is_on(Settings.CHECK_PROJECT):
		checker.check_project_soon()
	else:
		Native.refresh()


## Those that decide what is in the panel act at once.
func _on_settings_changed(names: PackedStringArray) -> void:
	if Settings.BADGES in names:
		scene_badges.refresh()
	if Settings.EXCLUDED in names:
		checker.forget_excluded()
	if Settings.EXCLUDED in names or Settings.CHECK_PROJECT in names:
		_on_files_changed()


## A file that another program has made meanwhile is left alone.
func _on_configuration_chosen() -> void:
	var path := ConfigurationWatch.PATH
	if not FileAccess.file_exists(path):
		var reason := repairs.replace("Create %s" % path.get_file(), path, PackedByteArray(), ConfigurationTemplate.text())
		if not reason.is_empty():
			toasts.push("%s: %s." % [path, reason], EditorToaster.SEVERITY_ERROR)
			return
	configuration.look()
	navigator.open_text(path, 1)


func _on_files_reimported(_paths: PackedStringArray) -> void:
	_on_files_changed()


func _on_dropped(losses: SaveLosses) -> void:
	problems.set_losses(losses.path, losses)
	if Settings.is_on(Settings.SHOW_PANEL):
		show_panel()
	toasts.tell_of_losses(losses)


func _on_file_checked(path: String, is_announced: bool) -> void:
	var diagnostics := problems.diagnostics_of(path)
	if not is_announced:
		toasts.note(path, diagnostics)
		asked_check.on_file_checked(path)
		return
	toasts.tell(path, diagnostics)
	if not Settings.is_on(Settings.PRINT):
		return
	for diagnostic: Diagnostic in diagnostics:
		# Errors go where the editor shows them in red.
		if diagnostic.severity == "error":
			printerr(diagnostic.describe())
		else:
			print(diagnostic.describe())


func _on_project_checked(changes: Dictionary[String, Array]) -> void:
	toasts.tell_of_project(changes)


func _on_rewritten(paths: PackedStringArray) -> void:
	for path: String in paths:
		comparison_window.on_changed(path)
		if path == HeldSettings.PATH:
			_on_files_changed()
			continue
		if not SceneFiles.is_text(path):
			configuration.look()
			continue
		problems.set_losses(path, null)
		audit.keep_text(path)
		if paths.size() <= _MAX_CHECKED_BY_THEMSELVES:
			checker.check(path, false)
	if paths.size() > _MAX_CHECKED_BY_THEMSELVES:
		checker.check_project()


func _on_text_save_requested(path: String, before: PackedByteArray, text: String) -> void:
	text_window.on_save_answered(text, repairs.replace("Edit the Text of %s" % path.get_file(), path, before, text))


func _on_place_opened(path: String, line: int, column: int) -> void:
	if SceneFiles.is_text(path) or not ResourceLoader.exists(path):
		navigator.open_text(path, line, column)
	elif ResourceLoader.exists(path, "Script"):
		EditorInterface.edit_script(load(path) as Script, line)
	else:
		EditorInterface.select_file(path)


func _on_badge_pressed(diagnostic: Diagnostic) -> void:
	show_panel()
	panel.show_diagnostic(diagnostic)


func _on_command(command: Commands.Command) -> void:
	match command:
		Commands.Command.SHOW_PANEL:
			show_panel()
		Commands.Command.CHECK_PROJECT:
			_on_check_project()
		Commands.Command.NEXT_PROBLEM:
			panel.visit(1)
		Commands.Command.PREVIOUS_PROBLEM:
			panel.visit(-1)
		Commands.Command.FIX_PROBLEM:
			panel.run_action(ProblemsPanel.Action.FIX)
		Commands.Command.RENAME:
			_rename()
		Commands.Command.RESOLVE:
			conflicts.resolve_next()
		Commands.Command.COMPARE:
			_compare()


## The scene at the front, beginning with the node that is selected.
func _compare() -> void:
	var root := EditorInterface.get_edited_scene_root()
	if root == null or root.scene_file_path.is_empty():
		toasts.push("There is no saved scene to compare.", EditorToaster.SEVERITY_INFO)
		return
	var nodes := EditorInterface.get_selection().get_selected_nodes()
	comparison_window.compare(root.scene_file_path, root.get_path_to(nodes[0]) if nodes.size() == 1 else ^"")


## What is at the caret, in the script editor, or else the node that is selected.
func _rename() -> void:
	var scripts := EditorInterface.get_script_editor()
	if scripts.is_visible_in_tree():
		var editor := scripts.get_current_editor()
		var symbol := ScriptMenu.symbol_in(editor.get_base_editor() as CodeEdit if editor != null else null)
		if symbol != null:
			refactorings.rename_symbol(symbol)
		return
	var root := EditorInterface.get_edited_scene_root()
	var nodes := EditorInterface.get_selection().get_selected_nodes()
	if root != null and not root.scene_file_path.is_empty() and nodes.size() == 1:
		refactorings.rename_node(root.scene_file_path, root.get_path_to(nodes[0]))


func _on_check_project() -> void:
	checker.check_project()
	show_panel()


func _on_fix_project() -> void:
	repairs.fix_files(_project_files())


func _on_format_project() -> void:
	repairs.format_files(_project_files())


func _project_files() -> PackedStringArray:
	var files: PackedStringArray = []
	for path: String in SceneFiles.texts_in(["res://"]):
		if not Settings.is_excluded(path):
			files.append(path)
	return files


func _show_counts() -> void:
	if _host == null:
		return
	var errors := problems.count("error")
	var warnings := problems.count("warning") + problems.loss_count()
	var total := errors + warnings
	var title := _tab_name() if total == 0 else "%s (%d)" % [_tab_name(), total]
	_host.set_title(title, Icons.status(errors, warnings))


func _tab_name() -> String:
	return "Problems"


func _tool_name() -> String:
	return "Fast Variant Scenes"
