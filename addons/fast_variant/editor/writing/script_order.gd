@tool
extends RefCounted
## The order in which Godot can read changed scripts: it reads each one as soon as it hears of the change, with the scripts that
## this one extends.

## Scripts that extend each other in a circle.
const _MAX_DEPTH := 64


## Base scripts come before their heirs, and at one depth, scripts with a class name come first.
static func sorted(paths: PackedStringArray) -> PackedStringArray:
	var bases: Dictionary[String, String] = {}
	var classes: Dictionary[String, String] = {}
	var header := RegEx.create_from_string("(?m)^(class_name|extends)[ \\t]+(\"[^\"]*\"|\\w+)")
	for path: String in paths:
		for found: RegExMatch in header.search_all(FileAccess.get_file_as_string(path)):
			if found.get_string(1) == "extends":
				bases[path] = found.get_string(2)
			else:
				classes[found.get_string(2)] = path
	var ranks: Dictionary[String, int] = {}
	for path: String in paths:
		ranks[path] = 2 * _depth(path, bases, classes) + int(path not in classes.values())
	var order := Array(paths)
	order.sort_custom(func(one: String, other: String) -> bool: return [ranks[one], one] < [ranks[other], other])
	return PackedStringArray(order)


static func _depth(path: String, bases: Dictionary[String, String], classes: Dictionary[String, String]) -> int:
	var depth := 0
	var at := path
	while bases.has(at) and depth < _MAX_DEPTH:
		var base := bases[at]
		var is_path := base.begins_with("\"")
		at = base.trim_prefix("\"").trim_suffix("\"") if is_path else classes.get(base, "")
		if at.is_relative_path() and is_path:
			at = path.get_base_dir().path_join(at).simplify_path()
		depth += 1
	return depth
