@tool
extends RefCounted
## The project's settings that the editor holds in memory, in addition to `project.godot`: it writes all of them when
## one changes.

const PATH := "res://project.godot"


## Takes over the differences between two texts of `project.godot`; the second is in the file now.
static func take_over(before: String, after: String) -> void:
	var old := ConfigFile.new()
	var new := ConfigFile.new()
	if old.parse(before) != OK or new.parse(after) != OK:
		return
	for section: String in old.get_sections():
		for key: String in old.get_section_keys(section):
			if not new.has_section_key(section, key):
				ProjectSettings.set_setting(_name(section, key), null)
	for section: String in new.get_sections():
		for key: String in new.get_section_keys(section):
			var value: Variant = new.get_value(section, key)
			if not old.has_section_key(section, key) or not _is_same(old.get_value(section, key), value):
				ProjectSettings.set_setting(_name(section, key), value)


static func _name(section: String, key: String) -> String:
	return key if section.is_empty() else section + "/" + key


static func _is_same(one: Variant, other: Variant) -> bool:
	return var_to_str(one) == var_to_str(other)
