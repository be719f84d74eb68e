@tool
extends VBoxContainer
## The Problems panel: what is wrong in the project's scenes, and what to do about it.

enum Action { OPEN, EXPLAIN, FIX, IGNORE_HERE, IGNORE_IN_PROJECT, COPY, COPY_ALL }

const Checker := preload("checker.gd")
const ConfigurationButton := preload("configuration_button.gd")
const Diagnostic := preload("diagnostic.gd")
const LossesBanner := preload("losses_banner.gd")
const Navigator := preload("navigator.gd")
const Problems := preload("problems.gd")
const ProblemsFilter := preload("problems_filter.gd")
const ProblemsTree := preload("problems_tree.gd")
const Repairs := preload("repairs.gd")
const RuleWindow := preload("rule_window.gd")

## Where the editor keeps the panel's state, project by project.
const _STATE_SECTION := "fast_variant"
const _STATE_KEY := "problems_panel"

var checker: Checker
var navigator: Navigator
var problems: Problems
var repairs: Repairs
var rule_window: RuleWindow

var banner := LossesBanner.new()
var configuration_button := ConfigurationButton.new()
var filter := ProblemsFilter.new()
var tree := ProblemsTree.new()
var _actions := MenuButton.new()
var _context_menu := PopupMenu.new()
var _fix_all := Button.new()
var _check := Button.new()
var _progress := ProgressBar.new()
var _is_stale := true


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	name = "Problems"
	custom_minimum_size = Vector2(0, 220) * EditorInterface.get_editor_scale()
	_actions.text = "Diagnostic"
	_actions.flat = false
	# Menus are passed over by the Tab key otherwise.
	_actions.focus_mode = Control.FOCUS_ALL
	_fix_all.text = "Fix All Safe"
	_fix_all.tooltip_text = "Applies all fixes after which Godot loads the same. Undo brings the files back."
	_check.text = "Check Project"
	_progress.visible = false
	_progress.custom_minimum_size = Vector2(100, 0) * EditorInterface.get_editor_scale()
	for control: Control in [configuration_button, _actions, _fix_all, _check, _progress]:
		filter.add_child(control)
	for control: Control in [banner, filter, tree]:
		add_child(control)
	add_child(_context_menu)


func _ready() -> void:
	_fill_menu(_actions.get_popup())
	_fill_menu(_context_menu)
	_actions.about_to_popup.connect(_enable_actions.bind(_actions.get_popup()))
	_context_menu.about_to_popup.connect(_enable_actions.bind(_context_menu))
	_fix_all.pressed.connect(_on_fix_all_pressed)
	_check.pressed.connect(_on_check_pressed)
	filter.changed.connect(_on_filter_changed)
	var state := _state()
	var filter_state: Dictionary = state.get("filter", {})
	var folded: Dictionary = state.get("folded", {})
	filter.restore(filter_state)
	tree.folded.assign(folded)
	configuration_button.place_opened.connect(navigator.open_text)
	tree.diagnostic_opened.connect(navigator.open)
	tree.code_pressed.connect(rule_window.explain)
	tree.fix_pressed.connect(repairs.fix)
	tree.folded_changed.connect(save_state)
	tree.gui_input.connect(_on_tree_input)
	problems.changed.connect(_on_problems_changed)
	checker.progressed.connect(_on_progressed)
	checker.running_changed.connect(_on_running_changed)
	visibility_changed.connect(_refresh)
	# The rows have icons and colours of the theme that there was.
	theme_changed.connect(_refresh_later)
	_refresh()

## Keeps the filter and what is folded for the next time.
func save_state() -> void:
	var state := {"filter": filter.state(), "folded": Dictionary(tree.folded)}
	EditorInterface.get_editor_settings().set_project_metadata(_STATE_SECTION, _STATE_KEY, state)

## What the panel shows as soon as it is seen.
func refresh_now() -> void:
	_is_stale = false
	filter.show_counts(problems)
	tree.show_problems(problems, filter)
	_fix_all.disabled = not tree.shown_diagnostics().any(_is_safe_to_fix)


