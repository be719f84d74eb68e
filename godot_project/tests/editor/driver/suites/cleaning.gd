@tool
extends "../suite.gd"
## Unused files, built-in resources that get a file, and what Godot's own FileSystem dock leaves behind when it moves a file.

const BuiltInResources := preload("res://addons/fast_variant/editor/refactoring/built_in_resources.gd")
const WarningBanner := preload("res://addons/fast_variant/editor/shared/warning_banner.gd")
const ProjectMenu := preload("res://addons/fast_variant/editor/menus/project_menu.gd")
const Refactoring := preload("res://addons/fast_variant/editor/refactoring/refactoring.gd")
const RefactoringWindow := preload("res://addons/fast_variant/editor/refactoring/refactoring_window.gd")
const UnusedWindow := preload("res://addons/fast_variant/editor/refactoring/unused_window.gd")

## `@` stands for the folder.
const MAIN_TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="@/main.gd" id="1"]

[sub_resource type="CircleShape2D" id="Circle_a"]
radius = 7.0

[node name="Main" type="Node2D"]
script = ExtResource("1")

[node name="Body" type="CollisionShape2D" parent="."]
shape = SubResource("Circle_a")
"""
const SCRIPT_TEXT := """extends Node2D


func part() -> Node:
	return (load("@/part.tscn") as PackedScene).instantiate()
