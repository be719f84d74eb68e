@tool
extends "../suite.gd"
## The entries in the FileSystem dock's menu and under Project > Tools.

const ProjectMenu := preload("res://addons/fast_variant/editor/project_menu.gd")

const OURS: Array[String] = ["Check Scenes", "Fix Scenes", "Format Scenes", "Show Dependencies", "Find References"]
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
	check_equal(await _entries("res://menus/"), PackedStringArray(OURS.slice(0, 3)), "entries for a folder")
	check_equal(await _entries(USER), PackedStringArray(OURS), "entries for a scene")
	check_equal(await _entries("res://driver/driver.gd"), PackedStringArray(OURS.slice(4)), "entries for another file")


func test_dependencies_and_references() -> void:
	await _choose(USER, "Show Dependencies")
	var window := watch().places_window
	check_equal(window.shown(), PackedStringArray(["res://menus/gone.png", "res://good.tscn"]), "dependencies, missing first")
	window.hide()
	await _choose("res://good.tscn", "Find References")
	var places := "\n".join(window.shown())
	check(places.contains("res://menus/user.tscn:3: [ext_resource"), "references: %s" % places)
	window.hide()


func test_check_fix_and_format() -> void:
	make(USER, USER_TEXT.replace("\n\n[ext", "\n[ext"))
	await _choose(USER, "Check Scenes")
	check(watch().checker.is_known(USER), "the file was checked")
	await _choose("res://menus/", "Format Scenes")
	check_equal(read(USER), USER_TEXT, "the formatted text")
	make(USER, USER_TEXT.replace("path=", "path ="))
	await _choose(USER, "Fix Scenes")
	check_equal(codes_in(USER), PackedStringArray(["RES001"]), "diagnostics that are left")


func test_project_menu() -> void:
	var menu := watch().project_menu
	check_equal(menu.item_count, 6, "entries")
	menu.choose(ProjectMenu.Entry.CHECK)
	check(watch().checker.is_running(), "the project is checked")
	await settled()
	make(USER, USER_TEXT.replace("\n\n[ext", "\n[ext"))
	await settled()
	menu.choose(ProjectMenu.Entry.FORMAT)
	await frames(3)
	check_equal(read(USER), USER_TEXT, "the formatted text")
	menu.choose(ProjectMenu.Entry.PANEL)
	check(watch().panel.is_visible_in_tree(), "the panel is shown")
	await remove([USER])
	await settled()


## What the dock's menu has of ours for this file or folder.
func _entries(path: String) -> PackedStringArray:
	var menu := await _menu(path)
	var found: PackedStringArray = []
	for index: int in menu.item_count:
		if menu.get_item_text(index) in OURS:
			found.append(menu.get_item_text(index))
	menu.hide()
	return found


func _choose(path: String, entry: String) -> void:
	var menu := await _menu(path)
	for index: int in menu.item_count:
		if menu.get_item_text(index) == entry:
			menu.hide()
			menu.id_pressed.emit(menu.get_item_id(index))
			await frames(3)
			return
	fail("the menu for %s has no entry %s" % [path, entry])


## The menu that a click with the right button opens.
func _menu(path: String) -> PopupMenu:
	var dock := EditorInterface.get_file_system_dock()
	EditorInterface.select_file(path)
	await frames(2)
	var tree: Tree = dock.find_children("*", "Tree", true, false)[0]
	tree.item_mouse_selected.emit(Vector2.ZERO, MOUSE_BUTTON_RIGHT)
	await frames(2)
	for node: Node in dock.find_children("*", "PopupMenu", true, false):
		var menu: PopupMenu = node
		if menu.visible:
			return menu
	fail("no menu opens for %s" % path)
	return PopupMenu.new()
