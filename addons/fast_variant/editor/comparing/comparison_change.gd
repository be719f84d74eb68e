@tool
extends RefCounted
## A node, connection, resource or section that differs from the last commit.

## A property, or something inside its value.
class _Entry:
	var name: String
	## The same for people.
	var shown_name: String
	## Null without a value.
	var old: Variant
	var new: Variant
	## The differences inside a value that is too large to list, or empty.
	var summary: String
	var parts: Array[_Entry] = []

	func _init(native: Dictionary) -> void:
		name = native["name"]
		shown_name = native["shown_name"]
		old = native["old"]
		new = native["new"]
		summary = native.get("summary", "")
		var found: Array = native.get("parts", [])
		for part: Dictionary in found:
			parts.append(_Entry.new(part))

## Words for the groups of changes outside nodes.
const GROUPS: Dictionary[String, String] = {
	"header": "File", "section": "Settings", "resource": "Resource", "sub_resource": "Resources in this file",
	"ext_resource": "Files that it uses", "connection": "Connections", "editable": "Editable children",
}

## Its place among all changes, as the library counts them.
var number: int
## `node` or one of `GROUPS`.
var kind: String
## `added`, `removed` or `changed`.
var state: String
var name: String
## The same for people.
var shown_name: String
## If it was renamed or moved; else empty.
var old_name: String
var type_name: String
## In the file now; 0 if it is missing.
var line: int
var entries: Array[_Entry] = []


func _init(native: Dictionary, number_: int) -> void:
	number = number_
	kind = native["kind"]
	state = native["state"]
	name = native["name"]
	shown_name = native["shown_name"]
	old_name = native["old_name"]
	type_name = native["type_name"]
	line = native["line"]
	var found: Array = native["entries"]
	for entry: Dictionary in found:
		entries.append(_Entry.new(entry))


## It, or one of its entries, in a few words.
func called(entry: int) -> String:
	var whole := shown_name if kind == "node" else "%s (%s)" % [shown_name, GROUPS.get(kind, kind)]
	return "%s of %s" % [entries[entry].shown_name, whole] if entry >= 0 else whole


## The kind of the change, for people.
func what() -> String:
	if old_name.is_empty():
		return state
	if old_name.get_file() == shown_name.get_file():
		return "moved from %s" % old_name.get_base_dir() if "/" in old_name else "moved from the root node"
	var is_same_parent := old_name.get_base_dir() == shown_name.get_base_dir()
	return "was %s" % (old_name.get_file() if is_same_parent else old_name)