func run_action(action: Action) -> void:
	var diagnostic := tree.selected_diagnostic()
	if action == Action.COPY_ALL:
		DisplayServer.clipboard_set("\n".join(tree.shown_diagnostics().map(_described)))
	if diagnostic == null:
		return
	match action:
		Action.OPEN:
			navigator.open(diagnostic)
		Action.EXPLAIN:
			rule_window.explain(diagnostic.code)
		Action.FIX:
			repairs.fix(diagnostic)
		Action.IGNORE_HERE:
			repairs.ignore_here(diagnostic)
		Action.IGNORE_IN_PROJECT:
			repairs.ignore_in_project(diagnostic)
		Action.COPY:
			DisplayServer.clipboard_set(diagnostic.describe())


func _state() -> Dictionary:
	return EditorInterface.get_editor_settings().get_project_metadata(_STATE_SECTION, _STATE_KEY, {})


func _fill_menu(menu: PopupMenu) -> void:
	menu.add_item("Open", Action.OPEN)
	menu.add_item("Explain Rule", Action.EXPLAIN)
	menu.add_separator()
	menu.add_item("Fix", Action.FIX)
	menu.add_item("Ignore Here", Action.IGNORE_HERE)
	menu.add_item("Ignore Rule in Project", Action.IGNORE_IN_PROJECT)
	menu.add_separator()
	menu.add_item("Copy", Action.COPY)
	menu.add_item("Copy All Shown", Action.COPY_ALL)
	menu.id_pressed.connect(_on_action)


func _enable_actions(menu: PopupMenu) -> void:
	var diagnostic := tree.selected_diagnostic()
	for index: int in menu.item_count:
		menu.set_item_disabled(index, diagnostic == null and menu.get_item_id(index) != Action.COPY_ALL)
	if diagnostic != null:
		menu.set_item_disabled(menu.get_item_index(Action.FIX), not diagnostic.is_fixable())


func _refresh() -> void:
	if _is_stale and is_visible_in_tree():
		refresh_now()


func _on_problems_changed() -> void:
	_show_next_losses()
	_refresh_later()

## Many changes in one frame are shown once.
func _refresh_later() -> void:
	if not _is_stale:
		_is_stale = true
		_refresh.call_deferred()


func _show_next_losses() -> void:
	var shown := banner.losses
	if shown != null and problems.losses_of(shown.path) == shown:
		return
	banner.show_losses(null)
	for path: String in problems.paths():
		if problems.losses_of(path) != null:
			banner.show_losses(problems.losses_of(path))


func _on_filter_changed() -> void:
	refresh_now()
	save_state()


func _on_action(id: int) -> void:
	run_action(id as Action)


func _on_fix_all_pressed() -> void:
	var paths: PackedStringArray = []
	for diagnostic: Diagnostic in tree.shown_diagnostics().filter(_is_safe_to_fix):
		if diagnostic.path not in paths:
			paths.append(diagnostic.path)
	repairs.fix_files(paths)


func _is_safe_to_fix(diagnostic: Diagnostic) -> bool:
	return diagnostic.fix_applicability == "safe"


func _described(diagnostic: Diagnostic) -> String:
	return diagnostic.describe()


func _on_check_pressed() -> void:
	if checker.is_running():
		checker.cancel()
	else:
		checker.check_project()


func _on_running_changed() -> void:
	_progress.visible = checker.is_running()
	_progress.value = 0
	_check.text = "Cancel" if checker.is_running() else "Check Project"


func _on_progressed(done: int, total: int) -> void:
	_progress.max_value = maxi(total, 1)
	_progress.value = done


func _on_tree_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_copy"):
		run_action(Action.COPY)
		tree.accept_event()
	elif event.is_action_pressed(&"ui_menu"):
		_popup_menu(tree.get_item_area_rect(tree.get_selected()).end if tree.get_selected() != null else Vector2.ZERO)
	elif event is InputEventMouseButton:
		var click: InputEventMouseButton = event
		if click.button_index == MOUSE_BUTTON_RIGHT and not click.pressed:
			_popup_menu(click.position)


func _popup_menu(at: Vector2) -> void:
	_context_menu.position = Vector2i(tree.get_screen_position() + at)
	_context_menu.reset_size()
	_context_menu.popup()
