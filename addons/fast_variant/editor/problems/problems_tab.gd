@tool
extends RefCounted
## The tab of the Problems panel at the bottom of the editor, which says how much is wrong, and the keys of the panel.

const _Commands := preload("../menus/commands.gd")
const _Icons := preload("../shared/icons.gd")
const _PanelHost := preload("../shared/panel_host.gd")
const _Problems := preload("problems.gd")
const _ProblemsPanel := preload("problems_panel.gd")
const _Toasts := preload("../checking/toasts.gd")

const TITLE := "Problems"

var panel: _ProblemsPanel

var _commands: _Commands
## Null while the addon is switched off.
var _host: _PanelHost
var _problems: _Problems


func _init(commands: _Commands, panel_: _ProblemsPanel, problems: _Problems, toasts: _Toasts) -> void:
	panel = panel_
	_commands = commands
	_problems = problems
	commands.actions[_Commands._Command.SHOW_PANEL] = show
	commands.actions[_Commands._Command.NEXT_PROBLEM] = panel.visit.bind(1)
	commands.actions[_Commands._Command.PREVIOUS_PROBLEM] = panel.visit.bind(-1)
	commands.actions[_Commands._Command.FIX_PROBLEM] = panel.run_action.bind(_ProblemsPanel._Action.FIX)
	problems.changed.connect(_show_counts)
	# The icon is drawn in the theme's colour. Deferred: the editor has the new theme after its windows have it.
	panel.theme_changed.connect(_show_counts, CONNECT_DEFERRED)
	toasts.is_panel_in_sight = panel.is_visible_in_tree


func attach(plugin: EditorPlugin) -> void:
	_host = _PanelHost.new(plugin, panel, TITLE, _commands.shortcut_of(_Commands._Command.SHOW_PANEL))
	plugin.scene_changed.connect(_on_scene_changed)
	_show_counts()
	_on_scene_changed(EditorInterface.get_edited_scene_root())


func detach(_plugin: EditorPlugin) -> void:
	panel.save_state()
	_host.remove()
	_host = null
	panel.queue_free()


## Brings the panel to the front.
func show() -> void:
	if _host != null:
		_host.make_visible()


func _show_counts() -> void:
	if _host == null:
		return
	var errors := _problems.count("error")
	var warnings := _problems.count("warning")
	var dropped := _problems.losses.count()
	var counts: PackedStringArray = []
	if errors + warnings > 0:
		counts.append(str(errors + warnings))
	if dropped > 0:
		counts.append("%d dropped" % dropped)
	var title := TITLE if counts.is_empty() else "%s (%s)" % [TITLE, ", ".join(counts)]
	_host.set_title(title, _Icons.status(errors, warnings + dropped))


func _on_scene_changed(root: Node) -> void:
	panel.filter.set_scene(root.scene_file_path if root != null else "")
