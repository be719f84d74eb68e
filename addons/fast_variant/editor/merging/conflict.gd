@tool
extends RefCounted
## Something that two branches changed, each otherwise, and that `gdscene merge` left in a file. A copy of the result of
## `SceneMerge.conflicts`.

## The value of a side.
class _Value:
	## With paths in the place of ids, and hidden characters written out; of long values the beginning.
	var shown: String
	## The file, if it is one.
	var path: String
	## The class, if it is a resource.
	var resource_class: String
	## In the file, from 1.
	var line: int

	## The whole as a colour, or null.
	func color() -> Variant:
		return str_to_var(shown) if shown.begins_with("Color(") else null

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
## The name of the property or field; the side that removed it; the name that was taken.
var name: String
## The same for people.
var shown_name: String
## From the root, or empty.
var node_path: String
## Its id, or empty.
var sub_resource: String
## The sides that can be taken.
var sides: PackedStringArray
## By side; a side without a value is missing.
var values: Dictionary[String, _Value]


func can_take(choice: String) -> bool:
	return choice == BY_HAND or choice in sides


## The same in another reading of the file.
func key() -> String:
	return "%s\n%s" % [place, what]


## Where it is, in a few words: the path of a node needs none, nor does a resource with its class.
func row_place() -> String:
	if node_path == ".":
		return "the root node"
	return place.trim_prefix("node \"").trim_suffix("\"") if not node_path.is_empty() else place.trim_prefix("sub_resource ")


## The subject of the conflict, in a few words.
func subject() -> String:
	match kind:
		"property":
			return shown_name
		"field":
			return {"name": "name", "parent": "parent node"}.get(name, shown_name)
		"removed":
			return "%sremoved by %s, changed by %s" % [_track(), name, THEIRS if name == OURS else OURS]
		"name":
			return "two nodes with the name %s" % shown_name
		"order":
			return "order of children"
	return what


## The value to compare a side with: the common origin of both sides; without it, the value of the other side. Null without either.
func measure(side: String) -> _Value:
	if side == BASE:
		return null
	return values.get(BASE, values.get(OURS if side == THEIRS else THEIRS))


## The text for a side without a value.
func without_value(side: String) -> String:
	match kind:
		"removed":
			if side == BASE:
				return "It was there."
			if not _track().is_empty():
				return "Removed." if side == name else "Changed. It is in the file."
			return "Removed, with all below it." if side == name else "Changed, or something below it was. It is in the file."
		"name":
			if side == BASE:
				return "There was none."
			return "A node that keeps the name." if side == OURS else "This node. It got a name that was free."
		"property", "field", "setting":
			if can_take(side):
				return "It has none."
	return "What is in the file." if side == OURS else "The file does not hold it."


## Why a choice was not carried out, as the scene is now.
func refusal(choice: String) -> String:
	var wanted := values[choice].shown if values.has(choice) else choice
	match [kind, name]:
		["field", "name"]:
			return "%s cannot be called %s: another node there has the name" % [row_place(), wanted]
		["field", "parent"]:
			return "%s cannot go below %s: it is gone, lies below the node itself, or has a child of that name" \
					% [row_place(), wanted]
	return "%s of %s: its place is not in the file any more" % [subject(), row_place()]


## A note to read before taking a side, or the reason why no side can be taken; or empty.
func advice() -> String:
	if kind == "name":
		return "Both nodes stay, whichever side is taken. To have one of them, remove the other in the Scene dock."
	if sides.size() == SIDES.size():
		return ""
	if BASE not in sides and sides.size() == SIDES.size() - 1:
		return "Base cannot be taken: both sides removed a resource that it uses."
	return "The file does not say where this belongs: it was changed after the merge. Make it as it is to be, save, and choose Settled by Hand."


## The track of an animation that was removed, such as `track "Sprite:position": `; empty if it was something else.
func _track() -> String:
	return what.trim_suffix("%s removed it" % name) if kind == "removed" and what.begins_with("track ") else ""
