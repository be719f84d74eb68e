@tool
extends "../suite.gd"
## The settings under Project Settings and Editor Settings.

const ConfigurationNote := preload("res://addons/fast_variant/editor/settings/configuration_note.gd")

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
	var team := _listed(ProjectSettings)
	for setting: String in Settings.team_names():
		check(team.has(setting), "%s is listed" % setting)
	check_equal(team[Settings.CHECK_ON_SAVE]["type"], TYPE_BOOL, "a type")
	check_equal(team[Settings.EXCLUDED]["type"], TYPE_PACKED_STRING_ARRAY, "a type")
	check_equal(team[Settings.EXCLUDED]["hint_string"], "%d/%d:" % [TYPE_STRING, PROPERTY_HINT_DIR], "a picker of folders")
	check_equal(Settings.is_on(Settings.FORMAT_ON_SAVE), false, "format on save is off")
	var personal := _listed(EditorInterface.get_editor_settings())
	for setting: String in Settings.personal_names():
		check(personal.has(setting), "%s is listed" % setting)
		check_equal(team.has(setting), setting == Settings.PRINT, "%s is in the project" % setting)
	check_equal(personal[Settings.TOASTS]["hint"], PROPERTY_HINT_ENUM, "a hint")
	check_equal(Settings.is_on(Settings.CHECK_BEFORE_PLAY), false, "check before play is off")


func _listed(settings: Object) -> Dictionary[String, Dictionary]:
	var listed: Dictionary[String, Dictionary] = {}
	for property: Dictionary in settings.get_property_list():
		var name_of_property: String = property["name"]
		listed[name_of_property] = property
	return listed


## As `gdscene check` does.
func test_nothing_is_excluded_by_default() -> void:
	check(not Settings.is_excluded("res://addons/x.tscn"), "addons are checked")
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray(["res://a/", "", "res://b"]))
	check(Settings.is_excluded("res://a/x.tscn") and Settings.is_excluded("res://b/c/x.tscn"), "what is in the folders")
	check(not Settings.is_excluded("res://bc/x.tscn") and not Settings.is_excluded(PATH), "what is not")
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray())


## Of addons of others only errors, as `gdscene check` says, too: by a check of the project and of the file alone.
func test_addons_are_checked_as_by_the_command() -> void:
	var paths: PackedStringArray = ["res://addons/other/a.tscn", "res://addons/other/b.tscn"]
	var unused_and_gone := "[ext_resource type=\"Texture2D\" path=\"res://gone.png\" id=\"1\"]\n\n[node"
	for path: String in paths:
		make(path, TEXT.replace("[node", unused_and_gone))
	await scan()
	await settled()
	for path: String in paths:
		check_equal(codes_in(path), PackedStringArray(["RES001"]), "in the project")
	parts().checker.check(paths[0])
	check_equal(codes_in(paths[0]), PackedStringArray(["RES001"]), "in the file alone")
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray(["res://addons/other"]))
	await until(func() -> bool: return codes_in(paths[1]).is_empty(), "an excluded folder is gone from the panel")
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray())
	await until(func() -> bool: return not codes_in(paths[1]).is_empty(), "and is there again")
	await remove(paths)
	await settled()


## As somebody writes it by hand.
func test_values_of_other_types() -> void:
	ProjectSettings.set_setting(Settings.EXCLUDED, ["res://a"])
	check(Settings.is_excluded("res://a/x.tscn"), "an Array of folders")
	ProjectSettings.set_setting(Settings.EXCLUDED, "res://a")
	check(not Settings.is_excluded("res://a/x.tscn"), "a text counts for nothing")
	ProjectSettings.set_setting(Settings.ON_EXPORT, "Fail")
	check_equal(Settings.on_export(), Settings._OnExport.ASK, "a text counts for nothing")
	Settings.unregister()
	check_equal(ProjectSettings.get_setting(Settings.ON_EXPORT), "Fail", "it stays where it is")
	ProjectSettings.clear(Settings.ON_EXPORT)
	ProjectSettings.clear(Settings.EXCLUDED)
	Settings.register()
	check_equal(ProjectSettings.get_setting(Settings.EXCLUDED), PackedStringArray(), "the default is there again")


