@tool
extends "../suite.gd"
## Scenes in which git has left its markers, because it merges them by lines, are settled from what git has of both sides; and
## git is set up to merge by nodes.

const Conflict := preload("res://addons/fast_variant/editor/merging/conflict.gd")
const ConflictsWindow := preload("res://addons/fast_variant/editor/merging/conflicts_window.gd")
const MergeOffer := preload("res://addons/fast_variant/editor/merging/merge_offer.gd")
const ProblemsMenu := preload("res://addons/fast_variant/editor/problems/problems_menu.gd")

const FOLDER := "res://zone_of_git"
const SCENE := FOLDER + "/yard.tscn"
const TEXT := """[gd_scene format=3]

[node name="Yard" type="Node2D"]

[node name="Bin" type="Node2D" parent="."]
position = Vector2(%d, 1)
rotation = %s
"""


func test_markers_are_settled() -> void:
	await _merge(TEXT % [1, "0.5"], TEXT % [2, "0.6"], TEXT % [3, "0.7"])
	var markers := read(SCENE)
	check("SYN006" in codes_in(SCENE), "the panel lists the markers: %s" % codes_in(SCENE))
	check(parts().panel.show_file(SCENE), "it has a row")
	parts().panel.run_action(ProblemsMenu._Action.RESOLVE)
	await _answered()
	check_equal(_window().conflicts().size(), 2, "conflicts")
	check(_window().message().contains("replaces git's markers"), _window().message())
	check_equal(_window().sides[Conflict.OURS].shown_text(), "Vector2(2, 1)", "ours")
	check_equal(_window().sides[Conflict.THEIRS].shown_text(), "Vector2(3, 1)", "theirs")
	check_equal(_window().sides[Conflict.BASE].shown_text(), "Vector2(1, 1)", "base")
	check_equal(read(SCENE), markers, "nothing is written yet")
	_press(KEY_T)
	_window().tree.select_conflict(2)
	_press(KEY_B)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(not _window().visible, "all is settled: %s" % _window().message())
	check_equal(read(SCENE), TEXT % [3, "0.5"], "the file")
	check(_has_label("yard.tscn: 2 conflicts settled. `git add` ends the merge of it."), "a toast")
	check("SYN006" not in codes_in(SCENE), "the panel knows: %s" % codes_in(SCENE))
	await undo()
	await _idle()
	check_equal(read(SCENE), markers, "after undo")
	await redo()
	await _idle()
	check_equal(read(SCENE), TEXT % [3, "0.5"], "after redo")


func test_what_is_not_decided_stays() -> void:
	await _merge(TEXT % [1, "0.5"], TEXT % [2, "0.6"], TEXT % [3, "0.7"])
	await choose_for_file(SCENE, "Resolve Conflicts...")
	await _answered()
	_press(KEY_T)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(_window().visible, "one is left")
	check(read(SCENE).begins_with(TEXT % [3, "0.6"]) and read(SCENE).contains("_gdscene_conflicts"), read(SCENE))
	check_equal(_window().conflicts().size(), 1, "what is left")
	_press(KEY_T)
	_window().get_ok_button().pressed.emit()
	await _idle()
	check_equal(read(SCENE), TEXT % [3, "0.7"], "the file")


## Lines beside each other are a conflict for git only.
func test_no_conflict_by_nodes() -> void:
	await _merge(TEXT % [1, "0.5"], TEXT % [2, "0.5"], TEXT % [1, "0.7"])
	parts().conflicts.resolve(SCENE)
	await _answered()
	check_equal(_window().conflicts().size(), 0, "conflicts")
	check(_window().message().begins_with("Both sides merge by nodes without a conflict."), _window().message())
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(not _window().visible, _window().message())
	check_equal(read(SCENE), TEXT % [2, "0.7"], "the file")


func test_a_file_that_changed() -> void:
	await _merge(TEXT % [1, "0.5"], TEXT % [2, "0.6"], TEXT % [3, "0.7"])
	parts().conflicts.resolve(SCENE)
	await _answered()
	_press(KEY_T)
	var changed := read(SCENE) + "\n"
	write(SCENE, changed)
	_window().get_ok_button().pressed.emit()
	await _answered()
	check_equal(read(SCENE), changed, "the file is left alone")
	check(_window().message().begins_with("Nothing was written: it was changed since"), _window().message())
	check_equal(_window().choices(), {1: "theirs"} as Dictionary[int, String], "what is chosen")
	_window().get_ok_button().pressed.emit()
	await _idle()
	check(read(SCENE).begins_with(TEXT % [3, "0.6"]), "then it is written: %s" % read(SCENE))
	_window().hide()


## A plain message, and the text.
func test_without_sides() -> void:
	await _merge(TEXT % [1, "0.5"], TEXT % [2, "0.6"], TEXT % [3, "0.7"])
	var path := OS.get_environment("PATH")
	OS.set_environment("PATH", "/none")
	parts().conflicts.resolve(SCENE)
	await _answered()
	check(_window().message().contains("the program `git` was not found"), _window().message())
	check(_window().get_ok_button().disabled, "there is nothing to apply")
	OS.set_environment("PATH", path)
	git(FOLDER, ["add", "yard.tscn"])
	parts().conflicts.resolve(SCENE)
	await _answered()
	check(_window().message().contains("git has no sides of the file any more"), _window().message())
	for button: Button in _window().find_children("*", "Button", true, false):
		if button.text == "Open Text":
			check(not button.disabled, "the text can be opened")
			button.pressed.emit()
	await frames(3)
	check_equal(parts().text_window.title, SCENE, "the text is shown")
	parts().text_window.hide()
	_window().hide()
	write(SCENE, TEXT % [1, "0.5"])
	parts().checker.check(SCENE)


