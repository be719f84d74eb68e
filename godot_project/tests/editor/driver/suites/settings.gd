@tool
extends "../suite.gd"
## The settings under Project Settings.

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
	check_equal(codes_in(PATH), PackedStringArray(), "findings while it is off")
	ProjectSettings.set_setting(Settings.CHECK_ON_SAVE, true)
	watch()._on_saved(PATH, null)
	check_equal(codes_in(PATH), PackedStringArray(["REF001"]), "findings")
	await remove([PATH])
