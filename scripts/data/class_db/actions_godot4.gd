# Writes to the file that is its argument the input actions that Godot defines itself, sorted by name.
extends SceneTree

const SUCCESS := "class database: WRITTEN"


func _init() -> void:
	var names := PackedStringArray()
	for property: Dictionary in ProjectSettings.get_property_list():
		var name: String = property.name
		if name.begins_with("input/"):
			names.append(name.trim_prefix("input/"))
	names.sort()
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	file.store_string("\n".join(names) + "\n")
	print(SUCCESS)
	quit()
