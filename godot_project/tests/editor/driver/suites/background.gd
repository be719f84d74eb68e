@tool
extends "../suite.gd"
## What is checked without being asked for.

const PATH := "res://background/scene.tscn"
const BROKEN := "[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\nscript = ExtResource(\"1\")\n"
const GOOD := "[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n"


## Another program writes a file; the editor notices when it gets the focus.
func test_changes_of_files() -> void:
	write(PATH, BROKEN)
	EditorInterface.get_resource_filesystem().scan()
	await until(func() -> bool: return codes_in(PATH) == PackedStringArray(["REF001"]), "the new file is checked")
	write(PATH, GOOD)
	EditorInterface.get_resource_filesystem().update_file(PATH)
	await until(func() -> bool: return codes_in(PATH).is_empty(), "the changed file is checked")


## As `git checkout` does while the editor has no focus: Godot does not load the file, and scans when the focus comes back.
func test_changes_by_another_program() -> void:
	make(PATH, BROKEN)
	await settled()
	await until(func() -> bool: return codes_in(PATH) == PackedStringArray(["REF001"]), "the file is checked")
	write(PATH, GOOD)
	EditorInterface.get_base_control().get_window().focus_entered.emit()
	await until(func() -> bool: return codes_in(PATH).is_empty(), "the repaired file is checked at focus")
	write(PATH, BROKEN)
	EditorInterface.get_resource_filesystem().sources_changed.emit(false)
	await until(func() -> bool: return not codes_in(PATH).is_empty(), "the broken file is checked after a scan")


## Without checks of the project, what is shown of a file follows the file.
func test_changes_without_checks_of_the_project() -> void:
	var path := "res://background/alone.tscn"
	ProjectSettings.set_setting(Settings.CHECK_PROJECT, false)
	make(path, BROKEN)
	parts().checker.check(path)
	await until(func() -> bool: return codes_in(path) == PackedStringArray(["REF001"]), "the file is checked")
	# Godot counts the times of files in seconds.
	OS.delay_msec(1100)
	write(path, GOOD)
	EditorInterface.get_base_control().get_window().focus_entered.emit()
	await until(func() -> bool: return codes_in(path).is_empty(), "the repaired file is checked")
	ProjectSettings.set_setting(Settings.CHECK_PROJECT, true)
	await remove([path])
	await settled()


func test_excluded_folders() -> void:
	make(PATH, BROKEN)
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray(["res://background/"]))
	await settled()
	check_equal(codes_in(PATH), PackedStringArray(), "diagnostics in a folder that is excluded")
	ProjectSettings.set_setting(Settings.EXCLUDED, PackedStringArray())
	await settled()
	check_equal(codes_in(PATH), PackedStringArray(["REF001"]), "diagnostics")


func test_folders_that_godot_ignores() -> void:
	make("res://background/.gdignore", "")
	await settled()
	check_equal(codes_in(PATH), PackedStringArray(), "diagnostics in a folder with .gdignore")
	await remove(["res://background/.gdignore"])


func test_cancel_keeps_what_is_known() -> void:
	await settled()
	check_equal(codes_in(PATH), PackedStringArray(["REF001"]), "diagnostics")
	parts().checker.check_project()
	parts().checker.cancel()
	await until(func() -> bool: return not parts().checker.is_running(), "the check ends")
	check_equal(codes_in(PATH), PackedStringArray(["REF001"]), "diagnostics after a check was cancelled")
	await remove([PATH])
	await settled()
	check_equal(codes_in(PATH), PackedStringArray(), "diagnostics in a file that is gone")


func test_opening_checks() -> void:
	var path := "res://background/opened.tscn"
	ProjectSettings.set_setting(Settings.CHECK_PROJECT, false)
	make(path, GOOD + "\n[connection signal=\"ready\" from=\"Gone\" to=\".\" method=\"queue_free\"]\n")
	await open(path)
	await until(func() -> bool: return codes_in(path) == PackedStringArray(["SIG001"]), "the opened scene is checked")
	ProjectSettings.set_setting(Settings.CHECK_PROJECT, true)
	EditorInterface.close_scene()
	await remove([path])
	await settled()
