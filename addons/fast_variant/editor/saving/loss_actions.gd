@tool
extends Node
## The user's actions for dropped data: see it, move a value to its new name, bring the earlier text back, dismiss it.

const _DroppedWindow := preload("dropped_window.gd")
const _LiveValues := preload("live_values.gd")
const _Loss := preload("loss.gd")
const _LossList := preload("loss_list.gd")
const _LossesBanner := preload("losses_banner.gd")
const _LossRows := preload("loss_rows.gd")
const _Navigator := preload("../places/navigator.gd")
const _OpenScripts := preload("../writing/open_scripts.gd")
const _Problems := preload("../problems/problems.gd")
const _ProblemsTab := preload("../problems/problems_tab.gd")
const _Question := preload("../shared/question.gd")
const _Repairs := preload("../fixing/repairs.gd")
const _RestoreQuestion := preload("restore_question.gd")
const _RestoredSaves := preload("restored_saves.gd")
const _SafeFile := preload("../writing/safe_file.gd")
const _SaveLosses := preload("save_losses.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Saves := preload("saves.gd")
const _Settings := preload("../settings/settings.gd")
const _UnsavedEdits := preload("../writing/unsaved_edits.gd")

var banner: _LossesBanner
var question := _RestoreQuestion.new()
var window := _DroppedWindow.new()

var _list: _LossList
var _navigator: _Navigator
var _repairs: _Repairs
var _restored: _RestoredSaves
var _tab: _ProblemsTab
var _unsaved: _UnsavedEdits


func _init(
	navigator: _Navigator, problems: _Problems, repairs: _Repairs, saves: _Saves, tab: _ProblemsTab, unsaved: _UnsavedEdits
) -> void:
	_list = problems.losses
	_navigator = navigator
	_repairs = repairs
	_restored = _RestoredSaves.new(_list, repairs.rewriter)
	_tab = tab
	_unsaved = unsaved
	saves.audit.dropped.connect(_on_dropped)
	saves.saved.connect(_on_saved)
	question.confirmed.connect(_on_confirmed)
	window.restore_pressed.connect(restore)
	window.dismiss_pressed.connect(dismiss)
	add_child(question)
	add_child(window)
	banner = tab.panel.banner
	banner.show_pressed.connect(show_dropped)
	banner.restore_pressed.connect(restore)
	banner.dismiss_pressed.connect(dismiss)
	banner.dismiss_all_pressed.connect(_list.remove_all)
	tab.panel.tree.loss_opened.connect(open)
	tab.panel.tree.loss_action_pressed.connect(_on_loss_action_pressed)


func _ready() -> void:
	_list.read_kept()
	EditorInterface.get_file_system_dock().files_moved.connect(_list.follow)


func dismiss(losses: _SaveLosses) -> void:
	_list.remove(losses)


## Shows the node or resource that it was dropped from.
func open(losses: _SaveLosses, loss: _Loss) -> void:
	if _SceneFiles.is_scene(losses.path):
		await _navigator.open_node(losses.path, loss.node_path)
	elif _OpenScripts.is_script(losses.path):
		_navigator.open_place(losses.path, loss.line, loss.column)
	elif ResourceLoader.exists(losses.path):
		EditorInterface.edit_resource(load(losses.path))


## `loss` is the loss to begin with; the first one without it.
func show_dropped(losses: _SaveLosses, loss: _Loss = null) -> void:
	window.show_losses(losses, loss)


## Asks first if anything else would be taken back, too.
func restore(losses: _SaveLosses) -> void:
	var now: Variant = _SafeFile.content(losses.path)
	var then := _repairs.restored(losses, now)
	if now == then:
		dismiss(losses)
		banner.say("%s already is as it was before the save." % losses.path.get_file())
	elif question.needs_answer(losses, now, then, _unsaved.has(losses.path)):
		_Question.ask(question)
	else:
		_restore(losses, now, false)


## Sets the value on the node or resource under the name that was probably meant.
func move(losses: _SaveLosses, loss: _Loss) -> void:
	await open(losses, loss)
	if not is_inside_tree():
		return
	var refusal := _LiveValues.move_value(EditorInterface.get_editor_undo_redo(), losses.path, losses.before, loss, loss.near_name)
	if refusal.is_empty():
		loss.moved_value = _LiveValues.object_of(losses.path, loss).get(loss.near_name)
		banner.say("%s has the value of %s now. Save %s to keep it." % [loss.near_name, loss.name, losses.path.get_file()])
	else:
		banner.say("%s was not moved: %s." % [loss.name, refusal])


func _restore(losses: _SaveLosses, now: Variant, discards_edits: bool) -> void:
	if _repairs.restore(losses, now, discards_edits).is_empty():
		_restored.add(losses, now)
		var has_more := _SceneFiles.read(losses.path) != losses.before
		var name_of_file := losses.path.get_file()
		if not has_more:
			banner.say("%s is as it was before the save." % name_of_file)
		elif losses.is_overwrite():
			banner.say("%s has what the save overwrote, and what was saved." % name_of_file)
		else:
			banner.say("%s has what the save dropped, and what was written since." % name_of_file)


func _on_dropped(losses: _SaveLosses) -> void:
	_list.add(losses)
	if _Settings.is_on(_Settings.SHOW_PANEL):
		_tab.show()
	_repairs.toasts.tell_of_losses(losses)


## A value that the user moved and saved under its new name is not lost any more.
func _on_saved(path: String) -> void:
	for losses: _SaveLosses in _list.of(path):
		for loss: _Loss in losses.losses.duplicate():
			var object := _LiveValues.object_of(path, loss) if loss.moved_value != null else null
			if object != null and object.get(loss.near_name) == loss.moved_value:
				_list.remove_loss(losses, loss)


func _on_confirmed() -> void:
	# The user may have dismissed it meanwhile.
	if question.losses != null and _list.has(question.losses):
		_restore(question.losses, question.now, true)
	question.forget()


func _on_loss_action_pressed(losses: _SaveLosses, loss: _Loss, action: _LossRows._Action) -> void:
	match action:
		_LossRows._Action.MOVE:
			move(losses, loss)
		_LossRows._Action.RESTORE:
			restore(losses)
		_LossRows._Action.DISMISS when loss != null:
			_list.remove_loss(losses, loss)
		_LossRows._Action.DISMISS:
			dismiss(losses)
		_LossRows._Action.SHOW:
			show_dropped(losses, loss)
