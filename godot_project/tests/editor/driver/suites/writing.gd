@tool
extends "../suite.gd"
## What a rewrite must never do: lose later work, edits that are not saved, or what is selected.

const FileChange := preload("res://addons/fast_variant/editor/writing/file_change.gd")
const HeldResource := preload("res://addons/fast_variant/editor/writing/held_resource.gd")
const SceneTabs := preload("res://addons/fast_variant/editor/writing/scene_tabs.gd")

const FOLDER := "res://writing"
const SCENE := FOLDER + "/scene.tscn"
const SECOND := FOLDER + "/second.tscn"
const TEXT := """[gd_scene format=3]

[node name="Root" type="Node"]

[node name="Child" type="Node" parent="."]
process_mode = 1

[node name="Other" type="Node" parent="."]
process_mode = 2

[node name="Last" type="Node" parent="."]
"""
const RESOURCE := FOLDER + "/material.tres"
const RESOURCE_TEXT := """[gd_resource type="StandardMaterial3D" format=3]

[sub_resource type="Gradient" id="a"]
offsets = PackedFloat32Array(0, 0.5)

[sub_resource type="GradientTexture1D" id="b"]
gradient = SubResource("a")
width = 64

[resource]
render_priority = 5
albedo_texture = SubResource("b")
"""


func test_one_door() -> void:
	var editor := "res://addons/fast_variant/editor"
	var writers: PackedStringArray = []
	for folder: String in DirAccess.get_directories_at(editor):
		for file: String in DirAccess.get_files_at(editor.path_join(folder)):
			if file.ends_with(".gd") and read(editor.path_join(folder).path_join(file)).contains("SafeFile.put("):
				writers.append(folder.path_join(file))
	# The first two write what no editor holds: a list in `.godot`, and the text of a window when the editor ends.
	var expected: PackedStringArray = ["exporting/exported_library.gd", "text/text_window.gd", "writing/file_rewriter.gd", "writing/trial_load.gd"]
	check_equal(writers, expected, "scripts that write")


func test_undo_keeps_later_work() -> void:
	make(SCENE, TEXT)
	check_equal(replace(SCENE, TEXT.replace("= 1", "= 3")), "", "refusal")
	await at_rest()
	write(SCENE, read(SCENE).replace("[node name=\"Last\"", "[node name=\"Later\" type=\"Node\" parent=\".\"]\n\n[node name=\"Last\""))
	var later := read(SCENE)
	await undo()
	check_equal(read(SCENE), later.replace("= 3", "= 1"), "the text after undo")
	await redo()
	check_equal(read(SCENE), later, "the text after redo")
	# Where the change was, there is something else now.
	write(SCENE, later.replace("= 3", "= 4"))
	await undo()
	check_equal(read(SCENE), later.replace("= 3", "= 4"), "the text after an undo that was refused")
	write(SCENE, later)
	await redo()
	check_equal(read(SCENE), later, "the text after a redo of what was not undone")
	await undo()
	check_equal(read(SCENE), later.replace("= 3", "= 1"), "the text after the second undo")
	await remove([SCENE])


## The undo of the step before does not come instead, however often it is tried. A step of two files does what it can.
func test_a_refused_step_stays() -> void:
	make(SCENE, TEXT)
	make(SECOND, TEXT)
	check_equal(replace(SECOND, TEXT.replace("= 2", "= 4")), "", "the step before")
	await at_rest()
	var changes: Array[FileChange] = []
	for path: String in [SCENE, SECOND]:
		var before := read(path)
		changes.append(FileChange.new(path, before.to_utf8_buffer(), before.replace("= 1", "= 3").to_utf8_buffer()))
		check_equal(parts().rewriter.write(changes[-1]), "", "writing %s" % path)
	parts().rewriter.remember("Change Two", changes)
	await at_rest()
	var later := TEXT.replace("= 1", "= 4")
	write(SCENE, later)
	for attempt: int in 3:
		await undo()
		# The editor's history moves back.
		await frames(8)
		check_equal(read(SCENE), later, "the changed file after attempt %d" % attempt)
		check_equal(read(SECOND), TEXT.replace("= 2", "= 4"), "the other file after attempt %d" % attempt)
	await press_in_toast("Undo of \"Change Two\"", "Skip")
	await undo()
	await at_rest()
	check_equal(read(SECOND), TEXT, "the step before is undone")
	check_equal(read(SCENE), later, "the changed file in the end")
	await remove([SCENE, SECOND])


