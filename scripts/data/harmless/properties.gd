extends SceneTree
## Writes the type and the hint with the range of each property that a scene or resource may store, from the running engine.
##
##   godot --headless --path PROJECT -s properties.gd -- OUTPUT

const SUCCESS := "harmless properties: WRITTEN"


func _init() -> void:
	var classes: Dictionary[String, Dictionary] = {}
	for name: String in ClassDB.get_class_list():
		if ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource"):
			classes[name] = {
				"inherits": String(ClassDB.get_parent_class(name)),
				"creatable": ClassDB.can_instantiate(name),
				"properties": _properties(name),
			}
	var version := Engine.get_version_info()
	var answer := {
		"version": "%s.%s.%s" % [version["major"], version["minor"], version["patch"]],
		"classes": classes,
	}
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	file.store_string(JSON.stringify(answer))
	file.close()
	print(SUCCESS)
	quit()


## The class's own properties that are stored.
func _properties(name: String) -> Array[Dictionary]:
	var properties: Array[Dictionary] = []
	for property: Dictionary in ClassDB.class_get_property_list(name, true):
		if property["usage"] & PROPERTY_USAGE_STORAGE:
			properties.append({
				"name": property["name"],
				"type": type_string(property["type"]),
				"hint": property["hint"],
				"hint_string": property["hint_string"],
			})
	return properties
