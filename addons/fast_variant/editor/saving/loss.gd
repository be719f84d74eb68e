@tool
extends RefCounted
## One thing that a save dropped. A copy of `SceneLoss`, with the reason; or lines that a save has overwritten.

const _Words := preload("../shared/words.gd")

## The kind of lines that another program had written, and that the editor overwrote.
const OVERWRITTEN := "overwritten"

const _MAX_VALUE_LENGTH := 80

## `comment`, `property`, `connection`, `sub_resource`, `node`, `editable`, `field` or `overwritten`
var kind: String
## `not-kept`, `unused`, `misread`, `missing-node` or `unclear`; of lines that were overwritten `new` or `gone`
var cause: String
var node_path: String
## The comment, or the name of the property, signal, node, field or sub_resource.
var name: String
var resource_class: String
var sub_resource: String
var has_script: bool
var files: PackedStringArray
var target: String
var method: String
var changes_arguments: bool
## The earlier text: a property's value, a whole section, the comment, the field.
var value: String
## In the text before the save, from 1.
var line: int
var column: int
var last_line: int
## Why Godot dropped it, in words.
var reason: String
## The property that was probably meant; empty if none is near that takes the value.
var near_name: String
## The value under that name, if the user moved it; null before that.
var moved_value: Variant


## The lost data, in words.
func describe() -> String:
	match kind:
		"comment":
			return "Comment %s" % name
		"property":
			return "%s = %s%s" % [name, _value_in_a_line(), _owner()]
		"connection":
			return "Connection of %s from %s to %s, method %s" % [name, _node(node_path), _node(target), method]
		"sub_resource":
			return "Resource %s of class %s" % [name, resource_class]
		"node":
			return "Place of the node %s" % name
		"editable":
			return "Editable children of %s" % node_path
		OVERWRITTEN:
			return "%s: %s" % [_Words.counted(line_count(), "%d line", "%d lines"), _value_in_a_line()]
	return "Field %s" % value


## How many lines of the file it was.
func line_count() -> int:
	return value.count("\n") + 1


## All that is known of it, for the one who wants to write it again.
func describe_fully() -> String:
	return "%s\n%s\nIt stood in line %d before the save." % [source(), reason, line]


## As it was in the file.
func source() -> String:
	return "%s = %s" % [name, value] if kind == "property" else value


func _value_in_a_line() -> String:
	var in_a_line := " ".join(value.split("\n"))
	return in_a_line if in_a_line.length() <= _MAX_VALUE_LENGTH else in_a_line.left(_MAX_VALUE_LENGTH) + "…"


func _node(path: String) -> String:
	return "the root" if path == "." else path


## Empty for the root, and for the resource that is the file.
func _owner() -> String:
	if not sub_resource.is_empty():
		return " of %s %s" % [resource_class, sub_resource]
	return "" if node_path in ["", "."] else " of %s" % node_path
