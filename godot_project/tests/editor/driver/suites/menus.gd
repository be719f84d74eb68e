@tool
extends "../suite.gd"
## The entries in the FileSystem dock's menu and under Project > Tools.

const ProjectMenu := preload("res://addons/fast_variant/editor/menus/project_menu.gd")

const Commands := preload("res://addons/fast_variant/editor/menus/commands.gd")

## How our entries begin.
const OURS: Array[String] = ["Check ", "Fix ", "Format ", "Compare with ", "Dependencies by ", "References by ", "Move with ", "Find Unused"]
const FOR_SCENE: Array[String] = [
	"Check Scene", "Fix Scene", "Format Scene", "Compare with Last Commit", "Dependencies by Line", "References by Line",
	"Move with References..."
]
const USER := "res://menus/user.tscn"
const USER_TEXT := """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://good.tscn" id="1"]
[ext_resource type="Texture2D" path="res://menus/gone.png" id="2"]

[node name="Root" type="Sprite2D"]
texture = ExtResource("2")

[node name="Good" parent="." instance=ExtResource("1")]
"""


func test_file_menu() -> void:
	make(USER, USER_TEXT)
	await scan()
	await settled()
	check_equal(await _entries("res://menus/"), PackedStringArray(FOR_SCENE.slice(0, 3) + FOR_SCENE.slice(6) + ["Find Unused..."]), "entries for a folder with one scene")
	check_equal(await _entries(USER), PackedStringArray(FOR_SCENE), "entries for a scene")
	make("res://menus/second.tres", "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n")
	check_equal((await _entries("res://menus/"))[0], "Check 2 Scenes and Resources", "the first entry for a folder with two")
	await remove(["res://menus/second.tres"])
	check_equal(await _entries("res://driver/driver.gd"), PackedStringArray(FOR_SCENE.slice(5)), "entries for another file")
	var dock := EditorInterface.get_file_system_dock()
	var menus := dock.find_children("*", "PopupMenu", true, false).size()
	for round_: int in 3:
		await _entries(USER)
	check_equal(dock.find_children("*", "PopupMenu", true, false).size(), menus, "no menu is left behind")


func test_dependencies_and_references() -> void:
	await choose_for_file(USER, "Dependencies by Line")
	var window := parts().places_window
	check_equal(window.shown(), PackedStringArray(["res://menus/gone.png", "res://good.tscn"]), "dependencies, missing first")
	window.hide()
	await choose_for_file("res://good.tscn", "References by Line")
	var places := "\n".join(window.shown())
	check(places.contains("res://menus/user.tscn:3: [ext_resource"), "references: %s" % places)
	window.hide()


func test_check_fix_and_format() -> void:
	make(USER, USER_TEXT.replace("\n\n[ext", "\n[ext"))
	await choose_for_file(USER, "Check Scene")
	check(parts().checker.is_known(USER), "the file was checked")
	await until(func() -> bool: return parts().panel.tree.selected_group() != null, "the file is selected in the panel")
	check_equal(parts().panel.tree.selected_group().key, USER, "the selected file")
	await choose_for_file("res://good.tscn", "Check Scene")
	await until(func() -> bool: return _is_told("good.tscn: no problems."), "an answer for a good file")
	await choose_for_file("res://menus/", "Format Scene")
	check_equal(read(USER), USER_TEXT, "the formatted text")
	make(USER, USER_TEXT.replace("path=", "path ="))
	await choose_for_file(USER, "Fix Scene")
	check_equal(codes_in(USER), PackedStringArray(["RES001"]), "diagnostics that are left")


func test_project_menu() -> void:
	var menu := parts().project_menu
	check_equal(menu.item_count, 7, "entries")
	menu.choose(ProjectMenu._Entry.CHECK)
	check(parts().checker.is_running(), "the project is checked")
	await settled()
	make(USER, USER_TEXT.replace("\n\n[ext", "\n[ext"))
	await settled()
	menu.choose(ProjectMenu._Entry.FORMAT)
	await frames(3)
	check_equal(read(USER), USER_TEXT, "the formatted text")
	menu.choose(ProjectMenu._Entry.PANEL)
	check(parts().panel.is_visible_in_tree(), "the panel is shown")
	await remove([USER])
	await settled()


## No key is one of the editor's own.
func test_keys_are_free() -> void:
	var settings := EditorInterface.get_editor_settings()
	if not settings.has_method(&"get_shortcut_list"):
		return
	var ours := parts().commands
	for command: Commands._Command in Commands.TITLES:
		var event: InputEvent = ours.shortcut_of(command).events[0]
		var paths: PackedStringArray = settings.call(&"get_shortcut_list")
		for path: String in paths:
			var other: Shortcut = settings.call(&"get_shortcut", path)
			if other != null and other != ours.shortcut_of(command):
				check(not other.matches_event(event), "%s is also %s" % [event.as_text(), path])


func test_keys_can_be_changed() -> void:
	var settings := EditorInterface.get_editor_settings()
	if not settings.has_method(&"add_shortcut"):
		return
	var path := "fast_variant/next_problem"
	check(settings.call(&"has_shortcut", path), "the editor knows the shortcut")
	var key := InputEventKey.new()
	key.keycode = KEY_F24
	parts().commands.shortcut_of(Commands._Command.NEXT_PROBLEM).events = [key]
	parts().commands.detach(null)
	check(not settings.call(&"has_shortcut", "fast_variant/previous_problem"), "what was not changed is gone")
	parts().commands.attach(null)
	check_equal(parts().commands.shortcut_of(Commands._Command.NEXT_PROBLEM).get_as_text(), "F24", "the key that the user chose")
	parts().commands.shortcut_of(Commands._Command.NEXT_PROBLEM).events = parts().commands.shortcut_of(Commands._Command.NEXT_PROBLEM).get_meta(&"original")


func test_keys_work() -> void:
	make(USER, USER_TEXT)
	await settled()
	parts().panel.tree.deselect_all()
	var event: InputEventKey = parts().commands.shortcut_of(Commands._Command.NEXT_PROBLEM).events[0]
	var press: InputEventKey = event.duplicate()
	press.pressed = true
	# The scene that the key opens lacks its texture.
	print("[expected errors")
	get_viewport().push_input(press)
	await until(func() -> bool: return parts().panel.tree.selected_diagnostic() != null, "the next problem is selected")
	print("expected errors]")
	parts().text_window.hide()
	await remove([USER])
	await settled()


func _is_told(message: String) -> bool:
	for node: Node in EditorInterface.get_base_control().find_children("*", "Label", true, false):
		if (node as Label).text.begins_with(message):
			return true
	return false


## What the dock's menu has of ours for this file or folder: one entry with a menu.
func _entries(path: String) -> PackedStringArray:
	var menu := await menu_for_file(path)
	var found: PackedStringArray = []
	var ours := 0
	for index: int in menu.item_count:
		ours += int(menu.get_item_text(index) == Addon.MENU)
		check(not OURS.any(menu.get_item_text(index).begins_with), "%s is in the menu itself" % menu.get_item_text(index))
	check_equal(ours, 1, "entries in the menu itself")
	var inner := submenu_of(menu, Addon.MENU)
	for index: int in inner.item_count if inner != null else 0:
		found.append(inner.get_item_text(index))
		check(inner.get_item_icon(index) != null, "%s has an icon" % inner.get_item_text(index))
	menu.hide()
	return found
