@tool
extends RefCounted
## What one save dropped from one file, and the text before it.

const Loss := preload("loss.gd")
const Words := preload("words.gd")

var path: String
## The file before the save.
var before: PackedByteArray
var losses: Array[Loss] = []


## In one sentence.
func summary() -> String:
	return "Saving %s dropped %s." % [path.get_file(), Words.counted(losses.size(), "%d thing", "%d things")]
