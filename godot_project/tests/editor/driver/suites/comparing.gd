@tool
extends "../suite.gd"
## What differs between a scene and the last commit, in a repository of its own.

const ComparisonWindow := preload("res://addons/fast_variant/editor/comparing/comparison_window.gd")

const FOLDER := "res://zone_of_commits"
const SCENE := FOLDER + "/yard.tscn"
const FRESH := FOLDER + "/fresh.tscn"
const TEXT := """[gd_scene format=3]

[node name="Yard" type="Node2D"]

[node name="Lamp" type="PointLight2D" parent="."]
color = Color(1, 0, 0, 1)
energy = 2.0

[node name="Bench" type="Node2D" parent="."]

[node name="Left" type="Node2D" parent="Bench"]
position = Vector2(1, 2)

[node name="Bin" type="Node2D" parent="."]
"""


func test_without_commits() -> void:
	await _make()
	await _compare(SCENE)
	check(_window().message().contains("last commit has no yard.tscn") or _window().message().contains("no git repository")
		or _window().message().contains("not lie in a git repository"), _window().message())
	check_equal(_window().tree.shown(), PackedStringArray(), "rows")
	_git(["init", "--quiet"])
	await _compare(SCENE)
	check(_window().message().contains("has no commit yet"), _window().message())
	_window().hide()


func test_what_differs() -> void:
	await _make()
	_commit()
	await _compare(SCENE)
	check_equal(_window().message(), "Nothing differs from the last commit.", "message")
	var changed := TEXT.replace("Color(1, 0, 0, 1)", "Color(0, 0, 1, 1)").replace("Vector2(1, 2)", "Vector2(1, 5)") \
			.replace("[node name=\"Bin\" type=\"Node2D\" parent=\".\"]\n", "[node name=\"Tree\" type=\"Sprite2D\" parent=\"Bench\"]\n")
	write(SCENE, changed)
	await choose_for_file(SCENE, "Compare with Last Commit")
	await _compared()
	check_equal(_window().message(), "Since the last commit: 1 added, 1 removed, 2 changed.", "message")
	check_equal(_window().tree.shown(), PackedStringArray([
		"Yard |  | ", "  Lamp |  | changed", "    color | Color(1, 0, 0, 1) | Color(0, 0, 1, 1)", "  Bench |  | ",
		"    Left |  | changed", "      position | Vector2(1, 2) | Vector2(1, 5)", "    Tree |  | added", "  Bin | removed | ",
	]), "rows")
	write(FRESH, TEXT)
	await _compare(FRESH)
	check(_window().message().contains("the last commit has no fresh.tscn here"), _window().message())
	write(SCENE, "broken")
	await _compare(SCENE)
	check(_window().message().begins_with("Cannot be compared: "), _window().message())
	_window().hide()


func test_open_scenes() -> void:
	await _make()
	_commit()
	await open(SCENE)
	var left := EditorInterface.get_edited_scene_root().get_node("Bench/Left") as Node2D
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("Move", UndoRedo.MERGE_DISABLE, left)
	undo_redo.add_do_property(left, &"position", Vector2(7, 8))
	undo_redo.add_undo_property(left, &"position", left.position)
	undo_redo.commit_action()
	await frames(3)
	_window().compare(SCENE, "Bench/Left")
	await _compared()
	check(_window().message().contains("not saved"), "it says what is left out: %s" % _window().message())
	EditorInterface.get_selection().clear()
	await save()
	await _compared()
	var rows := _window().tree.shown()
	check("      position | Vector2(1, 2) | Vector2(7, 8)" in rows, "what was saved: %s" % "\n".join(rows))
	check(_window().noise().contains("unique ids"), "noise is counted: %s" % _window().noise())
	check(not _window().message().contains("not saved"), _window().message())
	check(EditorInterface.get_selection().get_selected_nodes().is_empty(), "nothing is selected by itself")
	_window().tree.get_root().get_first_child().select(0)
	check(_window().tree.select_node("Bench/Left"), "the node has a row")
	await frames(2)
	check_equal(EditorInterface.get_selection().get_selected_nodes(), [left] as Array[Node], "a row selects the node")
	_window().tree.get_selected().get_first_child().select(0)
	_window().tree.item_activated.emit()
	await frames(3)
	check_equal(EditorInterface.get_inspector().get_edited_object(), left, "what the Inspector shows")
	_window().hide()
	EditorInterface.close_scene()
	await frames(3)


