@tool
extends "../suite.gd"
## Fixes, formats, ignores; and undoes all of it.

const PATH := "res://repairs/scene.tscn"
const TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="res://driver/driver.gd" id="1"]

[node name="Root" type="Node"]
# a slip

[node name="Child" type="Node" parent="."]
process_mode = True
"""
const SECOND := "res://repairs/second.tscn"


func test_fix_one() -> void:
	make(PATH, TEXT)
	parts().checker.check(PATH)
	check_equal(codes_in(PATH), PackedStringArray(["REF007", "SYN003", "SYN013"]), "diagnostics")
	parts().repairs.fix(parts().problems.diagnostics_of(PATH)[1])
	await frames(3)
	check_equal(read(PATH), TEXT.replace("# a", "; a"), "the text")
	check_equal(codes_in(PATH), PackedStringArray(["REF007", "STY006", "SYN013"]), "diagnostics that are left, and a note on the comment")
	await undo()
	check_equal(read(PATH), TEXT, "the text after undo")
	check_equal(codes_in(PATH).size(), 3, "diagnostics after undo")


func test_fix_all() -> void:
	make(SECOND, TEXT)
	parts().checker.check(SECOND)
	parts().panel.refresh_now()
	parts().panel.fix_all()
	await frames(3)
	for path: String in [PATH, SECOND]:
		check_equal(codes_in(path), PackedStringArray(["REF007", "SYN003"]), "diagnostics that no safe fix mends while there is an error in %s" % path)
		check(read(path).contains("process_mode = true"), "the text: %s" % read(path))
	await undo()
	check_equal(read(PATH), TEXT, "the text after undo")
	check_equal(read(SECOND), TEXT, "the second text after undo")
	await remove([SECOND])


func test_what_is_not_saved_is_not_lost() -> void:
	make(PATH, TEXT.replace("# a slip\n", "").replace("process_mode = True\n", ""))
	await open(PATH)
	var undo_redo := EditorInterface.get_editor_undo_redo()
	var root := EditorInterface.get_edited_scene_root()
	undo_redo.create_action("rename")
	undo_redo.add_do_property(root, &"editor_description", "new")
	undo_redo.add_undo_property(root, &"editor_description", "")
	undo_redo.commit_action()
	var text := read(PATH)
	parts().repairs.fix_files([PATH])
	await frames(3)
	check_equal(read(PATH), text, "the text of a scene with changes")
	check_equal(EditorInterface.get_edited_scene_root().editor_description, "new", "the change")
	await save()
	write(PATH, text)
	parts().repairs.fix_files([PATH])
	await frames(3)
	check(not read(PATH).contains("ext_resource"), "after a save the file is fixed")
	check_equal(EditorInterface.get_edited_scene_root().editor_description, "", "the scene was opened again")
	EditorInterface.close_scene()


func test_format() -> void:
	var untidy := "[gd_scene format=3]\n[node name=\"Root\"   type=\"Node\"]\n; note\nprocess_mode=1\n"
	make(PATH, untidy)
	parts().repairs.format_files([PATH])
	await frames(3)
	check(read(PATH).contains("[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n"), read(PATH))
	check(read(PATH).contains("; note\nprocess_mode = 1\n"), "comments are kept: %s" % read(PATH))
	await undo()
	check_equal(read(PATH), untidy, "the text after undo")


func test_not_utf_8() -> void:
	var bytes := "[gd_scene format=3]\n[node name=\"R\"   type=\"Node\"]\nx=\"".to_ascii_buffer()
	bytes.append_array([0xff, 0x22, 0x0a])
	SafeFile.put(PATH, bytes)
	print("[expected errors")
	parts().repairs.format_files([PATH])
	print("expected errors]")
	check_equal(SceneFiles.read(PATH), bytes, "the bytes")


func test_ignore() -> void:
	make(PATH, TEXT.replace("# a slip\n", ""))
	parts().checker.check(PATH)
	check_equal(codes_in(PATH), PackedStringArray(["REF007", "SYN013"]), "diagnostics")
	parts().repairs.ignore_here(parts().problems.diagnostics_of(PATH)[1])
	await frames(3)
	check(read(PATH).contains("process_mode = True\nmetadata/_lint_ignore = [\"SYN013\"]\n"), read(PATH))
	check_equal(codes_in(PATH), PackedStringArray(["REF007"]), "diagnostics that are left")
	parts().repairs.ignore_in_project(parts().problems.diagnostics_of(PATH)[0])
	await frames(3)
	check_equal(read("res://gdscene.toml"), "ignore = [\"REF007\"]\n", "the configuration")
	await settled()
	check_equal(codes_in(PATH), PackedStringArray(), "diagnostics in the end")
	await undo()
	await settled()
	check_equal(codes_in(PATH), PackedStringArray(["REF007"]), "diagnostics after undo")
	await remove([PATH, "res://gdscene.toml"])
	await settled()