## Whoever resolves a conflict can take that back.
func test_undo_brings_back_what_godot_cannot_load() -> void:
	var conflict := TEXT.replace("process_mode = 1\n", "<<<<<<< ours\nprocess_mode = 1\n=======\nprocess_mode = 3\n>>>>>>> theirs\n")
	make(SCENE, conflict)
	check_equal(replace(SCENE, TEXT), "", "the resolution")
	await at_rest()
	await undo()
	await at_rest()
	check_equal(read(SCENE), conflict, "the text after undo")
	await redo()
	await at_rest()
	check_equal(read(SCENE), TEXT, "the text after redo")
	await remove([SCENE])


func test_links_that_lead_out_of_the_project() -> void:
	make(SCENE, TEXT)
	var outside := ProjectSettings.globalize_path("user://outside")
	DirAccess.make_dir_absolute(outside)
	var victim := outside.path_join("victim.tscn")
	write(victim, TEXT)
	var folder := DirAccess.open(FOLDER)
	if folder.create_link(victim, "file_link.tscn") != OK or folder.create_link(outside, "folder_link") != OK:
		# Windows has links for few users only.
		check_equal(OS.get_name(), "Windows", "a system without links")
		await remove([SCENE])
		return
	for path: String in [FOLDER + "/file_link.tscn", FOLDER + "/folder_link/victim.tscn"]:
		var reason := parts().repairs.replace("Edit", path, SceneFiles.read(path), TEXT.replace("= 1", "= 3"))
		check(reason.contains("symbolic links lead out of"), "%s is refused: %s" % [path, reason])
	check(not parts().repairs.replace("Make", FOLDER + "/folder_link/new.txt", PackedByteArray(), "text").is_empty(), "a new file is refused")
	check_equal(read(victim), TEXT, "the file outside")
	check_equal(DirAccess.get_files_at(outside).size(), 1, "files outside")
	for link: String in ["file_link.tscn", "folder_link"]:
		check_equal(folder.remove(link), OK, "remove %s" % link)
	DirAccess.remove_absolute(victim)
	DirAccess.remove_absolute(outside)
	await remove([SCENE])


func test_changes_on_disk_are_kept() -> void:
	make(SCENE, TEXT)
	var before := SceneFiles.read(SCENE)
	write(SCENE, TEXT + "; later\n")
	check(not parts().repairs.replace("Edit", SCENE, before, "new").is_empty(), "a text that was changed meanwhile is refused")
	check_equal(read(SCENE), TEXT + "; later\n", "the text")
	DirAccess.remove_absolute(SCENE)
	check(not parts().repairs.replace("Edit", SCENE, before, "new").is_empty(), "a file that is gone is refused")
	check(not FileAccess.file_exists(SCENE), "the file is still gone")
	await remove([SCENE])


func test_a_new_file_is_gone_after_undo() -> void:
	var path := FOLDER + "/new.txt"
	check_equal(parts().repairs.replace("Make", path, PackedByteArray(), "text"), "", "refusal")
	await at_rest()
	check_equal(read(path), "text", "the new file")
	await undo()
	check(not FileAccess.file_exists(path), "after undo there is none")
	await redo()
	check_equal(read(path), "text", "the file after redo")
	write(path, "later")
	await undo()
	check_equal(read(path), "later", "what was written later stays")
	await remove([path])


func test_read_only() -> void:
	make(SCENE, TEXT)
	FileAccess.set_unix_permissions(SCENE, 0b100_100_100)
	if FileAccess.get_unix_permissions(SCENE) != 0:
		check(replace(SCENE, "new").contains("read-only"), "a read-only file is refused")
		check_equal(read(SCENE), TEXT, "the text")
	FileAccess.set_unix_permissions(SCENE, 0b111_100_000)
	var permissions := FileAccess.get_unix_permissions(SCENE)
	check_equal(replace(SCENE, TEXT + "; new\n"), "", "refusal")
	check_equal(FileAccess.get_unix_permissions(SCENE), permissions, "permissions")
	check(not replace("res://no/such/folder.tscn", "new").is_empty(), "a folder that is not there is refused")
	var hidden := DirAccess.open(FOLDER)
	hidden.include_hidden = true
	check_equal(hidden.get_files(), PackedStringArray(["scene.tscn"]), "no temporary file is left")
	await at_rest()
	await remove([SCENE])


