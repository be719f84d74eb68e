@tool
extends RefCounted
## What must be true of one scene or resource: what its file says, and what the editor holds of it. Both are told by the
## values that the user sets, each of which is another number.

## The properties that the user sets, by the section of the file.
const PROPERTIES: Dictionary[String, Array] = {"": ["brightness", "hours"], "Glass": ["rotation"]}
## So begin the names of the nodes that the user adds.
const ADDED := "Added"

var path: String
## By section and property; null if there is no file.
var disk: Variant
## The same, as the editor holds it; null if it does not.
var memory: Variant
## What the editor read or wrote last.
var base: Variant
## Whether the user has done something to it since, be it that he undid it.
var is_touched := false
## Whether another program has written the file since.
var is_stale := false


func _init(path_: String) -> void:
	path = path_


func is_scene() -> bool:
	return path.get_extension() == "tscn"


## Whether the editor holds work that is in no file.
func is_edited() -> bool:
	return memory != null and memory != base


## The editor read or wrote the file.
func settle(values: Variant) -> void:
	memory = values
	base = values
	is_touched = false
	is_stale = false


func copy_of_memory() -> Dictionary:
	return (memory as Dictionary).duplicate()


## What the text says, read without the addon's help. What is as it is by default, it does not say.
static func values_of_text(text: String) -> Dictionary:
	var values := {"brightness": 1.0, "Glass:rotation": 0.0} if text.begins_with("[gd_scene") else {"hours": 1.0}
	var section := ""
	var nodes := 0
	for line: String in text.split("\n"):
		if line.begins_with("[node "):
			section = "" if nodes == 0 else line.get_slice('name="', 1).get_slice('"', 0)
			nodes += 1
			if section.begins_with(ADDED):
				values[section] = 1.0
		elif line.begins_with("[resource"):
			section = ""
		elif line.begins_with("["):
			section = "?"
		elif section in PROPERTIES and line.get_slice("=", 0).strip_edges() in PROPERTIES[section]:
			values[_key(section, line.get_slice("=", 0).strip_edges())] = line.get_slice("=", 1).to_float()
	return values


static func values_of_object(object: Object) -> Dictionary:
	var values := {}
	for section: String in PROPERTIES:
		var owner_of_it := object
		if not section.is_empty():
			owner_of_it = (object as Node).get_node_or_null(section) if object is Node else null
		for property: String in PROPERTIES[section]:
			if owner_of_it != null and property in owner_of_it:
				var value: float = owner_of_it.get(property)
				values[_key(section, property)] = value
	if object is Node:
		for child: Node in (object as Node).get_children():
			if child.name.begins_with(ADDED):
				values[str(child.name)] = 1.0
	return values


static func _key(section: String, property: String) -> String:
	return property if section.is_empty() else "%s:%s" % [section, property]
