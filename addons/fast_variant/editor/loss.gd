@tool
extends RefCounted
## One thing that a save dropped. A copy of `SceneLoss`, with the reason.

## `comment`, `property`, `connection`, `sub_resource`, `node`, `editable` or `field`
var kind: String
## `not-kept`, `unused`, `misread`, `missing-node` or `unclear`
var cause: String
var node_path: String
## The comment, or what the property, signal, node, field or sub_resource is called.
var name: String
var resource_class: String
var sub_resource: String
var has_script: bool
var files: PackedStringArray
var target: String
var method: String
var changes_arguments: bool
## In the text before the save, from 1.
var line: int
## Why Godot dropped it, in words.
var reason: String


## What it was, in words.
func describe() -> String:
	match kind:
		"comment":
			return "Comment: %s" % name
		"property":
			return "Property %s of %s" % [name, _owner()]
		"connection":
			return "Connection of %s from %s to %s, method %s" % [name, node_path, target, method]
		"sub_resource":
			return "Resource %s of class %s" % [name, resource_class]
		"node":
			return "Place of the node %s" % name
		"editable":
			return "Editable children of %s" % node_path
	return "Field %s" % name


func _owner() -> String:
	if not resource_class.is_empty():
		return ("%s %s" % [resource_class, sub_resource]).strip_edges()
	return "the root" if node_path == "." else node_path
