@tool
extends RefCounted
## The differences between a file and the last commit. Copies of the results of `SceneComparison`.

const _Change := preload("comparison_change.gd")
const _Words := preload("../shared/words.gd")

## A node of both trees.
class _ComparedNode:
	var name: String
	## How many nodes are above it.
	var depth: int
	var type_name: String
	## Null if both have the same.
	var change: _Change

var changes: Array[_Change] = []
## All nodes of a scene, also the removed ones, in the order of its tree.
var tree: Array[_ComparedNode] = []
## Differences without a meaning: `12 ids of resources`.
var noise: PackedStringArray = []
## How many changes were left out, because there are too many.
var left_out: int


func _init(native: Dictionary) -> void:
	var found_changes: Array = native["changes"]
	for found: Dictionary in found_changes:
		changes.append(_Change.new(found, changes.size()))
	var nodes: Array = native["tree"]
	for found: Dictionary in nodes:
		var node := _ComparedNode.new()
		node.name = found["name"]
		node.depth = found["depth"]
		node.type_name = found["type_name"]
		var index: int = found["change"]
		node.change = changes[index] if index >= 0 else null
		tree.append(node)
	var found_noise: Array = native["noise"]
	for found: Dictionary in found_noise:
		noise.append("%d %s" % [found["count"], found["what"]])
	left_out = native["left_out"]


## In one sentence.
func summary() -> String:
	if changes.is_empty():
		return "Nothing differs from the last commit."
	var counts: PackedStringArray = []
	for state: String in ["added", "removed", "changed"]:
		var count := changes.filter(func(change: _Change) -> bool: return change.state == state).size()
		if count > 0:
			counts.append("%d %s" % [count, state])
	var more := " And %d more, which are not shown." % left_out if left_out > 0 else ""
	return "Since the last commit: %s.%s" % [", ".join(counts), more]


## The differences that are left out, or nothing.
func noise_told() -> String:
	return "Left out, as it says nothing: %s." % ", ".join(noise) if not noise.is_empty() else ""