func test_unsaved_edits_of_a_scene() -> void:
	make(SCENE, TEXT)
	make(SECOND, TEXT)
	await show_scene(SCENE)
	await show_scene(SECOND)
	check(not parts().unsaved.has(SCENE) and not parts().unsaved.has(SECOND), "scenes that were opened have no changes")
	await show_scene(SCENE)
	set_description(EditorInterface.get_edited_scene_root(), "new")
	check(parts().unsaved.has(SCENE), "an edited scene has changes, at once")
	await frames(3)
	check(parts().unsaved.has(SCENE), "and later")
	check(not replace(SCENE, TEXT + "; new\n").is_empty(), "a rewrite is refused")
	await show_scene(SECOND)
	await frames(3)
	check(parts().unsaved.has(SCENE), "changes of a scene in another tab")
	check(not replace(SCENE, TEXT + "; new\n").is_empty(), "a rewrite of a scene in another tab is refused")
	check_equal(read(SCENE), TEXT, "the text")
	await show_scene(SCENE)
	check_equal(EditorInterface.get_edited_scene_root().editor_description, "new", "the change")
	await save()
	check(not parts().unsaved.has(SCENE), "no changes after a save")
	EditorInterface.close_scene()
	await frames(2)
	EditorInterface.close_scene()
	await remove([SCENE, SECOND])


## Fixing drops the changes, so it asks.
func test_fix_of_a_scene_with_unsaved_edits() -> void:
	var unused := TEXT.replace("format=3]\n", "format=3]\n\n[ext_resource type=\"Script\" path=\"res://driver/suite.gd\" id=\"1\"]\n")
	make(SCENE, unused)
	await show_scene(SCENE)
	parts().checker.check(SCENE)
	check_equal(codes_in(SCENE), PackedStringArray(["REF007"]), "diagnostics")
	set_description(EditorInterface.get_edited_scene_root(), "new")
	var question := parts().repairs._question
	parts().repairs.fix(parts().problems.diagnostics_of(SCENE)[0])
	check(question.visible and question.dialog_text.contains("drops them"), "it asks: %s" % question.dialog_text)
	check_equal(read(SCENE), unused, "the text before the answer")
	question.hide()
	question.canceled.emit()
	await frames(3)
	check_equal(EditorInterface.get_edited_scene_root().editor_description, "new", "the change after Cancel")
	parts().repairs.fix(parts().problems.diagnostics_of(SCENE)[0])
	question.hide()
	question.confirmed.emit()
	await at_rest()
	check(not read(SCENE).contains("ext_resource"), "the text after Fix")
	check_equal(EditorInterface.get_edited_scene_root().editor_description, "", "the change after Fix")
	EditorInterface.close_scene()
	await remove([SCENE])


## Neither the file nor the other changes are touched.
func test_fix_of_a_misspelt_property_in_the_editor() -> void:
	var misspelt := TEXT.replace("process_mode = 1", "proces_mode = 3")
	make(SCENE, misspelt)
	await settled()
	await show_scene(SCENE)
	parts().checker.check(SCENE)
	check_equal(codes_in(SCENE), PackedStringArray(["TREE015"]), "diagnostics")
	var root := EditorInterface.get_edited_scene_root()
	set_description(root, "new")
	parts().repairs.fix(parts().problems.diagnostics_of(SCENE)[0])
	check(not parts().repairs._question.visible, "it does not ask")
	check_equal(root.get_node("Child").process_mode, Node.PROCESS_MODE_ALWAYS, "the value")
	check_equal(root.editor_description, "new", "the other change")
	check_equal(read(SCENE), misspelt, "the text")
	await save()
	check(read(SCENE).contains("process_mode = 3"), "the text after a save: %s" % read(SCENE))
	EditorInterface.close_scene()
	await remove([SCENE])