func test_a_project_may_say_otherwise() -> void:
	var editor := EditorInterface.get_editor_settings()
	check(Settings.is_on(Settings.PRINT) and not editor.get_setting(Settings.PRINT), "the project prints")
	check_equal(Settings.toasts(), Settings._ToastLevel.ERRORS_AND_WARNINGS, "the default")
	editor.set_setting(Settings.TOASTS, Settings._ToastLevel.ERRORS)
	check_equal(Settings.toasts(), Settings._ToastLevel.ERRORS, "the editor's value")
	ProjectSettings.set_setting(Settings.TOASTS, Settings._ToastLevel.NONE)
	check_equal(Settings.toasts(), Settings._ToastLevel.NONE, "the project's value")
	Settings.unregister()
	check_equal(editor.get(Settings.TOASTS), Settings._ToastLevel.ERRORS, "what was changed stays in the editor")
	check_equal(ProjectSettings.get_setting(Settings.TOASTS), Settings._ToastLevel.NONE, "and in the project")
	check(not editor.has_setting(Settings.VARIANT_TAB), "what was not changed goes")
	Settings.register()
	ProjectSettings.clear(Settings.TOASTS)
	check_equal(Settings.toasts(), Settings._ToastLevel.ERRORS, "the editor's value again")
	editor.set_setting(Settings.TOASTS, Settings._ToastLevel.ERRORS_AND_WARNINGS)


## Of the team and personal ones.
func test_changes_are_noticed() -> void:
	var noticed: Array[PackedStringArray] = []
	var note := func(names: PackedStringArray) -> void: noticed.append(names)
	parts().settings.changed.connect(note)
	ProjectSettings.set_setting(Settings.AUDIT_SAVES, false)
	await frames(2)
	EditorInterface.get_editor_settings().set_setting(Settings.TOASTS, Settings._ToastLevel.NONE)
	await frames(2)
	ProjectSettings.set_setting("application/config/name", "another name")
	await frames(2)
	check_equal(noticed, [PackedStringArray([Settings.AUDIT_SAVES]), PackedStringArray([Settings.TOASTS])] as Array[PackedStringArray], "what was noticed")
	parts().settings.changed.disconnect(note)
	ProjectSettings.set_setting(Settings.AUDIT_SAVES, true)
	EditorInterface.get_editor_settings().set_setting(Settings.TOASTS, Settings._ToastLevel.ERRORS_AND_WARNINGS)
	ProjectSettings.set_setting("application/config/name", "editor plugin test")
	await settled()


## They are those of the documentation of the lists.
func test_tooltips() -> void:
	var window := _window("ProjectSettingsEditor")
	await choose_in_menu("Project Settings...")
	await _show_section(window, "Fast Variant", "Scenes")
	_check_tooltips(window, Settings._TeamList, Settings.team_names())
	_check_tooltips(window, Settings._PersonalList, [Settings.PRINT])
	await _show_section(window, "Application", "Run")
	for node: Node in window.find_children("*", "EditorProperty", true, false):
		var row: EditorProperty = node
		check(not row.tooltip_text.contains("fast_variant"), "%s keeps its tooltip" % row.get_edited_property())
	window.hide()


func test_tooltips_of_personal_settings() -> void:
	var window := _window("EditorSettingsDialog")
	await choose_in_menu("Editor Settings...")
	var advanced: CheckButton = window.find_children("*", "CheckButton", true, false)[0]
	advanced.button_pressed = true
	await _show_section(window, "Fast Variant", "Scenes")
	_check_tooltips(window, Settings._PersonalList, Settings.personal_names())
	advanced.button_pressed = false
	window.hide()


func _window(class_of_window: String) -> Window:
	return EditorInterface.get_base_control().find_children("*", class_of_window, true, false)[0]


func _check_tooltips(window: Window, list: Script, names: PackedStringArray) -> void:
	var tooltips: Dictionary[String, String] = {}
	for node: Node in window.find_children("*", "EditorProperty", true, false):
		var row: EditorProperty = node
		tooltips[row.get_edited_property()] = row.tooltip_text
	for setting: String in names:
		var place := "property|\"%s\"|%s" % [list.resource_path.trim_prefix("res://"), setting.get_file()]
		check_equal(tooltips.get(setting.get_file(), ""), place, "the tooltip of %s" % setting)
		var declared := list.source_code.find(" var %s" % setting.get_file())
		var line_before := list.source_code.substr(0, declared).rsplit("\n", true, 2)[1]
		check(line_before.begins_with("## "), "%s is documented" % setting)


