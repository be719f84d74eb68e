@tool
extends RefCounted
## Tells what Godot dropped from what the user removed, by what the editor holds: where the property, signal or node is
## still there, the user did it.

const Loss := preload("loss.gd")

## The edited scene's root, or the resource; null if it is not at hand.
var _saved: Object


func _init(saved: Object) -> void:
	_saved = saved


## Those that the user did not make, each with its reason.
func losses_among(candidates: Array[Loss]) -> Array[Loss]:
	return candidates.filter(_is_loss)


func _is_loss(loss: Loss) -> bool:
	loss.reason = _certain_reason(loss) if loss.cause != "unclear" else _likely_reason(loss)
	return not loss.reason.is_empty()


func _certain_reason(loss: Loss) -> String:
	match loss.cause:
		"unused":
			return "nothing refers to it"
		"misread":
			return "Godot read it as a part of what stands before it"
		"missing-node":
			if loss.kind == "node":
				return "its parent is not in the scene; Godot hung it up elsewhere under another name"
			return "a node that it names is not in the scene"
	return "Godot does not keep comments" if loss.kind == "comment" else "Godot knows no such field"


## Empty if it was the user.
func _likely_reason(loss: Loss) -> String:
	match loss.kind:
		"property":
			return _property_reason(loss)
		"connection":
			return _connection_reason(loss)
		"editable":
			return _editable_reason(loss)
	return ""


func _property_reason(loss: Loss) -> String:
	for file: String in loss.files:
		if not ResourceLoader.exists(file):
			return "%s is missing or cannot be loaded" % file
	# These come and go while the editor works: `bones/3/name`, `theme_override_colors/font_color`.
	if loss.name.contains("/"):
		return ""
	if not loss.resource_class.is_empty():
		return _resource_property_reason(loss)
	var root := _saved as Node
	if root == null:
		return ""
	var node := root.get_node_or_null(loss.node_path)
	if node == null:
		return "the instanced scene has no such node any more"
	return "" if loss.name in node else "neither %s nor its script has such a property" % node.get_class()


func _resource_property_reason(loss: Loss) -> String:
	var resource := _saved as Resource
	var reason := "%s has no such property" % loss.resource_class
	if loss.sub_resource.is_empty() and resource != null:
		return "" if loss.name in resource else reason
	# Names with `_` are not listed.
	if loss.has_script or loss.name.begins_with("_") or not ClassDB.class_exists(loss.resource_class):
		return ""
	for property: Dictionary in ClassDB.class_get_property_list(loss.resource_class):
		if property["name"] == loss.name:
			return ""
	return reason


func _connection_reason(loss: Loss) -> String:
	var root := _saved as Node
	if root == null:
		return ""
	var source := root.get_node_or_null(loss.node_path)
	var target := root.get_node_or_null(loss.target)
	if source == null or target == null:
		return "the instanced scene has no such node any more"
	if not source.has_signal(loss.name):
		return "%s has no such signal" % loss.node_path
	# Otherwise Godot keeps a connection to a method that is not there.
	if loss.changes_arguments and not target.has_method(loss.method):
		return "%s has no method %s" % [loss.target, loss.method]
	return ""


func _editable_reason(loss: Loss) -> String:
	var root := _saved as Node
	if root == null or root.get_node_or_null(loss.node_path) != null:
		return ""
	return "the instanced scene has no such node any more"