func test_open_scenes_are_read_again() -> void:
	make(SCENE, TEXT)
	make(SECOND, TEXT)
	await show_scene(SCENE)
	await show_scene(SECOND)
	await select("Other")
	var changes: PackedStringArray = [SCENE, SECOND]
	for path: String in changes:
		check_equal(replace(path, TEXT.replace("process_mode = 2", "editor_description = \"new\"")), "", "refusal")
	await at_rest()
	check_equal(edited_path(), SECOND, "the scene at the front")
	var root := EditorInterface.get_edited_scene_root()
	check_equal(root.get_node("Other").editor_description, "new", "the value in the scene at the front")
	check_equal(selected(), PackedStringArray(["Other"]), "the selection")
	check_equal(EditorInterface.get_inspector().get_edited_object(), root.get_node("Other"), "what is inspected")
	await show_scene(SCENE)
	check_equal(EditorInterface.get_edited_scene_root().get_node("Other").editor_description, "new", "the value in the other scene")
	check(not parts().unsaved.has(SCENE) and not parts().unsaved.has(SECOND), "scenes that were read again have no changes")
	await undo()
	await at_rest()
	check_equal(read(SECOND), TEXT, "the text after undo")
	await undo()
	await at_rest()
	check_equal(read(SCENE), TEXT, "the first text after undo")
	check_equal(EditorInterface.get_edited_scene_root().get_node("Other").process_mode, Node.PROCESS_MODE_WHEN_PAUSED, "the value after undo")
	check_equal(edited_path(), SCENE, "the scene at the front after undo")
	EditorInterface.close_scene()
	await frames(2)
	EditorInterface.close_scene()
	await remove([SCENE, SECOND])


## The editor would close the tab of a scene that it cannot read again.
## Godot would put the scene into the empty tab, and crash because the last tab is gone.
func test_a_scene_behind_an_empty_tab() -> void:
	make(SCENE, TEXT)
	make(SECOND, TEXT)
	await show_scene(SECOND)
	await choose_in_menu("New Scene")
	await until(func() -> bool: return edited_path().is_empty(), "the empty tab")
	var empty := SceneTabs.current()
	await show_scene(SECOND)
	await show_scene(SCENE)
	check(SceneTabs.current() > empty, "the scene is behind the empty tab")
	for mode: int in [3, 4]:
		# The scene is at the front first, and then the empty tab.
		if mode == 4:
			SceneTabs.show(empty)
			await until(func() -> bool: return edited_path().is_empty(), "the empty tab again")
			await frames(3)
		var front := edited_path()
		check_equal(replace(SCENE, read(SCENE).replace("\nprocess_mode = %d" % (1 if mode == 3 else 3), "\nprocess_mode = %d" % mode)), "", "refusal")
		await at_rest()
		check_equal(edited_path(), front, "the scene at the front")
		check_equal(SceneFiles.root_of(SCENE).get_node("Child").process_mode, mode as Node.ProcessMode, "what the editor holds")
	# It is used again by what is opened next.
	await show_scene("res://good.tscn")
	await remove([SCENE, SECOND])


func test_what_godot_cannot_load() -> void:
	make(SCENE, TEXT)
	await show_scene(SCENE)
	await select("Other")
	var broken := TEXT.replace("process_mode = 1", "process_mode = ")
	print("[expected errors")
	check(replace(SCENE, broken).contains("cannot load"), "a broken text is refused")
	print("expected errors]")
	check_equal(read(SCENE), TEXT, "the text")
	# Somebody else broke it: what mends it in part is written, and the tab stays.
	write(SCENE, broken + "; more\n")
	print("[expected errors")
	check_equal(replace(SCENE, broken), "", "refusal")
	await at_rest()
	print("expected errors]")
	check_equal(edited_path(), SCENE, "the scene at the front")
	check_equal(selected(), PackedStringArray(["Other"]), "the selection")
	check_equal(replace(SCENE, TEXT.replace("process_mode = 1", "process_mode = 3")), "", "refusal of a sound text")
	await at_rest()
	check_equal(EditorInterface.get_edited_scene_root().get_node("Child").process_mode, Node.PROCESS_MODE_ALWAYS, "the value")
	EditorInterface.close_scene()
	await remove([SCENE])


