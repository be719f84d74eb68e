extends SceneTree
## Writes the properties of Godot 4's classes: the use and the default of each. The other facts stand in the engine's own
## description of its API.
##
##   godot --headless --path PROJECT -s properties_godot4.gd -- OUTPUT

const SUCCESS := "class database: WRITTEN"
## Headings in the list of properties, which are not properties.
const HEADINGS := PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP


func _init() -> void:
	var classes: Array[Dictionary] = []
	for name: String in ClassDB.get_class_list():
		classes.append({"name": name, "inherits": String(ClassDB.get_parent_class(name)), "properties": _properties(name)})
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	file.store_string(JSON.stringify(classes))
	file.close()
	print(SUCCESS)
	quit()


## The class's own properties, and inherited properties with a changed default.
func _properties(name: String) -> Array[Dictionary]:
	var own: Dictionary[String, bool] = {}
	for property: Dictionary in ClassDB.class_get_property_list(name, true):
		own[property["name"]] = true
	var properties: Array[Dictionary] = []
	for property: Dictionary in ClassDB.class_get_property_list(name):
		var key: String = property["name"]
		var usage: int = property["usage"]
		if usage & HEADINGS or (property["type"] == TYPE_NIL and usage & PROPERTY_USAGE_ARRAY):
			continue
		var text := _default(name, key, property)
		if not own.has(key) and text == _default(ClassDB.get_parent_class(name), key, property):
			continue
		var entry := {"name": key, "own": own.has(key), "usage": usage, "type": _type(property)}
		var value: Variant = ClassDB.class_get_property_default_value(name, key)
		# The list is wrong for some: `_data` of a `Curve` is listed as a number.
		if value != null and property["type"] != TYPE_NIL and typeof(value) != property["type"]:
			entry["type"] = type_string(typeof(value))
			entry["is_listed_wrong"] = true
		if not text.is_empty():
			entry["default"] = text
		properties.append(entry)
	return properties


## The default as a scene would contain it; empty if it is unknown.
func _default(name: String, key: String, property: Dictionary) -> String:
	var usage: int = property["usage"]
	if not usage & PROPERTY_USAGE_STORAGE:
		return ""
	var value: Variant = ClassDB.class_get_property_default_value(name, key)
	if value is Object or value == null and property["type"] != TYPE_OBJECT:
		return ""
	return var_to_str(value)


func _type(property: Dictionary) -> String:
	var hint: PropertyHint = property["hint"]
	if property["type"] == TYPE_OBJECT and hint in [PROPERTY_HINT_RESOURCE_TYPE, PROPERTY_HINT_NODE_TYPE]:
		return property["hint_string"]
	if property["type"] == TYPE_OBJECT:
		return property["class_name"]
	return "Variant" if property["type"] == TYPE_NIL else type_string(property["type"])
