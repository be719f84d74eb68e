@tool
extends VBoxContainer
## The Problems panel: the problems in the project's scenes, and the actions for them.

const _Action := _Menu._Action
const _Actions := preload("problems_actions.gd")
const _Checker := preload("../checking/checker.gd")
const _ConfigurationButton := preload("../settings/configuration_button.gd")
const _ConfigurationWatch := preload("../settings/configuration_watch.gd")
const _Diagnostic := preload("../checking/diagnostic.gd")
const _Group := preload("problems_group.gd")
const _LossesBanner := preload("../saving/losses_banner.gd")
const _Menu := preload("problems_menu.gd")
const _Navigator := preload("../places/navigator.gd")
const _Note := preload("problems_note.gd")
const _Problems := preload("problems.gd")
const _ProblemsFilter := preload("problems_filter.gd")
const _ProblemsTree := preload("problems_tree.gd")
const _ProgressStrip := preload("progress_strip.gd")
const _QuietNotes := preload("quiet_notes.gd")
const _Reader := preload("../reading/reader.gd")
const _Repairs := preload("../fixing/repairs.gd")
const _View := preload("problems_view.gd")

## The time for building the list in one frame.
const _FRAME_BUDGET_USEC := 5000
const _ALL_AT_ONCE := 1 << 62

## Where the editor keeps the panel's state, project by project.
const _STATE_SECTION := "fast_variant"
const _STATE_KEY := "problems_panel"

var checker: _Checker
var navigator: _Navigator
var problems: _Problems
var reader: _Reader
var repairs: _Repairs

var actions := _Actions.new()
var banner := _LossesBanner.new()
var configuration_button := _ConfigurationButton.new()
var filter := _ProblemsFilter.new()
var note := _Note.new()
var notes := _QuietNotes.new()
var toolbar := HFlowContainer.new()
var tree := _ProblemsTree.new()
var _buttons := HBoxContainer.new()
var _menu_button := MenuButton.new()
var _context_menu := PopupMenu.new()
var _fix_all := Button.new()
var _check := Button.new()
var _progress := _ProgressStrip.new()
## The shown view; null before there is one.
var _view: _View
## The next view; null if none is being made.
var _next_view: _View
var _is_stale := true
## The position of the last visited problem in the list.
var _visited := 0


func _init(
	checker_: _Checker, configuration: _ConfigurationWatch, navigator_: _Navigator, problems_: _Problems, reader_: _Reader,
	repairs_: _Repairs
) -> void:
	checker = checker_
	navigator = navigator_
	problems = problems_
	reader = reader_
	repairs = repairs_
	configuration_button.configuration = configuration
	actions.navigator = navigator
	actions.reader = reader
	actions.repairs = repairs
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	name = "Problems"
	custom_minimum_size = Vector2(0, 220) * EditorInterface.get_editor_scale()
	_menu_button.tooltip_text = "What can be done with the selected problem, file or rule."
	# Menus are passed over by the Tab key otherwise.
	_menu_button.focus_mode = Control.FOCUS_ALL
	_fix_all.tooltip_text = "Applies those shown fixes after which Godot loads the same. Undo brings the files back."
	_check.text = "Check Project"
	for control: Control in [configuration_button, _menu_button, _fix_all, _check]:
		_buttons.add_child(control)
	filter.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	for control: Control in [filter, _buttons]:
		toolbar.add_child(control)
	for control: Control in [banner, toolbar, _progress, notes, tree]:
		add_child(control)
	tree.add_child(note)
	note.set_anchors_and_offsets_preset(Control.PRESET_FULL_RECT)
	add_child(_context_menu)


func _ready() -> void:
	for menu: PopupMenu in [_menu_button.get_popup(), _context_menu]:
		menu.about_to_popup.connect(_fill_menu.bind(menu))
		menu.id_pressed.connect(_on_action)
	_fix_all.pressed.connect(fix_all)
	_check.pressed.connect(_on_check_pressed)
	filter.changed.connect(_on_filter_changed)
	note.clear_filter_pressed.connect(filter.clear)
	note.check_pressed.connect(_on_check_pressed)
	_restore_state()
	_listen_to_tree()
	configuration_button.place_opened.connect(navigator.open_text)
	problems.changed.connect(_on_problems_changed)
	checker.progressed.connect(_on_progressed)
	checker.running_changed.connect(_on_running_changed)
	visibility_changed.connect(_refresh)
	# The rows have icons and colours of the theme that there was.
	theme_changed.connect(_on_theme_changed)
	_on_theme_changed()


## Keeps the filter and the folded groups for the next time.
func save_state() -> void:
	var state := {"filter": filter.state(), "folded": Dictionary(tree.folded)}
	EditorInterface.get_editor_settings().set_project_metadata(_STATE_SECTION, _STATE_KEY, state)


## Below that of losses.
func add_banner(other: Control) -> void:
	add_child(other)
	move_child(other, banner.get_index() + 1)


## Shows all of it at once, not when it is next seen.
func refresh_now() -> void:
	_show(_ALL_AT_ONCE)


func run_action(action: _Action) -> void:
	var diagnostic := tree.selected_diagnostic()
	var group := tree.selected_group()
	var selected := tree.selected_diagnostics()
	if action == _Action.COPY_ALL:
		actions.copy(shown_diagnostics())
	elif action == _Action.SHOW_ONLY_RULE and not selected.is_empty():
		filter.show_only(selected[0].code)
	elif action == _Action.FIX_RULE and diagnostic != null:
		repairs.fix_shown(_of_rule(diagnostic.code))
	elif diagnostic != null:
		actions.run(action, diagnostic)
	elif group != null:
		actions.run_on_group(action, group)