"""
const PART_TEXT := "[gd_scene format=3]\n\n[node name=\"Part\" type=\"Node\"]\n"
const OLD_TEXT := "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n"

## Put together so that this script has neither their paths nor their names: then it would name what moves, and might use
## what is unused.
var folder := "/".join(["res:/", "zone_of_moves"])
var main := _in(folder, "main") + "tscn"
var script_path := _in(folder, "main") + "gd"
var part := _in(folder, "part") + "tscn"
var piece := _in(folder, "piece") + "tscn"
var third := _in(folder, "third") + "tscn"
var deep := _in("/".join([folder, "deep"]), "piece") + "tscn"
var circle := _in(folder, "circle") + "tres"
var moved := "/".join(["res:/", "zone_of_more"])
var attic := "/".join(["res:/", "zone"])
var old := _in(attic, str(73410521)) + "tres"
var older := _in(attic, str(73410522)) + "tres"
var picture := _in(attic, str(73410524)) + "png"
var left := _in(attic, str(73410523)) + "tscn"


func test_unused_files_are_removed() -> void:
	await _make()
	await choose_for_file(attic + "/", "Find Unused...")
	await _searched()
	var window := _unused()
	check(window.visible and window.get_ok_button().disabled, "nothing is checked at first: %s" % "\n".join(_rows()))
	check_equal(window.tree.chosen(), PackedStringArray(), "what is chosen")
	window.tree.check_file(old, true)
	check_equal(window.tree.chosen(), PackedStringArray([old]), "what is chosen")
	check_equal(window.ok_button_text, "Remove 1 File", "the button")
	check(window.message().contains("51 B"), window.message())
	window.get_ok_button().pressed.emit()
	await _searched()
	await _idle()
	check(not window.visible, "the window is closed: %s" % window.message())
	check(not FileAccess.file_exists(old), "it is gone")
	check_equal(EditorInterface.get_resource_filesystem().get_file_type(old), "", "the editor knows that")
	_check_untouched("with one file less", [old])
	await undo()
	await _idle()
	_check_untouched("after undo")
	check_equal(EditorInterface.get_resource_filesystem().get_file_type(old), "Resource", "the editor knows it again")
	await redo()
	await _idle()
	check(not FileAccess.file_exists(old), "it is gone again")
	await undo()
	await _idle()
	_check_untouched("after the second undo")


## With its `.import`, which the dock does not list, and Godot has the picture as before.
func test_an_imported_file_comes_back() -> void:
	await _make()
	_picture().save_png(picture)
	await scan()
	await until(func() -> bool: return FileAccess.file_exists(picture + ".import"), "the picture is imported")
	await settled()
	var imported := read(picture + ".import")
	var listed := _listed(attic)
	check(listed.has(picture.get_file() + ", valid: true"), "the dock lists the picture: %s" % listed)
	check_equal(_found_in_imports(), PackedStringArray(), "findings before")
	for round_: int in 2:
		parts().project_menu.choose(ProjectMenu._Entry.FIND_UNUSED)
		await _searched()
		_unused().tree.check_file(picture, true)
		_unused().get_ok_button().pressed.emit()
		await _searched()
		await _idle()
		check(not FileAccess.file_exists(picture) and not FileAccess.file_exists(picture + ".import"), "both are gone")
		await scan()
		await settled()
		await undo()
		await _idle()
		check_equal(read(picture + ".import"), imported, "the import is what it was")
		check_equal(_listed(attic), listed, "the files that the dock lists")
		await until(parts().checker.is_at_rest, "all is checked")
		check_equal(_found_in_imports(), PackedStringArray(), "findings after undo")
		check(ResourceLoader.exists(picture, "Texture2D") and load(picture) is Texture2D, "the picture can be loaded")
	await remove([picture, picture + ".import"])


func test_what_stays_and_names_what_goes() -> void:
	await _make()
	make(older, "[gd_resource type=\"Resource\" format=3]\n\n[ext_resource type=\"Resource\" path=\"%s\" id=\"1\"]\n\n" % old
		+ "[resource]\nmetadata/a = ExtResource(\"1\")\n")
	parts().project_menu.choose(ProjectMenu._Entry.FIND_UNUSED)
	await _searched()
	var window := _unused()
	window.tree.check_file(old, true)
	window.get_ok_button().pressed.emit()
	await _searched()
	check(window.visible and window.ok_button_text == "Remove Anyway", "it asks: %s" % window.message())
	check(FileAccess.file_exists(old), "nothing has gone yet")
	window.tree.check_file(older, true)
	check_equal(window.ok_button_text, "Remove 2 Files", "the question is about another choice")
	window.get_cancel_button().pressed.emit()
	window.hide()
	await frames(2)
	_check_untouched("after cancel")
	await remove([older])


func test_open_scenes_are_not_removed() -> void:
	await _make()
	make(left, PART_TEXT)
	await open(left)
	var removal := Refactoring.new(&"prune", [PackedStringArray([left])])
	await until(removal.is_ready, "the plan")
	check_equal(removal.removals, PackedStringArray([left]), "removals: %s" % removal.error())
	var reason := parts().rewriter.refactor(removal)
	check(reason.contains("close it first"), reason)
	check(FileAccess.file_exists(left), "it is there")
	EditorInterface.close_scene()
	await frames(3)
	check_equal(parts().rewriter.refactor(removal), "", "why it stays when it is closed")
	await _idle()
	check(not FileAccess.file_exists(left), "it is gone")


func test_extract() -> void:
	await _make()
	await open(main)
	var body := EditorInterface.get_edited_scene_root().get_node("Body") as CollisionShape2D
	var resources := BuiltInResources.of(body)
	check_equal(resources.keys(), ["shape: CircleShape2D"] as Array[String], "built-in resources")
	var file := BuiltInResources.file_to_propose(body, body.shape, "shape: CircleShape2D")
	check_equal(file, "/".join([folder, "body_shape"]) + ".tres", "the proposed file")
	parts().refactorings.extract(body.shape, file)
	await until(func() -> bool: return not _window().is_planning(), "the plan")
	check(_window().visible and not _window().get_ok_button().disabled, _window().message())
	_window().type(folder + "/taken.png")
	await until(func() -> bool: return not _window().is_planning(), "the plan for another file")
	check(_window().get_ok_button().disabled and _window().message().contains(".tres"), _window().message())
	_window().type(circle)
	await until(func() -> bool: return not _window().is_planning(), "the plan for a good file")
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(not _window().visible, _window().message())
	check(read(circle).contains("radius = 7.0"), read(circle))
	check(read(main).contains("path=\"%s\"" % circle) and not read(main).contains("sub_resource"), read(main))
	body = EditorInterface.get_edited_scene_root().get_node("Body")
	check_equal(body.shape.resource_path, circle, "the resource of the open scene")
	check_equal((body.shape as CircleShape2D).radius, 7.0, "its value")
	await undo()
	await _idle()
	_check_untouched("after undo")
	check(not FileAccess.file_exists(circle), "the file is gone")


## As a click with the right button, but without the dock.
func test_menu_of_a_node() -> void:
	await _make()
	await open(main)
	var tree := _scene_tree()
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(EditorInterface.get_edited_scene_root().get_node("Body"))
	await frames(3)
	tree.emit_signal(&"rmb_pressed", Vector2.ZERO)
	await frames(2)
	var entries: PackedStringArray = []
	for node: Node in EditorInterface.get_base_control().find_children("*", "PopupMenu", true, false):
		var menu: PopupMenu = node
		for index: int in menu.item_count if menu.visible else 0:
			entries.append(menu.get_item_text(index))
			var inner := menu.get_item_submenu_node(index)
			if menu.get_item_text(index) == "Extract to File" and inner != null:
				check_equal(inner.get_item_text(0), "shape: CircleShape2D...", "what can be extracted")
		if menu.visible:
			menu.hide()
	check("Extract to File" in entries and "Rename Everywhere..." in entries, "entries: %s" % entries)


func test_moved_in_the_dock() -> void:
	await _make()
	await _move_as_dock(part, deep)
	check(_banner().visible, "something is left behind")
	check_equal(_banner().text(), "1 place in 1 file still names %s." % part, "what is left behind")
	check_equal(read(script_path), SCRIPT_TEXT.replace("@", folder), "nothing is repaired by itself")
	_banner().action_pressed.emit()
	await until(func() -> bool: return not _window().is_planning(), "the plan")
	_window().get_ok_button().pressed.emit()
	await _idle()
	check_equal(read(script_path), SCRIPT_TEXT.replace("@", folder).replace(part, deep), "the repaired script")
	check(not _banner().visible, "nothing more is offered")
	await undo()
	await _idle()
	check_equal(read(script_path), SCRIPT_TEXT.replace("@", folder), "the script after undo")
	await _move_as_dock(deep, part)
	check(not _banner().visible, "it is where the script looks for it")
	_check_untouched("after it moved back")


func test_moved_back_before_it_is_looked_at() -> void:
	await _make()
	await _move_as_dock(part, piece)
	check(_banner().visible, "something is left behind")
	await _move_as_dock(piece, third)
	check_equal(parts().refactorings.moves_watch.moves(), {part: third} as Dictionary[String, String], "moves")
	await _move_as_dock(third, part)
	check(not _banner().visible and parts().refactorings.moves_watch.moves().is_empty(), "nothing has moved")
	_check_untouched("after it moved back")


func test_folder_moved_in_the_dock() -> void:
	await _make()
	var dock := EditorInterface.get_file_system_dock()
	var files: PackedStringArray = []
	for file: String in DirAccess.get_files_at(folder):
		files.append(file)
	DirAccess.rename_absolute(folder, moved)
	for file: String in files:
		dock.files_moved.emit(folder.path_join(file), moved.path_join(file))
	dock.folder_moved.emit(folder + "/", moved)
	await scan()
	var moves := parts().refactorings.moves_watch
	check_equal(moves.moves(), {folder: moved} as Dictionary[String, String], "moves")
	await until(func() -> bool: return not moves.is_working(), "what is left behind")
	check(_banner().text().contains("still name"), _banner().text())
	DirAccess.rename_absolute(moved, folder)
	for file: String in files:
		dock.files_moved.emit(moved.path_join(file), folder.path_join(file))
	dock.folder_moved.emit(moved + "/", folder)
	await scan()
	await until(func() -> bool: return not moves.is_working(), "nothing is left behind")
	check(not _banner().visible, "it is where it was")
	_check_untouched("after it moved back")


func test_what_the_addon_moves_is_not_offered() -> void:
	await _make()
	await choose_for_file(part, "Move with References...")
	_window().type(piece)
	await until(func() -> bool: return not _window().is_planning(), "the plan")
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(not parts().refactorings.moves_watch.is_working() and not _banner().visible, "nothing is left behind")
	await undo()
	await _idle()
	check(not parts().refactorings.moves_watch.is_working(), "nor after undo")
	_check_untouched("after undo")


## What Godot's dock does, as far as it concerns a file that no scene names.
func _move_as_dock(from: String, to: String) -> void:
	DirAccess.make_dir_recursive_absolute(to.get_base_dir())
	DirAccess.rename_absolute(from, to)
	EditorInterface.get_file_system_dock().files_moved.emit(from, to)
	await scan()
	await until(func() -> bool: return not parts().refactorings.moves_watch.is_working(), "what is left behind")


func _listed(path: String) -> PackedStringArray:
	var listing := EditorInterface.get_resource_filesystem().get_filesystem_path(path)
	var found: PackedStringArray = []
	for index: int in listing.get_file_count():
		found.append("%s, valid: %s" % [listing.get_file(index), listing.get_file_import_is_valid(index)])
	return found


func _picture() -> Image:
	return Image.create_empty(4, 4, false, Image.FORMAT_RGB8)


func _found_in_imports() -> PackedStringArray:
	var found: PackedStringArray = []
	for path: String in parts().problems.paths():
		for diagnostic: Diagnostic in parts().problems.diagnostics_of(path):
			if path.begins_with(picture):
				found.append(diagnostic.describe())
	return found


func _window() -> RefactoringWindow:
	return parts().refactorings.window


func _unused() -> UnusedWindow:
	return parts().refactorings.unused_window


func _banner() -> WarningBanner:
	return parts().refactorings.moves_banner


func _searched() -> void:
	await until(func() -> bool: return not _unused().is_working(), "what is unused")


## What the window lists, as text.
func _rows() -> PackedStringArray:
	var rows: PackedStringArray = [_unused().message()]
	var item := _unused().tree.get_root()
	while item != null:
		rows.append("%s | %s | %s" % [item.get_text(0), item.get_text(1), item.get_text(2)])
		item = item.get_next_in_tree()
	return rows


func _idle() -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	await frames(3)
	await until(func() -> bool:
		return not file_system.is_scanning() and not parts().rewriter.is_working(), "the editor knows the files")
	await frames(5)


func _scene_tree() -> Node:
	return EditorInterface.get_base_control().find_children("*", "SceneTreeEditor", true, false)[0]


func _check_untouched(when: String, but: PackedStringArray = []) -> void:
	var texts: Dictionary[String, String] = {main: MAIN_TEXT.replace("@", folder), script_path: SCRIPT_TEXT.replace("@", folder), part: PART_TEXT, old: OLD_TEXT}
	for path: String in texts:
		if path not in but:
			check_equal(read(path), texts[path], "%s %s" % [path, when])


func _make() -> void:
	close_dialogs_of_godot()
	if FileAccess.file_exists(main):
		return
	write(main, MAIN_TEXT.replace("@", folder))
	write(script_path, SCRIPT_TEXT.replace("@", folder))
	write(part, PART_TEXT)
	write(old, OLD_TEXT)
	await scan()
	await settled()


func _in(place: String, file: String) -> String:
	return "/".join([place, file]) + "."
