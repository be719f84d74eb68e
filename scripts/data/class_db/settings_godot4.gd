# Writes the project settings that Godot knows to the file in its argument, in the order in which Godot saves them. Each line has
# the name, the type, the names of an enum's values, and the default, with tabs between them. Input actions are left out: they hold
# events.
extends SceneTree

const SUCCESS := "class database: WRITTEN"


func _init() -> void:
	var settings: Array[Dictionary] = []
	for property: Dictionary in ProjectSettings.get_property_list():
		var name: String = property.name
		if property.usage & PROPERTY_USAGE_STORAGE and name.contains("/") and not name.begins_with("input/"):
			settings.append(property)
	settings.sort_custom(func(one: Dictionary, other: Dictionary) -> bool:
		return ProjectSettings.get_order(one.name) < ProjectSettings.get_order(other.name))
	var lines := PackedStringArray()
	for setting: Dictionary in settings:
		var names: String = setting.hint_string if setting.hint == PROPERTY_HINT_ENUM else ""
		var default: Variant = ProjectSettings.property_get_revert(setting.name)
		# The list is wrong for some: the tags are listed as a text.
		var type := type_string(setting.type if default == null else typeof(default))
		lines.append("\t".join(PackedStringArray([setting.name, type, names, var_to_str(default).replace("\n", " ")])))
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	file.store_string("\n".join(lines) + "\n")
	print(SUCCESS)
	quit()
