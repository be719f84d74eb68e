@tool
extends RefCounted
## What one save dropped from one file, and the text before and after it.

const Loss := preload("loss.gd")
const Words := preload("../shared/words.gd")

var path: String
## The file before and after the save.
var before: PackedByteArray
var after: PackedByteArray
var losses: Array[Loss] = []
## What is gone because the user removed it.
var removed: Array[Loss] = []


## In one sentence: what, if it is one thing.
func summary() -> String:
	if losses.size() == 1:
		return "Saving %s dropped %s" % [path.get_file(), losses[0].describe()]
	return "Saving %s dropped %s." % [path.get_file(), Words.counted(losses.size(), "%d thing", "%d things")]
