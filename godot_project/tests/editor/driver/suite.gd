@tool
extends Node
## What the suites of the editor's tests share. Each method that begins with `test_` is a test.

const Addon := preload("res://addons/fast_variant/editor/shared/addon.gd")
const Parts := preload("res://addons/fast_variant/editor/parts.gd")
const SceneFiles := preload("res://addons/fast_variant/editor/shared/scene_files.gd")
const SafeFile := preload("res://addons/fast_variant/editor/writing/safe_file.gd")
const Settings := preload("res://addons/fast_variant/editor/settings/settings.gd")
const Diagnostic := preload("res://addons/fast_variant/editor/checking/diagnostic.gd")
const SaveLosses := preload("res://addons/fast_variant/editor/saving/save_losses.gd")

## How long to wait for the editor, in milliseconds. Frames say nothing about time on a busy machine.
const PATIENCE := 120_000
const LITTLE_PATIENCE := 5_000

var failures: PackedStringArray = []


func run() -> void:
	var script: Script = get_script()
	for method: Dictionary in get_method_list():
		var name_of_test: String = method["name"]
		if name_of_test.begins_with("test_"):
			print("test: ", script.resource_path.get_file().get_basename(), ".", name_of_test)
			await call(name_of_test)
	await _leave_nothing_behind()


func fail(reason: String) -> void:
	failures.append(reason)
	print("FAIL  ", reason)


func check(condition: bool, what: String) -> void:
	if not condition:
		fail(what)


func check_equal(found: Variant, expected: Variant, what: String) -> void:
	if typeof(found) != typeof(expected) or found != expected:
		fail("%s: found %s, expected %s" % [what, found, expected])


## After a failure, the rest of a suite is not worth a long wait.
func until(condition: Callable, what: String) -> void:
	var end := Time.get_ticks_msec() + (PATIENCE if failures.is_empty() else LITTLE_PATIENCE)
	while not condition.call():
		if Time.get_ticks_msec() > end:
			fail("waited in vain for: %s" % what)
			return
		await get_tree().process_frame


func frames(count: int) -> void:
	for frame: int in count:
		await get_tree().process_frame


## The addon at work; null while it is switched off.
func parts() -> Parts:
	for node: Node in get_tree().root.find_children("*", "", true, false):
		if node is Parts:
			return node
	return null


func write(path: String, text: String) -> void:
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()


func read(path: String) -> String:
	return FileAccess.get_file_as_string(path)


## Lets the editor look for new folders.
func scan() -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	file_system.scan()
	await until(func() -> bool: return not file_system.is_scanning(), "the scan")


## A file that the editor knows.
func make(path: String, text: String) -> void:
	write(path, text)
	EditorInterface.get_resource_filesystem().update_file(path)


func open(path: String) -> void:
	EditorInterface.open_scene_from_path(path)
	await until(func() -> bool: return edited_path() == path, "%s is open" % path)


## What Godot asked because of a broken scene would stand in the way of other windows.
func close_dialogs_of_godot() -> void:
	for dialog: Window in EditorInterface.get_base_control().find_children("*", "DependencyErrorDialog", true, false):
		dialog.hide()


func save() -> void:
	var error := EditorInterface.save_scene()
	check_equal(error, OK, "saving %s" % edited_path())
	await get_tree().process_frame


func edited_path() -> String:
	var root := EditorInterface.get_edited_scene_root()
	return root.scene_file_path if root != null else ""


func remove(paths: PackedStringArray) -> void:
	for path: String in paths:
		DirAccess.remove_absolute(path)
		EditorInterface.get_resource_filesystem().update_file(path)
	await frames(2)


## Waits until nothing is checked in the background, nor about to be.
func settled() -> void:
	var checker := parts().checker
	checker.check_project()
	await until(func() -> bool: return not checker.is_running(), "the project is checked")
	await frames(2)


## What the newest save of a file dropped that is not dismissed; null without any.
func losses_of(path: String) -> SaveLosses:
	var found := parts().problems.losses.of(path)
	return found[0] if not found.is_empty() else null