## Closed while git is asked, and asked again.
func test_nothing_waits() -> void:
	await _make()
	for attempt: int in 5:
		_window().compare(SCENE)
		_window().hide()
	await frames(3)
	check(not _window().is_working(), "nothing is awaited")
	await _compare("res://zone_of_commits/gone.tscn")
	check(_window().message().contains("cannot be read"), _window().message())
	_window().hide()


## What others do while the window is open is seen when it comes to the front again.
func test_changes_by_others() -> void:
	await _make()
	_commit()
	await _compare(SCENE)
	check_equal(_window().tree.shown().size(), 0, "rows")
	write(SCENE, TEXT.replace("energy = 2.0", "energy = 3.0").replace("Vector2(1, 2)", "Vector2(3, 4)"))
	_window().focus_entered.emit()
	await _compared()
	check("    energy | 2.0 | 3.0" in _window().tree.shown(), "\n".join(_window().tree.shown()))
	check(_window().tree.select_node("Bench/Left"), "the node has a row")
	var row := _window().tree.get_selected()
	row.collapsed = true
	_window().focus_entered.emit()
	await _compared()
	check(row == _window().tree.get_selected() and row.collapsed, "what is shown stays as it is")
	_commit()
	_window().focus_entered.emit()
	await _compared()
	check_equal(_window().tree.shown().size(), 0, "rows after a commit")
	DirAccess.remove_absolute(SCENE)
	_window().focus_entered.emit()
	await _compared()
	check(_window().message().contains("cannot be read"), _window().message())
	_window().hide()


func test_hostile_texts() -> void:
	await _make()
	_commit()
	var long := "x".repeat(1_000_000)
	write(SCENE, TEXT.replace("\"Bin\"", "\"[b]B\u202ein\"").replace("energy = 2.0", "energy = 2.0\nmetadata/a = \"%s\\u202e\"" % long) \
			+ "metadata/[b]\u202ex = \"[b]\u202e\n\"\n")
	await _compare(SCENE)
	var rows := "\n".join(_window().tree.shown())
	check(rows.contains("[b]B\\u202ein") and not rows.contains("\u202e"), "what is hidden is written out: %s" % rows.left(2000))
	check(rows.length() < 5000, "%d characters in rows" % rows.length())
	_window().hide()


func test_without_git() -> void:
	await _make()
	_git(["init", "--quiet"])
	var path := OS.get_environment("PATH")
	OS.set_environment("PATH", "/none")
	await _compare(SCENE)
	check(_window().message().contains("needs the program `git`"), _window().message())
	# One that does not answer, and that has started another program, which has its pipes.
	var fake := ProjectSettings.globalize_path("user://fake_git")
	write(fake + "/git", "#!/bin/sh\nPATH=%s\nsleep 40\nexit 1\n" % path)
	FileAccess.set_unix_permissions(fake + "/git", 0b111_101_101)
	OS.set_environment("PATH", fake)
	var start := Time.get_ticks_msec()
	_window().compare(SCENE)
	await frames(5)
	check(_window().is_working(), "git is asked")
	_window().hide()
	check(not _window().is_working(), "nothing waits for git")
	_window().compare(SCENE)
	await until(func() -> bool: return not _window().is_working(), "git is no longer asked")
	check(Time.get_ticks_msec() - start < 35_000, "nothing waits for a git that takes 40 seconds")
	check(_window().message().contains("did not answer within"), _window().message())
	# The editor ends while this one is at work, or soon after it.
	_window().compare(SCENE)
	await frames(2)
	_window().hide()
	OS.set_environment("PATH", path)


func _window() -> ComparisonWindow:
	return parts().comparison_window


func _compare(path: String) -> void:
	_window().compare(path)
	await _compared()


func _compared() -> void:
	await frames(2)
	await until(func() -> bool: return not _window().is_working(), "the comparison")


func _git(arguments: PackedStringArray) -> void:
	var who: PackedStringArray = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]
	var printed: Array = []
	var status := OS.execute("git", PackedStringArray(["-C", ProjectSettings.globalize_path(FOLDER)]) + who + arguments, printed, true)
	check_equal(status, 0, "git %s: %s" % [" ".join(arguments), printed])


## The scene as it is.
func _commit() -> void:
	_git(["init", "--quiet"])
	_git(["add", "yard.tscn"])
	_git(["commit", "--quiet", "--allow-empty", "-m", "a"])


func _make() -> void:
	close_dialogs_of_godot()
	var is_new := not DirAccess.dir_exists_absolute(FOLDER)
	write(SCENE, TEXT)
	if is_new:
		await scan()
		await settled()
	EditorInterface.get_resource_filesystem().update_file(SCENE)
	await frames(2)
