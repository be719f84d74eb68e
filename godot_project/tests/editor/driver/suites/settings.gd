@tool
extends "../suite.gd"
## The settings under Project Settings.

const ConfigurationNote := preload("res://addons/fast_variant/editor/configuration_note.gd")

const PATH := "res://settings_test.tscn"
const TEXT := """[gd_scene format=3]

[node name="Root" type="Node"]
editor_description = "a"
"""
## As somebody would write it by hand.
const UNTIDY := """[gd_scene format=3]
[node name="Root"   type="Node"]
editor_description="a"
"""


func test_settings_are_listed() -> void:
	var listed: Dictionary[String, Dictionary] = {}
	for property: Dictionary in ProjectSettings.get_property_list():
		var name_of_property: String = property["name"]
		listed[name_of_property] = property
	for setting: String in Settings.names():
		check(listed.has(setting), "%s is listed" % setting)
	check_equal(listed[Settings.CHECK_ON_SAVE]["type"], TYPE_BOOL, "a type")
	check_equal(listed[Settings.TOASTS]["hint"], PROPERTY_HINT_ENUM, "a hint")
	check_equal(listed[Settings.EXCLUDED]["type"], TYPE_PACKED_STRING_ARRAY, "a type")
	check_equal(Settings.is_on(Settings.FORMAT_ON_SAVE), false, "format on save is off")
	check(Settings.is_excluded("res://addons/x.tscn") and not Settings.is_excluded(PATH), "addons are excluded")


## They are those of the documentation of settings_list.gd.
func test_tooltips() -> void:
	var window: Window = EditorInterface.get_base_control().find_children("*", "ProjectSettingsEditor", true, false)[0]
	await choose_in_menu("Project Settings...")
	await _show_section(window, "Fast Variant", "Scenes")
	var tooltips: Dictionary[String, String] = {}
	for node: Node in window.find_children("*", "EditorProperty", true, false):
		var row: EditorProperty = node
		tooltips[row.get_edited_property()] = row.tooltip_text
	var list: Script = Settings.SettingsList
	for setting: String in Settings.names():
		var place := "property|\"addons/fast_variant/editor/settings_list.gd\"|%s" % setting.get_file()
		check_equal(tooltips.get(setting.get_file(), ""), place, "the tooltip of %s" % setting)
		var declared := list.source_code.find(" var %s" % setting.get_file())
		var line_before := list.source_code.substr(0, declared).rsplit("\n", true, 2)[1]
		check(line_before.begins_with("## "), "%s is documented" % setting)
	await _show_section(window, "Application", "Run")
	for node: Node in window.find_children("*", "EditorProperty", true, false):
		var row: EditorProperty = node
		check(not row.tooltip_text.contains("fast_variant"), "%s keeps its tooltip" % row.get_edited_property())
	window.hide()


## The note is the first thing in the section.
func test_the_configuration_file_is_mentioned() -> void:
	var window: Window = EditorInterface.get_base_control().find_children("*", "ProjectSettingsEditor", true, false)[0]
	await choose_in_menu("Project Settings...")
	await _show_section(window, "Fast Variant", "Scenes")
	check(_note(window).contains("a file gdscene.toml beside project.godot may say"), "without a file: %s" % _note(window))
	write("res://gdscene.toml", "ignore = [\"REF007\"]\n")
	watch().configuration.look()
	check(_note(window).contains("counts more than these settings"), "with a file: %s" % _note(window))
	print("[expected errors")
	write("res://gdscene.toml", "\nserious = 1\n")
	watch().configuration.look()
	await settled()
	print("expected errors]")
	check(_note(window).contains("line 2") and _note(window).contains("serious"), "with a wrong file: %s" % _note(window))
	await _show_section(window, "Application", "Run")
	check_equal(_note(window), "", "in another section")
	await _show_section(window, "Fast Variant", "Scenes")
	EditorInterface.set_plugin_enabled("fast_variant", false)
	await frames(5)
	check_equal(_note(window), "", "when the addon is switched off")
	EditorInterface.set_plugin_enabled("fast_variant", true)
	await frames(5)
	window.hide()
	await remove(["res://gdscene.toml"])
	watch().configuration.look()
	await settled()


## Empty if there is none.
func _note(window: Window) -> String:
	for node: Node in window.find_children("*", "Label", true, false):
		if node is ConfigurationNote:
			var note: Label = node
			return note.text
	return ""


func test_toasts_can_be_switched_off() -> void:
	var losses := SaveLosses.new()
	losses.path = "res://told.tscn"
	losses.losses = [SaveLosses.Loss.new()]
	ProjectSettings.set_setting(Settings.TOASTS, Settings.ToastLevel.NONE)
	watch().toasts.tell_of_losses(losses)
	await frames(3)
	check(not _is_told(losses), "nothing is told")
	ProjectSettings.set_setting(Settings.TOASTS, Settings.ToastLevel.ERRORS_AND_WARNINGS)
	watch().toasts.tell_of_losses(losses)
	await until(func() -> bool: return _is_told(losses), "a toast")


func _is_told(losses: SaveLosses) -> bool:
	for node: Node in EditorInterface.get_base_control().find_children("*", "Label", true, false):
		var label: Label = node
		if label.text.begins_with(losses.summary()):
			return true
	return false


func _show_section(window: Window, group: String, section: String) -> void:
	for node: Node in window.find_children("*", "Tree", true, false):
		var tree: Tree = node
		var item := tree.get_root().get_next_in_tree() if tree.get_root() != null else null
		while item != null:
			if item.get_text(0) == section and item.get_parent().get_text(0) == group:
				item.select(0)
				await frames(5)
				return
			item = item.get_next_in_tree()
	fail("there is no section %s > %s" % [group, section])


func test_format_on_save() -> void:
	make(PATH, UNTIDY)
	watch()._on_saved(PATH, null)
	check_equal(read(PATH), UNTIDY, "a text that is not formatted")
	ProjectSettings.set_setting(Settings.FORMAT_ON_SAVE, true)
	watch()._on_saved(PATH, null)
	check_equal(read(PATH), TEXT, "a formatted text")
	var time := FileAccess.get_modified_time(PATH)
	await get_tree().create_timer(1.1).timeout
	watch()._on_saved(PATH, null)
	check_equal(FileAccess.get_modified_time(PATH), time, "what is formatted is not written again")
	await open(PATH)
	await save()
	check(read(PATH).contains("editor_description = \"a\""), "the editor saves as before: %s" % read(PATH))
	ProjectSettings.set_setting(Settings.FORMAT_ON_SAVE, false)
	EditorInterface.close_scene()
	await remove([PATH])


func test_check_on_save_can_be_switched_off() -> void:
	make(PATH, TEXT.replace("\"a\"", "ExtResource(\"1\")"))
	ProjectSettings.set_setting(Settings.CHECK_ON_SAVE, false)
	watch()._on_saved(PATH, null)
	check_equal(codes_in(PATH), PackedStringArray(), "diagnostics while it is off")
	ProjectSettings.set_setting(Settings.CHECK_ON_SAVE, true)
	watch()._on_saved(PATH, null)
	check_equal(codes_in(PATH), PackedStringArray(["REF001"]), "diagnostics")
	await remove([PATH])