## Unsaved scenes, losses and dialogs would stay for the next suite, which may open an exclusive dialog of Godot.
func _leave_nothing_behind() -> void:
	if parts() == null:
		return
	parts().problems.losses.remove_all()
	for dialog: AcceptDialog in parts().find_children("*", "AcceptDialog", true, false):
		dialog.hide()
	for path: String in EditorInterface.get_open_scenes():
		if parts().unsaved.has(path):
			await open(path)
			# Godot shows the scene in deferred calls.
			await frames(5)
			EditorInterface.close_scene()
			await frames(5)


func codes_in(path: String) -> PackedStringArray:
	var codes: PackedStringArray = []
	for diagnostic: Diagnostic in parts().problems.diagnostics_of(path):
		codes.append(diagnostic.code)
	return codes


## In a folder of the project. A merge with conflicts ends with status 1.
func git(folder: String, arguments: PackedStringArray, expected_status := 0) -> void:
	var who: PackedStringArray = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]
	var printed: Array = []
	var status := OS.execute("git", PackedStringArray(["-C", ProjectSettings.globalize_path(folder)]) + who + arguments, printed, true)
	check_equal(status, expected_status, "git %s: %s" % [" ".join(arguments), printed])


## As the user does, through the editor's menu.
func undo() -> void:
	await choose_in_menu("Undo")


func redo() -> void:
	await choose_in_menu("Redo")


## A toast with these words; null without one.
func toast_with(words: String) -> Label:
	for toaster: Node in EditorInterface.get_base_control().find_children("*", "EditorToaster", true, false):
		for node: Node in toaster.find_children("*", "Label", true, false):
			var label: Label = node
			if label.text.contains(words):
				return label
	return null


func press_in_toast(words: String, title: String) -> void:
	await until(func() -> bool: return toast_with(words) != null, "the toast with %s" % words)
	if toast_with(words) == null:
		return
	for node: Node in toast_with(words).get_parent().get_children():
		var button := node as Button
		if button != null and button.text == title and not button.disabled:
			button.pressed.emit()
			return
	fail("the toast with %s has no button %s" % [words, title])


func choose_in_menu(entry: String) -> void:
	for node: Node in EditorInterface.get_base_control().find_children("*", "PopupMenu", true, false):
		var menu: PopupMenu = node
		for index: int in menu.item_count:
			if menu.get_item_text(index) == entry and menu.get_parent() is MenuBar:
				menu.id_pressed.emit(menu.get_item_id(index))
				await frames(3)
				return
	fail("there is no menu with %s" % entry)


## With the mouse, in the middle of it.
func click(control: Control) -> void:
	check(control.is_visible_in_tree(), "%s is there to be clicked" % control)
	click_at(control, control.size / 2)
	await frames(1)


## Clicks with the mouse. Godot asks the screen for its place, and headless runs have no screen.
func click_at(control: Control, at: Vector2) -> void:
	control.notification(Control.NOTIFICATION_MOUSE_ENTER)
	for pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = pressed
		event.position = control.get_global_rect().position + at
		event.global_position = event.position
		control.get_viewport().push_input(event, true)
	control.notification(Control.NOTIFICATION_MOUSE_EXIT)


## A key, with the character that it types.
func press_key(viewport: Viewport, code: Key, character := "") -> void:
	var event := InputEventKey.new()
	event.keycode = code
	event.unicode = character.unicode_at(0) if not character.is_empty() else 0
	event.pressed = true
	viewport.push_input(event)


## In our part of the menu of the FileSystem dock.
func choose_for_file(path: String, entry: String) -> void:
	var menu := await menu_for_file(path)
	var ours := submenu_of(menu, Addon.MENU)
	for index: int in ours.item_count if ours != null else 0:
		if ours.get_item_text(index) == entry:
			menu.hide()
			ours.index_pressed.emit(index)
			await frames(3)
			return
	fail("the menu for %s has no entry %s" % [path, entry])


## Returns null if nothing matches.
func submenu_of(menu: PopupMenu, entry: String) -> PopupMenu:
	for index: int in menu.item_count:
		if menu.get_item_text(index) == entry:
			return menu.get_item_submenu_node(index)
	return null


## The menu that a click with the right button opens.
func menu_for_file(path: String) -> PopupMenu:
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
