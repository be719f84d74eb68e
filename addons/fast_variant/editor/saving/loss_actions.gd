@tool
extends Node
## What the user can do about what a save dropped: see it, move a value to where it belongs, bring the earlier text back.

const DroppedWindow := preload("dropped_window.gd")
const LiveValues := preload("live_values.gd")
const Loss := preload("loss.gd")
const LossesBanner := preload("losses_banner.gd")
const LossRows := preload("loss_rows.gd")
const Native := preload("../shared/native.gd")
const Navigator := preload("../places/navigator.gd")
const Problems := preload("../problems/problems.gd")
const ProblemsTab := preload("../problems/problems_tab.gd")
const Repairs := preload("../fixing/repairs.gd")
const SaveLosses := preload("save_losses.gd")
const SceneFiles := preload("../shared/scene_files.gd")
const Saves := preload("saves.gd")
const Settings := preload("../settings/settings.gd")
const UnsavedEdits := preload("../writing/unsaved_edits.gd")

## So many edits are named in a question.
const _MAX_NAMED := 10

var banner: LossesBanner
var question := ConfirmationDialog.new()
var window := DroppedWindow.new()

var _navigator: Navigator
var _problems: Problems
var _repairs: Repairs
var _tab: ProblemsTab
var _unsaved: UnsavedEdits
## What the question is about.
var _asked: SaveLosses


func _init(
	navigator: Navigator, problems: Problems, repairs: Repairs, saves: Saves, tab: ProblemsTab, unsaved: UnsavedEdits
) -> void:
	_navigator = navigator
	_problems = problems
	_repairs = repairs
	_tab = tab
	_unsaved = unsaved
	saves.audit.dropped.connect(_on_dropped)
	question.auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	question.title = "Restore the Earlier Text"
	question.ok_button_text = "Restore"
	question.confirmed.connect(_on_confirmed)
	add_child(question)
	add_child(window)
	banner = tab.panel.banner
	banner.show_pressed.connect(show_dropped)
	banner.restore_pressed.connect(restore)
	banner.dismiss_pressed.connect(dismiss)
	tab.panel.tree.loss_opened.connect(open)
	tab.panel.tree.loss_action_pressed.connect(_on_loss_action_pressed)


func dismiss(losses: SaveLosses) -> void:
	_problems.set_losses(losses.path, null)


## Shows the node or resource that it was dropped from.
func open(path: String, loss: Loss) -> void:
	if SceneFiles.is_scene(path):
		await _navigator.open_node(path, loss.node_path)
	elif ResourceLoader.exists(path):
		EditorInterface.edit_resource(load(path))


## `loss` is what to begin with; the first one without it.
func show_dropped(losses: SaveLosses, loss: Loss = null) -> void:
	window.show_losses(losses, loss)


## Asks first if anything else would be taken back, too.
func restore(losses: SaveLosses) -> void:
	var taken_back := _taken_back(losses)
	var has_unsaved := _unsaved.has(losses.path)
	if taken_back.is_empty() and not has_unsaved:
		_restore(losses, false)
		return
	_asked = losses
	question.dialog_text = _question(losses.path, taken_back, has_unsaved)
	question.popup_centered()


## Sets the value on the node or resource under the name that was probably meant.
func move(losses: SaveLosses, loss: Loss) -> void:
	await open(losses.path, loss)
	if not is_inside_tree():
		return
	var refusal := LiveValues.move_value(EditorInterface.get_editor_undo_redo(), losses.path, losses.before, loss, loss.near_name)
	if refusal.is_empty():
		banner.say("%s has the value of %s now. Save %s to keep it." % [loss.near_name, loss.name, losses.path.get_file()])
	else:
		banner.say("%s was not moved: %s." % [loss.name, refusal])


func _restore(losses: SaveLosses, discards_edits: bool) -> void:
	_repairs.restore(losses, discards_edits)
	if SceneFiles.read(losses.path) == losses.before:
		_problems.set_losses(losses.path, null)
		banner.say("%s is as it was before the save." % losses.path.get_file())


## What the user did in that save and since then: in the file now, and not in the text before.
func _taken_back(losses: SaveLosses) -> PackedStringArray:
	var edits := Native.edits(losses.before, SceneFiles.read(losses.path))
	for loss: Loss in losses.removed:
		if _was_removed(losses.path, loss):
			edits.append("that %s is gone" % loss.describe())
	return edits


## Not if Godot left it out because it is what there is without it.
func _was_removed(path: String, loss: Loss) -> bool:
	var object := LiveValues.object_of(path, loss)
	return loss.kind != "property" or object == null or object.get(loss.name) != str_to_var(loss.value)


func _question(path: String, taken_back: PackedStringArray, has_unsaved: bool) -> String:
	var parts: PackedStringArray = []
	if not taken_back.is_empty():
		var named := taken_back.slice(0, _MAX_NAMED)
		if taken_back.size() > _MAX_NAMED:
			named.append("and %d more" % (taken_back.size() - _MAX_NAMED))
		parts.append("Restoring %s also takes back:\n\n%s" % [path.get_file(), "\n".join(named)])
	if has_unsaved:
		parts.append("%s has changes that are not saved. They are lost, too." % path.get_file())
	return "\n\n".join(parts)


func _on_dropped(losses: SaveLosses) -> void:
	_problems.set_losses(losses.path, losses)
	if Settings.is_on(Settings.SHOW_PANEL):
		_tab.show()
	_repairs.toasts.tell_of_losses(losses)


func _on_confirmed() -> void:
	var losses := _asked
	_asked = null
	# Another save may have come meanwhile.
	if losses != null and _problems.losses_of(losses.path) == losses:
		_restore(losses, true)


func _on_loss_action_pressed(path: String, loss: Loss, action: LossRows.Action) -> void:
	var losses := _problems.losses_of(path)
	if losses == null:
		return
	if action == LossRows.Action.MOVE:
		move(losses, loss)
	else:
		show_dropped(losses, loss)