func test_a_resource_stays_inspected() -> void:
	make(SCENE, TEXT)
	make(RESOURCE, RESOURCE_TEXT)
	await show_scene(SCENE)
	await select("Other")
	var material: Resource = load(RESOURCE)
	EditorInterface.edit_resource(material)
	await frames(3)
	check_equal(replace(SCENE, TEXT.replace("= 1", "= 3")), "", "refusal")
	await at_rest()
	await frames(3)
	check_equal(EditorInterface.get_inspector().get_edited_object(), material, "what is inspected")
	check_equal(selected(), PackedStringArray(["Other"]), "the selection")
	EditorInterface.inspect_object(null)
	EditorInterface.close_scene()
	await remove([SCENE, RESOURCE])


func test_an_edit_in_the_same_frame() -> void:
	make(SCENE, TEXT)
	await show_scene(SCENE)
	check_equal(replace(SCENE, TEXT.replace("= 1", "= 3")), "", "refusal")
	set_description(EditorInterface.get_edited_scene_root(), "new")
	await at_rest()
	check_equal(EditorInterface.get_edited_scene_root().editor_description, "new", "the change")
	await save()
	EditorInterface.close_scene()
	await remove([SCENE])


func test_resources_in_memory() -> void:
	make(SCENE, TEXT)
	await show_scene(SCENE)
	await select("Other")
	make(RESOURCE, RESOURCE_TEXT)
	var material: StandardMaterial3D = load(RESOURCE)
	var texture: GradientTexture1D = material.albedo_texture
	EditorInterface.edit_resource(material)
	await frames(3)
	var new := RESOURCE_TEXT.replace("render_priority = 5\n", "roughness = 0.5\nmetadata/_lint_ignore = [\"X\"]\n").replace(
		"width = 64", "use_hdr = true")
	check_equal(replace(RESOURCE, new), "", "refusal")
	await at_rest()
	check_equal(material.render_priority, 0, "a property that is gone")
	check_equal(material.roughness, 0.5, "a property that is new")
	check_equal(material.get_meta(&"_lint_ignore", []), ["X"], "a note")
	check(material.albedo_texture == texture and texture.use_hdr and texture.width == 256, "a resource in it")
	check_equal(EditorInterface.get_inspector().get_edited_object(), material, "what is inspected")
	check_equal(selected(), PackedStringArray(["Other"]), "the selection")
	check(not parts().unsaved.has(RESOURCE), "it has no changes")
	edit(material, &"render_priority", 7)
	check(parts().unsaved.has(RESOURCE), "it has changes")
	check(not replace(RESOURCE, RESOURCE_TEXT).is_empty(), "a rewrite is refused")
	check_equal(ResourceSaver.save(material), OK, "saving")
	check(read(RESOURCE).contains("_lint_ignore") and read(RESOURCE).contains("render_priority = 7"), "the next save keeps both")
	EditorInterface.inspect_object(null)
	EditorInterface.close_scene()
	await remove([SCENE, RESOURCE])


## The change is in a resource that is built into that of the file.
func test_unsaved_edits_inside_a_resource() -> void:
	# The history holds the resource of the other test.
	var path := FOLDER + "/other_material.tres"
	make(path, RESOURCE_TEXT)
	var material: StandardMaterial3D = load(path)
	var texture: GradientTexture1D = material.albedo_texture
	check(not parts().unsaved.has(path), "a resource that was loaded has no changes")
	edit(texture.gradient, &"interpolation_mode", Gradient.GRADIENT_INTERPOLATE_CUBIC)
	check(parts().unsaved.has(path), "it has changes")
	check(not replace(path, RESOURCE_TEXT + "\n").is_empty(), "a rewrite is refused")
	await undo()
	check_equal(texture.gradient.interpolation_mode, Gradient.GRADIENT_INTERPOLATE_LINEAR, "the value after undo")
	check(not parts().unsaved.has(path), "after undo it has none")
	await remove([path])


## Its edit is undone: it has no changes, and must get what is written into its file.
func test_a_resource_that_was_touched() -> void:
	var path := FOLDER + "/touched_material.tres"
	make(path, RESOURCE_TEXT)
	var material: StandardMaterial3D = load(path)
	EditorInterface.edit_resource(material)
	await frames(3)
	edit(material, &"render_priority", 7)
	await undo()
	check_equal(material.render_priority, 5, "the edit is undone")
	check(not parts().unsaved.has(path), "it has no changes")
	check_equal(replace(path, RESOURCE_TEXT.replace("render_priority = 5", "render_priority = 6")), "", "refusal")
	await at_rest()
	check_equal(material.render_priority, 6, "what was written")
	EditorInterface.inspect_object(null)
	await remove([path])


