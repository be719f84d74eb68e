@tool
extends RefCounted
## The rows for dropped data in the Problems panel.

enum _Action { SHOW, MOVE, RESTORE, DISMISS }

const _Loss := preload("loss.gd")
const _SaveLosses := preload("save_losses.gd")


static func fill_losses(item: TreeItem, losses: _SaveLosses, tree: Tree) -> void:
	item.set_metadata(0, losses)
	item.set_icon(0, tree.get_theme_icon(&"Save", &"EditorIcons"))
	var what := "Overwritten" if losses.is_overwrite() else "Dropped"
	var count := losses.line_count() if losses.is_overwrite() else losses.losses.size()
	item.set_text(0, "%s by the save at %s (%d)" % [what, losses.when(), count])
	item.set_tooltip_text(0, "Double-click to see the file before and after the save.")
	item.set_expand_right(0, true)
	_add_button(item, tree, &"FileList", _Action.SHOW, losses.show_title())
	_add_button(item, tree, &"UndoRedo", _Action.RESTORE, losses.restore_title())
	_add_button(item, tree, &"Close", _Action.DISMISS, "Dismiss")


static func fill_loss(item: TreeItem, loss: _Loss, tree: Tree) -> void:
	item.set_metadata(0, loss)
	item.set_icon(0, tree.get_theme_icon(&"StatusWarning", &"EditorIcons"))
	item.set_text(0, "%s: %s" % [loss.describe(), loss.reason])
	item.set_tooltip_text(0, loss.describe_fully())
	# There is nothing in the other columns.
	item.set_expand_right(0, true)
	var is_overwritten := loss.kind == _Loss.OVERWRITTEN
	_add_button(item, tree, &"FileList", _Action.SHOW, "Compare" if is_overwritten else "Show What Was Dropped")
	if not loss.near_name.is_empty():
		_add_button(item, tree, &"MoveUp", _Action.MOVE, "Move Value to %s" % loss.near_name)
	_add_button(item, tree, &"Close", _Action.DISMISS, "Dismiss")


static func _add_button(item: TreeItem, tree: Tree, icon: StringName, action: _Action, hint: String) -> void:
	item.add_button(0, tree.get_theme_icon(icon, &"EditorIcons"), action, false, hint)
