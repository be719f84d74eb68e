extends RefCounted
## What others can see of a script, and the paths in it.

const Names := preload("refactored_names.gd")

## Comments and strings, so that what follows is found in neither, then paths to nodes. Group 1 is a path in quotes.
const PATHS := (
		"#[^\\n]*|\"\"\"[\\s\\S]*?\"\"\"|'''[\\s\\S]*?'''"
		+ "|(?<![\\w.])get_node(?:_or_null)?\\(\\s*\"([^\"\\n]*)\"\\s*\\)"
		+ "|\\$\"([^\"\\n]*)\"|\\$((?:%?[A-Za-z_]\\w*|\\.\\.)(?:/(?:%?[A-Za-z_]\\w*|\\.\\.))*)"
		+ "|(?:[=(,\\[:{!]|\\breturn|\\bin|\\bnot|\\band|\\bor|\\bif|\\bawait)[ \\t]*"
		+ "%(?:\"([^\"\\n]*)\"|([A-Za-z_]\\w*(?:/%?[A-Za-z_]\\w*)*))"
		+ "|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'")

var _names: Names
var _paths := RegEx.create_from_string(PATHS)
var _comments := RegEx.create_from_string(
		"#[^\\n]*|(\"\"\"[\\s\\S]*?\"\"\"|'''[\\s\\S]*?'''|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*')")
var _found: Dictionary[String, PackedStringArray] = {}


func _init(names: Names) -> void:
	_names = names


## The paths to nodes in the code, as `get_node` takes them.
func node_paths(script: GDScript) -> PackedStringArray:
	var key := script.resource_path if not script.resource_path.is_empty() else str(script.get_instance_id())
	if not _found.has(key):
		var found := PackedStringArray()
		for place in _paths.search_all(script.source_code):
			for group in range(1, 6):
				if place.get_start(group) >= 0:
					found.append(("%" if group > 3 else "") + place.get_string(group))
		_found[key] = found
	return _found[key]


## The text without comments: people may write there what they like.
func without_comments(source: String) -> String:
	return _comments.sub(source, "$1", true)


## By what it is called. `left` gets what has an old name.
func facts(script: GDScript, left: PackedStringArray) -> Dictionary:
	var found := {}
	found["class"] = _names.text("%s extends %s" % [script.get_global_name(), script.get_instance_base_type()])
	found["base"] = "none" if script.get_base_script() == null else _names.text(script.get_base_script().resource_path)
	found["can instantiate"] = str(script.can_instantiate())
	var properties := PackedStringArray()
	for property in script.get_script_property_list():
		var parts := ["name", "type", "class_name", "hint", "hint_string", "usage"].map(
				func(part: String) -> Variant: return property[part])
		properties.append(_names.text(str(parts)))
		_judge(script, "property", property["name"], left)
	found["properties"] = "\n".join(properties)
	var methods := PackedStringArray()
	for method in script.get_script_method_list():
		methods.append(_signature(method))
		_judge(script, "method", method["name"], left)
	found["methods"] = "\n".join(methods)
	var signals := PackedStringArray()
	for info in script.get_script_signal_list():
		signals.append(_signature(info))
		_judge(script, "signal", info["name"], left)
	found["signals"] = "\n".join(signals)
	var constants := script.get_script_constant_map()
	for name: String in constants:
		found["constant " + name] = _constant(constants[name])
	for change in _names.of_kind("rename-class"):
		if _names.is_after and script.get_global_name() == change["old"]:
			left.append("the class %s" % script.get_global_name())
	return found


## Whether what was to be renamed has the new name.
func expect(change: Dictionary) -> String:
	if not change.has("script"):
		return ""
	var path: String = change["script"]
	var script := ResourceLoader.load(path) as GDScript
	if script == null:
		return "%s cannot be loaded" % path
	# Godot tells nothing of a script that does not compile. One that did before is told of by its facts.
	if script.get_instance_base_type().is_empty():
		return ""
	var names := PackedStringArray()
	match change["kind"]:
		"rename-class": names.append(script.get_global_name())
		"rename-property": names = _listed(script.get_script_property_list())
		"rename-method": names = _listed(script.get_script_method_list())
		"rename-signal": names = _listed(script.get_script_signal_list())
		_: return ""
	return "" if change["new"] in names else "%s has nothing called %s" % [path, change["new"]]


func _listed(infos: Array[Dictionary]) -> PackedStringArray:
	return PackedStringArray(infos.map(func(info: Dictionary) -> String: return str(info["name"])))


func _judge(script: GDScript, what: String, name: String, left: PackedStringArray) -> void:
	if not _names.is_after:
		return
	for change in _names.of_member(what):
		if change["old"] == name and _extends(script, change["script"]):
			left.append("the %s %s of %s" % [what, name, script.resource_path])


func _extends(script: Script, path: String) -> bool:
	while script != null:
		if script.resource_path == path:
			return true
		script = script.get_base_script()
	return false


func _signature(info: Dictionary) -> String:
	var types := PackedStringArray()
	var arguments: Array = info["args"]
	var returned: Dictionary = info["return"]
	for argument: Dictionary in arguments + [returned]:
		types.append("%s %s %s" % [argument["type"], argument["class_name"], argument["hint_string"]])
	return _names.text("%s(%s)" % [info["name"], ", ".join(types)])


func _constant(value: Variant) -> String:
	if value is Resource:
		var resource: Resource = value
		return _names.text("%s %s" % [resource.get_class(), resource.resource_path])
	return _names.text(var_to_str(value)) if not value is Object else "object"