## The project is made a repository for this test.
func test_merging_is_offered() -> void:
	if DirAccess.dir_exists_absolute("user://programs"):
		_remove_folder("user://programs")
	git("res://", ["init", "--quiet"])
	var offer := parts().merge_offer
	var path := OS.get_environment("PATH")
	check(not offer.note.is_wanted, "nothing is offered without a window")
	OS.set_environment("PATH", _programs([]))
	offer.look()
	await until(func() -> bool: return not offer.is_working(), "git has answered")
	check(offer.note.visible and not offer.set_up.visible and offer.explain.visible, "without gdscene, it is explained")
	OS.set_environment("PATH", _programs(["echo it failed >&2; exit 1"]))
	offer.look()
	await until(func() -> bool: return not offer.is_working(), "git has answered")
	check(offer.note.visible and offer.set_up.visible and not offer.explain.visible, "with gdscene, it is a click")
	offer.set_up.pressed.emit()
	await until(func() -> bool: return not offer.is_working(), "gdscene has ended")
	check(offer.note.visible and _has_label("Merging is not set up: it failed."), "the failure is shown")
	OS.set_environment("PATH", _programs(["git config merge.gdscene.driver x && echo \"$@\" is done"]))
	offer.set_up.pressed.emit()
	await until(func() -> bool: return not offer.is_working(), "gdscene has ended")
	check(not offer.note.visible and _has_label("git install is done"), "the success is shown")
	offer.look()
	await until(func() -> bool: return not offer.is_working(), "git has answered")
	check(not offer.note.is_wanted, "what is set up is not offered")
	git("res://", ["config", "--unset", "merge.gdscene.driver"])
	offer.look()
	await until(func() -> bool: return not offer.is_working(), "git has answered")
	check(offer.note.is_wanted, "it is offered again")
	offer.note.close_pressed.emit()
	offer.look()
	check(not offer.note.is_wanted and not offer.is_working(), "whoever closes it is not asked again")
	OS.set_environment("PATH", path)
	EditorInterface.get_editor_settings().set_project_metadata(MergeOffer.STATE_SECTION, MergeOffer.STATE_KEY, "")
	for folder: String in ["res://.git", FOLDER, "user://programs"]:
		_remove_folder(folder)
	await scan()
	await settled()


## A folder for the PATH, with git and perhaps a program called gdscene.
func _programs(lines: PackedStringArray) -> String:
	var folder := ProjectSettings.globalize_path("user://programs")
	DirAccess.make_dir_recursive_absolute(folder)
	if not FileAccess.file_exists(folder + "/git"):
		var printed: Array = []
		OS.execute("sh", ["-c", "command -v git"], printed)
		write(folder + "/git", "#!/bin/sh\nexec %s \"$@\"\n" % str(printed[0]).strip_edges())
		FileAccess.set_unix_permissions(folder + "/git", 0b111_101_101)
	DirAccess.remove_absolute(folder + "/gdscene")
	if not lines.is_empty():
		write(folder + "/gdscene", "#!/bin/sh\n%s\n" % "\n".join(lines))
		FileAccess.set_unix_permissions(folder + "/gdscene", 0b111_101_101)
	return folder


## Two branches; the second is merged into the first.
func _merge(base: String, ours: String, theirs: String) -> void:
	close_dialogs_of_godot()
	if DirAccess.dir_exists_absolute(FOLDER):
		_remove_folder(FOLDER)
	write(SCENE, base)
	git(FOLDER, ["init", "--quiet", "--initial-branch=ours"])
	git(FOLDER, ["add", "."])
	git(FOLDER, ["commit", "--quiet", "-m", "base"])
	git(FOLDER, ["checkout", "--quiet", "-b", "theirs"])
	write(SCENE, theirs)
	git(FOLDER, ["commit", "--quiet", "-a", "-m", "theirs"])
	git(FOLDER, ["checkout", "--quiet", "ours"])
	write(SCENE, ours)
	git(FOLDER, ["commit", "--quiet", "-a", "-m", "ours"])
	git(FOLDER, ["-c", "core.attributesFile=none", "merge", "theirs"], 1)
	check(read(SCENE).contains("<<<<<<<"), "git leaves markers: %s" % read(SCENE))
	await scan()
	await settled()


func _remove_folder(folder: String) -> void:
	var inside := DirAccess.open(folder)
	inside.include_hidden = true
	for file: String in inside.get_files():
		FileAccess.set_unix_permissions(folder.path_join(file), 0b110_100_100)
		DirAccess.remove_absolute(folder.path_join(file))
	for inner: String in inside.get_directories():
		_remove_folder(folder.path_join(inner))
	DirAccess.remove_absolute(folder)


func _window() -> ConflictsWindow:
	return parts().conflicts.window


func _answered() -> void:
	await frames(2)
	await until(func() -> bool: return not _window().is_working(), "git has answered")
	await frames(2)


func _idle() -> void:
	await frames(3)
	await until(func() -> bool: return not parts().rewriter.is_working(), "the editor knows the files")
	await frames(5)


## In the list.
func _press(key: Key) -> void:
	var event := InputEventKey.new()
	event.keycode = key
	event.pressed = true
	_window().tree._gui_input(event)


func _has_label(text: String) -> bool:
	for label: Label in EditorInterface.get_base_control().find_children("*", "Label", true, false):
		if label.text == text:
			return true
	return false