func test_fix_only_what_is_given() -> void:
	var first := "[ext_resource type=\"Script\" path=\"res://driver/driver.gd\" id=\"1\"]\n"
	var second := "[ext_resource type=\"Script\" path=\"res://driver/suite.gd\" id=\"2\"]\n"
	var scene := "[gd_scene format=3]\n\n%s\n[node name=\"Root\" type=\"Node\"]\n"
	make(SCENE, scene % (first + second))
	parts().checker.check(SCENE)
	var all := parts().problems.diagnostics_of(SCENE)
	check_equal(codes_in(SCENE), PackedStringArray(["REF007", "REF007"]), "diagnostics")
	parts().repairs.fix_shown([all[1]])
	await at_rest()
	check_equal(read(SCENE), scene % first, "the text after one")
	await undo()
	await at_rest()
	# They stand side by side, so one is left for the next time.
	for time: int in 2:
		parts().repairs.fix_shown(parts().problems.diagnostics_of(SCENE))
		await at_rest()
	check_equal(codes_in(SCENE), PackedStringArray(), "diagnostics after both")
	await remove([SCENE])


func test_many_files() -> void:
	var paths: PackedStringArray = []
	for index: int in 300:
		paths.append("%s/many_%d.tscn" % [FOLDER, index])
		write(paths[index], "[gd_scene load_steps=2 format=3]\n[node name=\"Root\" type=\"Node\"]\n")
	await scan()
	var runner := parts().repairs._runner
	parts().repairs.fix_files(paths)
	await until(func() -> bool: return runner._question.visible, "the question")
	check(runner._message.text.begins_with("300 fixes in 300 files."), runner._message.text)
	runner._cancel()
	check(not runner.is_busy() and changed(paths) == 0, "cancelled before anything was written")
	parts().repairs.fix_files(paths)
	await until(func() -> bool: return runner._question.visible, "the second question")
	var longest := 0
	runner._write()
	while runner.is_busy() or parts().rewriter.is_working():
		var began := Time.get_ticks_usec()
		await get_tree().process_frame
		longest = maxi(longest, Time.get_ticks_usec() - began)
	check_equal(changed(paths), 300, "files that are fixed")
	print("cost of fixing 300 files: at most %d ms a frame" % (longest / 1000))
	await undo()
	check_equal(changed(paths), 0, "files that are fixed after undo")
	await at_rest()
	parts().repairs.fix_files(paths)
	await until(func() -> bool: return runner._question.visible, "the third question")
	runner._write()
	await until(func() -> bool: return changed(paths) > 0, "files are fixed")
	runner._cancel()
	var count := changed(paths)
	check(not runner.is_busy(), "cancelled while files were written")
	await undo()
	check_equal(changed(paths), 0, "files that are fixed after undo of %d" % count)
	await at_rest()
	for path: String in paths:
		DirAccess.remove_absolute(path)
	await scan()


func replace(path: String, text: String) -> String:
	return parts().repairs.replace("Edit", path, SceneFiles.read(path), text)


## Until the editor knows what was written.
func at_rest() -> void:
	await until(func() -> bool: return not parts().rewriter.is_working(), "the editor knows the files")
	await frames(2)


## The editor does not open a scene while it is busy with another.
func show_scene(path: String) -> void:
	await frames(2)
	await open(path)
	await frames(2)


func changed(paths: PackedStringArray) -> int:
	var count := 0
	for path: String in paths:
		if not read(path).contains("load_steps"):
			count += 1
	return count


func set_description(node: Node, text: String) -> void:
	edit(node, &"editor_description", text)


func edit(object: Object, property: StringName, value: Variant) -> void:
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("edit", UndoRedo.MERGE_DISABLE, object)
	undo_redo.add_do_property(object, property, value)
	undo_redo.add_undo_property(object, property, object.get(property))
	undo_redo.commit_action()


func select(path: String) -> void:
	var node := EditorInterface.get_edited_scene_root().get_node(path)
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(node)
	EditorInterface.edit_node(node)
	await frames(3)


func selected() -> PackedStringArray:
	var paths: PackedStringArray = []
	for node: Node in EditorInterface.get_selection().get_selected_nodes():
		paths.append(EditorInterface.get_edited_scene_root().get_path_to(node))
	return paths