## All problems that pass the filter, in the order of the rows, also those without a row because their group is folded.
func shown_diagnostics() -> Array[_Diagnostic]:
	if _view == null or _is_stale or _next_view != null:
		_show(_ALL_AT_ONCE)
	return _view.in_order()


func fix_all() -> void:
	repairs.fix_shown(shown_diagnostics())


## Opens the problem that is `step` rows after the one visited last.
func visit(step: int) -> void:
	var shown := shown_diagnostics()
	if shown.is_empty():
		return
	var current := tree.selected_diagnostic()
	var at := shown.find(current) if current != null else -1
	if at < 0:
		# The one visited last is mended: the next one has taken its place.
		at = _visited - 1 if step > 0 else _visited
	_visited = posmod(at + step, shown.size())
	tree.select_diagnostic(shown[_visited])
	navigator.open(shown[_visited])


## Shows the problems of a file. Returns whether the filter shows any finding.
func show_file(path: String) -> bool:
	_show(_ALL_AT_ONCE)
	return tree.select_file(path)


## Returns whether it has a row with the present filter.
func show_diagnostic(diagnostic: _Diagnostic) -> bool:
	_show(_ALL_AT_ONCE)
	return tree.select_diagnostic(diagnostic)


## Whether it shows all known problems.
func is_at_rest() -> bool:
	return _next_view == null and not _is_stale


func _restore_state() -> void:
	var state: Dictionary = EditorInterface.get_editor_settings().get_project_metadata(_STATE_SECTION, _STATE_KEY, {})
	var filter_state: Dictionary = state.get("filter", {})
	var folded: Dictionary = state.get("folded", {})
	filter.restore(filter_state)
	tree.folded.assign(folded)


func _listen_to_tree() -> void:
	tree.diagnostic_opened.connect(navigator.open)
	tree.text_opened.connect(actions.open_text)
	tree.file_opened.connect(actions.open_file)
	tree.code_pressed.connect(reader.explain)
	tree.fix_pressed.connect(repairs.fix)
	tree.fix_all_pressed.connect(repairs.fix_shown)
	tree.folded_changed.connect(save_state)
	tree.gui_input.connect(_on_tree_input)


## Later, if it takes longer than `budget_usec`.
func _show(budget_usec := _FRAME_BUDGET_USEC) -> void:
	_is_stale = false
	var view := _View.new(problems, filter.query(), filter.grouping_id())
	_next_view = view
	await view.build(budget_usec)
	# Meanwhile something else may be wanted.
	if _next_view == view:
		_next_view = null
		_present(view)
		_refresh()


func _present(view: _View) -> void:
	_view = view
	filter.show_counts(view)
	note.explain(view, checker.file_count(), checker.is_running())
	tree.show_view(view)
	var safe := view.diagnostics.filter(_is_safe_to_fix).size()
	_fix_all.disabled = safe == 0
	_fix_all.text = "Fix %d Safe" % safe if safe > 0 else "Fix Safe"


func _fill_menu(menu: PopupMenu) -> void:
	var diagnostic := tree.selected_diagnostic()
	var same_rule := 0
	if diagnostic != null:
		same_rule = _of_rule(diagnostic.code).filter(_is_safe_to_fix).size()
	_Menu.fill(menu, tree.selected_group(), diagnostic, same_rule)


func _of_rule(code: String) -> Array[_Diagnostic]:
	return shown_diagnostics().filter(func(diagnostic: _Diagnostic) -> bool: return diagnostic.code == code)


func _is_safe_to_fix(diagnostic: _Diagnostic) -> bool:
	return diagnostic.is_safe_to_fix()


func _refresh() -> void:
	# The view being made is shown first: while a check runs, there is news in each frame.
	if _is_stale and _next_view == null and is_visible_in_tree():
		_show()


func _on_problems_changed() -> void:
	_show_losses()
	_refresh_later()


## Many changes in one frame are shown once.
func _refresh_later() -> void:
	if not _is_stale:
		_is_stale = true
		_refresh.call_deferred()


func _show_losses() -> void:
	banner.show_losses(problems.losses)


func _on_theme_changed() -> void:
	_menu_button.icon = get_theme_icon(&"GuiTabMenuHl", &"EditorIcons")
	# As wide as with either text, so that nothing moves under the mouse.
	_check.custom_minimum_size.x = 0
	var text := _check.text
	_check.text = "Check Project"
	_check.custom_minimum_size.x = _check.get_combined_minimum_size().x
	_check.text = text
	_refresh_later()


func _on_filter_changed() -> void:
	_show()
	save_state()


func _on_action(id: int) -> void:
	run_action(id as _Action)


func _on_check_pressed() -> void:
	if checker.is_running():
		checker.cancel()
	else:
		checker.check_project()


func _on_running_changed() -> void:
	_progress.value = 0
	_check.text = "Cancel" if checker.is_running() else "Check Project"
	_refresh_later()


func _on_progressed(done: int, total: int) -> void:
	_progress.value = float(done) / maxi(total, 1)


func _on_tree_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_copy"):
		run_action(_Action.COPY)
		tree.accept_event()
	elif event.is_action_pressed(&"ui_menu"):
		var row := tree.get_item_area_rect(tree.get_selected(), 0) if tree.get_selected() != null else Rect2()
		_popup_menu(Vector2(row.position.x, row.end.y) - tree.get_scroll())
	elif event is InputEventMouseButton:
		var click: InputEventMouseButton = event
		if click.button_index == MOUSE_BUTTON_RIGHT and not click.pressed:
			_popup_menu(click.position)


func _popup_menu(at: Vector2) -> void:
	_context_menu.position = Vector2i(tree.get_screen_position() + at)
	_context_menu.reset_size()
	_context_menu.popup()