## The note is the first thing in the section.
func test_the_configuration_file_is_mentioned() -> void:
	var window := _window("ProjectSettingsEditor")
	await choose_in_menu("Project Settings...")
	await _show_section(window, "Fast Variant", "Scenes")
	check(_note(window).contains("A file gdscene.toml next to project.godot can choose the rules"), "without a file: %s" % _note(window))
	write("res://gdscene.toml", "ignore = [\"REF007\"]\n")
	parts().configuration.look()
	check(_note(window).contains("overrides these settings"), "with a file: %s" % _note(window))
	print("[expected errors")
	write("res://gdscene.toml", "\nserious = 1\n")
	parts().configuration.look()
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
	parts().configuration.look()
	await settled()


## Returns an empty text if nothing matches.
func _note(window: Window) -> String:
	for node: Node in window.find_children("*", "Label", true, false):
		if node is ConfigurationNote:
			var note: Label = node
			return note.text
	return ""


func test_toasts_can_be_switched_off() -> void:
	var losses := SaveLosses.new()
	losses.path = "res://told.tscn"
	losses.losses = [SaveLosses._Loss.new()]
	var editor := EditorInterface.get_editor_settings()
	parts().toasts.is_panel_in_sight = func() -> bool: return false
	editor.set_setting(Settings.TOASTS, Settings._ToastLevel.NONE)
	parts().toasts.tell_of_losses(losses)
	await get_tree().create_timer(0.5).timeout
	check(not _is_told(losses), "nothing is reported")
	editor.set_setting(Settings.TOASTS, Settings._ToastLevel.ERRORS_AND_WARNINGS)
	parts().toasts.tell_of_losses(losses)
	await until(func() -> bool: return _is_told(losses), "a toast")
	parts().toasts.is_panel_in_sight = parts().panel.is_visible_in_tree


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
	parts().saves.on_saved(PATH)
	check_equal(read(PATH), UNTIDY, "a text that is not formatted")
	ProjectSettings.set_setting(Settings.FORMAT_ON_SAVE, true)
	parts().saves.on_saved(PATH)
	check_equal(read(PATH), TEXT, "a formatted text")
	var time := FileAccess.get_modified_time(PATH)
	await get_tree().create_timer(1.1).timeout
	parts().saves.on_saved(PATH)
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
	parts().saves.on_saved(PATH)
	check_equal(codes_in(PATH), PackedStringArray(), "diagnostics while it is off")
	ProjectSettings.set_setting(Settings.CHECK_ON_SAVE, true)
	parts().saves.on_saved(PATH)
	check_equal(codes_in(PATH), PackedStringArray(["REF001"]), "diagnostics")
	await remove([PATH])


## Through the plugin, as the editor asks it.
func test_check_before_play() -> void:
	var editor := EditorInterface.get_editor_settings()
	await settled()
	# What other suites have left.
	var others := parts().problems.paths()
	parts().problems.retain([])
	make(PATH, TEXT.replace("\"a\"", "ExtResource(\"1\")"))
	parts().checker.check(PATH)
	var plugin: EditorPlugin = parts().get_parent()
	check_equal(plugin.call(&"_build"), true, "it starts while the setting is off")
	editor.set_setting(Settings.CHECK_BEFORE_PLAY, true)
	check_equal(plugin.call(&"_build"), false, "it does not start with an error")
	await until(_is_refused, "a toast says why")
	make(PATH, TEXT)
	parts().checker.check(PATH)
	check_equal(plugin.call(&"_build"), true, "it starts without errors")
	editor.set_setting(Settings.CHECK_BEFORE_PLAY, false)
	await remove([PATH])
	for path: String in others:
		parts().checker.check(path, false)


func _is_refused() -> bool:
	for node: Node in EditorInterface.get_base_control().find_children("*", "Label", true, false):
		var label: Label = node
		if label.text.begins_with("Not started: there is 1 error"):
			return true
	return false


func test_the_variant_tab_can_be_hidden() -> void:
	var editor := EditorInterface.get_editor_settings()
	check_equal(_inspectors(), 1, "Variant tabs")
	editor.set_setting(Settings.VARIANT_TAB, false)
	await frames(3)
	check_equal(_inspectors(), 0, "Variant tabs when it is hidden")
	editor.set_setting(Settings.VARIANT_TAB, true)
	await frames(3)
	check_equal(_inspectors(), 1, "Variant tabs when it is shown again")


func _inspectors() -> int:
	var found := 0
	for node: Node in get_tree().root.find_children("*", "Container", true, false):
		var script: Script = node.get_script()
		found += 1 if script != null and script.resource_path.ends_with("variant_inspector.gd") else 0
	return found
