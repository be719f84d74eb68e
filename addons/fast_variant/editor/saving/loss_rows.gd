@tool
extends RefCounted
## The rows of what a save dropped, in the Problems panel.

enum Action { SHOW, MOVE }

const Loss := preload("loss.gd")
const SaveLosses := preload("save_losses.gd")


static func fill_losses(item: TreeItem, losses: SaveLosses, tree: Tree) -> void:
	item.set_metadata(0, losses)
	item.set_icon(0, tree.get_theme_icon(&"Save", &"EditorIcons"))
	item.set_text(0, "Dropped by the last save (%d)" % losses.losses.size())
	item.set_expand_right(0, true)


static func fill_loss(item: TreeItem, loss: Loss, tree: Tree) -> void:
	item.set_metadata(0, loss)
	item.set_icon(0, tree.get_theme_icon(&"StatusWarning", &"EditorIcons"))
	item.set_text(0, "%s: %s" % [loss.describe(), loss.reason])
	item.set_tooltip_text(0, loss.describe_fully())
	# There is nothing in the other columns.
	item.set_expand_right(0, true)
	item.add_button(0, tree.get_theme_icon(&"FileList", &"EditorIcons"), Action.SHOW, false, "Show What Was Dropped")
	if not loss.near_name.is_empty():
		var hint := "Move Value to %s" % loss.near_name
		item.add_button(0, tree.get_theme_icon(&"MoveUp", &"EditorIcons"), Action.MOVE, false, hint)
