@tool
extends RefCounted
## Separates the data that Godot dropped from the data that the user removed, by the objects in the editor: if the
## property, signal or node still exists, the user did it.

const _Diagnostic := preload("../checking/diagnostic.gd")
const _LiveValues := preload("live_values.gd")
const _Loss := preload("loss.gd")
const _SceneFiles := preload("../shared/scene_files.gd")

## Rules on properties that the next save drops: by their name, and by their value, whatever their name.
const _OF_NAMES: PackedStringArray = ["TREE015", "TREE024", "MIG003"]
const _OF_VALUES: PackedStringArray = ["TREE016"]
## The rule that reports git's knowledge of a script's variable.
const _OF_GIT: PackedStringArray = ["TREE024"]

## A property with a near name is looked for among all of an object, so not for thousands of losses.
const _MOST_NEAR_NAMES := 500

## The judged losses that the user removed.
var removed: Array[_Loss] = []

var _path: String
## The edited scene's root; null if it is a resource, or not at hand.
var _root: Node
## The findings of the linter before the save, by line: a scene can have thousands.
var _foretold: Dictionary[int, Array] = {}
var _near_name_count := 0


## `diagnostics` are those of the text before the save.
func _init(path: String, diagnostics: Array[_Diagnostic]) -> void:
	_path = path
	_root = _SceneFiles.root_of(path) if _SceneFiles.is_scene(path) else null
	for diagnostic: _Diagnostic in diagnostics:
		if diagnostic.code in _OF_NAMES or diagnostic.code in _OF_VALUES:
			var of_line: Array = _foretold.get_or_add(diagnostic.line, [])
			of_line.append(diagnostic)


## The losses that the user did not cause, each with its reason.
func losses_among(candidates: Array[_Loss]) -> Array[_Loss]:
	return candidates.filter(_is_loss)


func _is_loss(loss: _Loss) -> bool:
	loss.reason = _certain_reason(loss) if loss.cause != "unclear" else _likely_reason(loss)
	if loss.reason.is_empty():
		removed.append(loss)
	return not loss.reason.is_empty()


func _certain_reason(loss: _Loss) -> String:
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
func _likely_reason(loss: _Loss) -> String:
	match loss.kind:
		"property":
			return _property_reason(loss)
		"connection":
			return _connection_reason(loss)
		"editable":
			return _editable_reason(loss)
	return ""


func _property_reason(loss: _Loss) -> String:
	for file: String in loss.files:
		if not ResourceLoader.exists(file):
			return "%s is missing or cannot be loaded" % file
	var refused := _foretold_of(loss, _OF_VALUES)
	if not refused.is_empty():
		return refused
	var object := _LiveValues.object_of(_path, loss)
	if object != null:
		return _live_reason(loss, object)
	if _root != null and not loss.node_path.is_empty():
		return "the instanced scene has no such node any more"
	var unknown := _foretold_of(loss, _OF_NAMES)
	if not unknown.is_empty() or loss.resource_class.is_empty():
		return unknown
	return _class_reason(loss)


func _live_reason(loss: _Loss, object: Object) -> String:
	if loss.name in object:
		return ""
	# These come and go while the editor works: `bones/3/name`, `theme_override_colors/font_color`.
	if loss.name.contains("/") and _foretold_of(loss, _OF_NAMES).is_empty():
		return ""
	var renamed := _foretold_of(loss, _OF_GIT)
	var new_name := _last_name(renamed)
	if not new_name.is_empty() and new_name in object:
		loss.near_name = new_name
		return renamed
	_near_name_count += 1
	if _near_name_count <= _MOST_NEAR_NAMES:
		loss.near_name = _LiveValues.near_name(object, loss)
	return "%s has no such property" % _LiveValues.called(object)


## The last name that a message quotes: the variable's current name.
func _last_name(message: String) -> String:
	var parts := message.split("`")
	return parts[parts.size() - 2] if parts.size() > 2 else ""


## The linter's finding on the property; empty without one.
func _foretold_of(loss: _Loss, codes: PackedStringArray) -> String:
	for diagnostic: _Diagnostic in _foretold.get(loss.line, []):
		if diagnostic.code in codes and diagnostic.message.contains("`%s`" % loss.name):
			return diagnostic.message
	return ""


## The reason for a resource that is not loaded any more.
func _class_reason(loss: _Loss) -> String:
	# Names with `_` are not listed.
	if loss.has_script or loss.name.begins_with("_") or loss.name.contains("/"):
		return ""
	if not ClassDB.class_exists(loss.resource_class):
		return ""
	for property: Dictionary in ClassDB.class_get_property_list(loss.resource_class):
		if property["name"] == loss.name:
			return ""
	return "%s has no such property" % loss.resource_class


func _connection_reason(loss: _Loss) -> String:
	if _root == null:
		return ""
	var source := _root.get_node_or_null(loss.node_path)
	var target := _root.get_node_or_null(loss.target)
	if source == null or target == null:
		return "the instanced scene has no such node any more"
	if not source.has_signal(loss.name):
		return "%s has no such signal" % _LiveValues.called(source)
	# Otherwise Godot keeps a connection to a missing method.
	if loss.changes_arguments and not target.has_method(loss.method):
		return "%s has no method %s" % [_LiveValues.called(target), loss.method]
	return ""


func _editable_reason(loss: _Loss) -> String:
	if _root == null or _root.get_node_or_null(loss.node_path) != null:
		return ""
	return "the instanced scene has no such node any more"
