@tool
extends RefCounted
## Something that two branches changed, each otherwise, and that `gdscene merge` left in a file. A copy of what
## `SceneMerge.conflicts` returns.

const ConflictValue := preload("conflict_value.gd")

const BASE := "base"
const OURS := "ours"
const THEIRS := "theirs"
## Not a side: it was settled by hand.
const BY_HAND := "as_it_stands"
const SIDES: PackedStringArray = [BASE, OURS, THEIRS]

## In the file, from 1.
var number: int
var place: String
var what: String
## `property`, `field`, `removed`, `name`, `order`, `setting` or `other`.
var kind: String
## Of the property or field; the side that removed it; the name that was taken.
var name: String
## From the root, or empty.
var node_path: String
## Its id, or empty.
var sub_resource: String
## Those that can be taken.
var sides: PackedStringArray
## By side; one that has no value is not there.
var values: Dictionary[String, ConflictValue]


func can_take(choice: String) -> bool:
	return choice == BY_HAND or choice in sides


## The same in another reading of the file.
func key() -> String:
	return "%s\n%s" % [place, what]


## What is to be looked at, in a few words.
func subject() -> String:
	match kind:
		"property":
			return name
		"field":
			return {"name": "name", "parent": "parent node"}.get(name, name)
		"removed":
			return "removed by %s, changed by %s" % [name, THEIRS if name == OURS else OURS]
		"name":
			return "name: another node is called %s" % name
		"order":
			return "order of children"
	return what


## What a side says where it has no value.
func without_value(side: String) -> String:
	if kind == "removed":
		if side == BASE:
			return "It was there."
		return "Removed, with all below it." if side == name else "Changed, or something below it was. It is in the file."
	if kind == "name":
		return "Both have a node of this name at this place." if side != BASE else "There was none."
	if kind in ["property", "field", "setting"] and can_take(side):
		return "It has none."
	return "What is in the file." if side == OURS else "The file does not hold it."


## How to settle by hand what cannot be taken from each side; empty if that can be done.
func advice() -> String:
	if sides.size() == SIDES.size():
		return ""
	if sides.size() == SIDES.size() - 1 and BASE not in sides:
		return "Base cannot be taken: both sides removed a resource that it uses."
	const THEN := " Save, and choose Settled by Hand here."
	match [kind, name]:
		["field", "name"]:
			return "To take another name, rename the node in the Scene dock." + THEN
		["field", "parent"]:
			return "To take another parent, move the node in the Scene dock." + THEN
		["order", _]:
			return "Both moved children. For another order, drag them in the Scene dock." + THEN
	return "Only you can put this together: the file has what ours has. Make it as it is to be, in the scene or its text." + THEN
