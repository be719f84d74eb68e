@tool
extends "../suite.gd"
## What a save drops is noticed, told from what the user removed, and brought back.

const LossList := preload("res://addons/fast_variant/editor/saving/loss_list.gd")
const LossRows := preload("res://addons/fast_variant/editor/saving/loss_rows.gd")
const LossStore := preload("res://addons/fast_variant/editor/saving/loss_store.gd")
const LossJudge := preload("res://addons/fast_variant/editor/saving/loss_judge.gd")

const MANY := 3000
const MANY_PATH := "res://audit/many.tscn"
const PATH := "res://audit/scene.tscn"
const TEXT := """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://audit/part.tscn" id="1"]

[sub_resource type="Gradient" id="unused"]

; by hand
[node name="Root" type="Node2D"]
no_such_property = 1
rotation = 0.5

[node name="Kept" type="Node2D" parent="."]
position = Vector2(1, 2)

[node name="Removed" type="Node2D" parent="."]
position = Vector2(3, 4)

[node name="Part" parent="." instance=ExtResource("1")]

[connection signal="draw" from="Kept" to="." method="queue_redraw"]
[connection signal="draw" from="Removed" to="." method="queue_redraw"]
[connection signal="no_such_signal" from="Kept" to="." method="queue_redraw"]
[connection signal="draw" from="Gone" to="." method="queue_redraw"]
"""
const PART := """[gd_scene format=3]

[node name="Part" type="Node2D"]
"""

const LATER := """[gd_scene format=3]

[node name="Root" type="Node2D"]
position = Vector2(1, 2)

[node name="A" type="Node2D" parent="."]

[node name="B" type="Node2D" parent="."]

[node name="C" type="Node2D" parent="."]

[node name="D" type="Node2D" parent="."]
position = Vector2(3, 4)
"""

const ACTION := "res://audit/action.tres"
const ACTION_TEXT := """[gd_resource type="Resource" script_class="AuditedAction" format=3]

[ext_resource type="Script" path="res://audit/action.gd" id="1"]

[resource]
script = ExtResource("1")
label = "Area Attack"
damagee = 7
icn = [1,
2]
damage = 3
"""
const VALUES := """[gd_scene format=3]

[ext_resource type="Curve2D" path="res://audit/curve_2d.tres" id="1"]

[sub_resource type="CanvasItemMaterial" id="m"]
blend_mode = 2

[node name="Root" type="Node2D"]
postion = Vector2(3, 4)

[node name="Path" type="Path2D" parent="."]
curv = ExtResource("1")

[node name="Material" type="Sprite2D" parent="."]
materal = SubResource("m")

[node name="Other" type="Node2D" parent="."]
rotatin = Vector2(1, 2)
"""

var _before := ""


func test_losses() -> void:
	make("res://audit/part.tscn", PART)
	make(PATH, TEXT)
	await open_with_errors(PATH)
	_before = read(PATH)
	var root := EditorInterface.get_edited_scene_root() as Node2D
	# What the user does is no loss: a node, a value that becomes the default, a connection.
	root.get_node("Removed").free()
	root.rotation = 0.0
	root.get_node("Kept").disconnect(&"draw", root.queue_redraw)
	await save()
	check_equal(_described(), PackedStringArray([
		"5 sub_resource unused unused",
		"7 comment not-kept ; by hand",
		"9 property unclear no_such_property",
		"22 connection unclear no_such_signal",
		"23 connection missing-node draw",
	]), "losses")
	for loss: SaveLosses._Loss in _losses().losses:
		check(not loss.reason.is_empty() and not loss.describe().is_empty(), "%s has a reason" % loss.name)


func test_losses_are_shown() -> void:
	var panel := parts().panel
	panel.refresh_now()
	check(panel.banner.visible, "the banner is shown")
	check_equal(panel.banner.losses.summary(), "Saving scene.tscn dropped 5 things.", "the summary")
	var rows := 0
	var item := panel.tree.get_root()
	while item != null:
		rows += int(item.get_metadata(0) is SaveLosses._Loss)
		item = item.get_next_in_tree()
	check_equal(rows, 5, "rows")


func test_what_was_dropped_is_shown() -> void:
	var actions := parts().loss_actions
	parts().panel.banner._on_show_pressed()
	await frames(3)
	check(actions.window.visible, "the window is open")
	check_equal(actions.window.texts().current_lines(), PackedStringArray([
		"[sub_resource type=\"Gradient\" id=\"unused\"]", ""
	]), "the first row")
	actions.window.texts().go_on(1)
	actions.window.texts().go_on(1)
	check_equal(actions.window.texts().current_lines(), PackedStringArray(["no_such_property = 1", ""]), "the third row")
	check_equal(actions.window.copied_text(), "\n".join([
		"[sub_resource type=\"Gradient\" id=\"unused\"]", "; by hand", "no_such_property = 1",
		"[connection signal=\"no_such_signal\" from=\"Kept\" to=\".\" method=\"queue_redraw\"]",
		"[connection signal=\"draw\" from=\"Gone\" to=\".\" method=\"queue_redraw\"]"
	]), "what is copied")
	var escape := InputEventKey.new()
	escape.keycode = KEY_ESCAPE
	escape.pressed = true
	actions.window.push_input(escape)
	await frames(2)
	check(not actions.window.visible, "Escape closes the window")


## The user changed things in the same save: what goes with the earlier text is named.
func test_restore_asks() -> void:
	var actions := parts().loss_actions
	parts().panel.banner._on_restore_pressed()
	await frames(2)
	check(actions.question.visible, "it is asked first")
	check_equal(actions.question.dialog_text, "Restoring scene.tscn also takes back:\n\n"
		+ "that the node Removed is gone\n"
		+ "that rotation = 0.5 is gone\n"
		+ "that Connection of draw from Kept to the root, method queue_redraw is gone", "the question")
	actions.question.hide()
	check(read(PATH) != _before, "nothing was restored yet")


func test_restore_and_undo() -> void:
	var after := read(PATH)
	check(after != _before, "the save changed the file")
	print("[expected errors")
	parts().panel.banner._on_restore_pressed()
	parts().loss_actions.question.hide()
	parts().loss_actions.question.confirmed.emit()
	await frames(3)
	print("expected errors]")
	check_equal(read(PATH), _before, "the text after it was restored")
	check(_losses() == null, "the losses are not shown any more")
	check_equal(parts().panel.banner.text(), "scene.tscn is as it was before the save.", "the banner")
	check_equal(edited_path(), PATH, "the scene is still open")
	check(EditorInterface.get_edited_scene_root().has_node("Removed"), "the scene was opened again")
	check(codes_in(PATH).has("SIG001"), "the file was checked again: %s" % codes_in(PATH))
	await undo()
	check_equal(read(PATH), after, "the text after undo")
	check_equal(_described().size(), 5, "losses after undo")
	print("[expected errors")
	await redo()
	print("expected errors]")
	check_equal(read(PATH), _before, "the text after redo")
	check(_losses() == null, "the losses are gone after redo")


## Neither a save that drops nothing, nor another scene, nor a check of the project.
func test_only_the_user_clears_the_list() -> void:
	await save()
	var described := _described()
	check_equal(described.size(), 5, "losses of the first save: %s" % described)
	await save()
	check_equal(_described(), described, "losses after the second save")
	set_by_hand(EditorInterface.get_edited_scene_root().get_node("Removed"), &"scale", Vector2(2, 3))
	await save()
	check(read(PATH).contains("scale = Vector2(2, 3)"), "the third save: %s" % read(PATH))
	await open("res://audit/part.tscn")
	await save()
	await settled()
	check_equal(_described(), described, "losses after the save of another scene, and a check")
	check_equal(_loss_rows().size(), 5, "rows")
	check(parts().panel.banner.visible and parts().panel.banner.losses == _losses(), "the banner shows them")
	var dock: Control = parts().panel.get_parent()
	check(str(dock.get(&"title")).ends_with("5 dropped)"), "the tab: %s" % dock.get(&"title"))


## A later session of the editor reads them from the disk.
func test_losses_stay_for_the_next_session() -> void:
	var described := _described()
	var losses := _losses()
	await switch_off_and_on()
	check(_losses() != null and _losses() != losses, "they were read again")
	check_equal(_described(), described, "losses in the next session")
	check_equal(_losses().to_data(), losses.to_data(), "all that is known of them")
	await until(func() -> bool: return parts().panel.banner.visible, "the banner")
	check_equal(_loss_rows().size(), 5, "rows")


## After two more saves, and with what they saved elsewhere in the file.
func test_restore_after_later_saves() -> void:
	var path := "res://audit/later.tscn"
	make(path, LATER)
	await open(path)
	await save()
	EditorInterface.close_scene()
	parts().problems.losses.remove(losses_of(path))
	make(path, read(path).replace("[node name=\"A\"", "no_such_property = 1\n\n[node name=\"A\""))
	await open_with_errors(path)
	await save()
	var losses := losses_of(path)
	check(losses != null and losses.losses.size() == 1, "the loss: %s" % read(path))
	set_by_hand(EditorInterface.get_edited_scene_root().get_node("D"), &"position", Vector2(5, 6))
	await save()
	var saved := read(path)
	check(saved.contains("position = Vector2(5, 6)") and not saved.contains("no_such_property"), "what was saved: %s" % saved)
	print("[expected errors")
	parts().loss_actions.show_dropped(losses)
	for button: Button in parts().loss_actions.window.find_children("*", "Button", true, false):
		if button.text == "Restore the Earlier Text":
			button.pressed.emit()
	await frames(3)
	print("expected errors]")
	check(not parts().loss_actions.question.visible, "nothing is taken back: %s" % parts().loss_actions.question.dialog_text)
	check(read(path).contains("no_such_property = 1"), "what was dropped: %s" % read(path))
	check(read(path).contains("position = Vector2(5, 6)"), "what was saved since: %s" % read(path))
	check(losses_of(path) == null, "the list has no more of it")
	await undo()
	check_equal(read(path), saved, "the text after undo")
	check(losses_of(path) == losses, "it is listed after undo")
	parts().loss_actions.dismiss(losses)
	EditorInterface.close_scene()
	await remove([path])
	await open(PATH)


## What was saved since, in the line beside what was dropped, goes with the earlier text. The user is asked.
func test_restore_asks_after_later_saves() -> void:
	set_by_hand(EditorInterface.get_edited_scene_root(), &"rotation", 0.25)
	await save()
	parts().panel.refresh_now()
	_press_in_row(_losses(), LossRows._Action.RESTORE)
	var question := parts().loss_actions.question
	check(question.visible and question.dialog_text.contains("rotation = 0.25"), "the question: %s" % question.dialog_text)
	question.get_cancel_button().pressed.emit()
	check(read(PATH).contains("rotation = 0.25"), "it stays as it is")
	check_equal(_described().size(), 5, "losses")


func test_one_is_dismissed_and_then_all() -> void:
	var losses := _losses()
	parts().panel.refresh_now()
	_press_in_row(losses.losses[1], LossRows._Action.DISMISS)
	await frames(2)
	check_equal(_described().size(), 4, "losses after one was dismissed")
	check_equal(_loss_rows().size(), 4, "rows")
	await switch_off_and_on()
	check_equal(_described().size(), 4, "in the next session")
	_press_in_row(_losses(), LossRows._Action.DISMISS)
	await frames(2)
	check(_losses() == null and _loss_rows().is_empty(), "all were dismissed")
	check_equal(_kept_files().size(), 0, "files on the disk")
	await switch_off_and_on()
	check(_losses() == null, "in the next session")
	EditorInterface.close_scene()
	await remove([PATH, "res://audit/part.tscn"])
	await settled()


func test_the_list_is_bounded() -> void:
	for number: int in LossList.MAX_COUNT + 3:
		parts().problems.losses.add(_made_losses("res://audit/%d.tscn" % number, 10))
	check_equal(parts().problems.losses.size(), LossList.MAX_COUNT, "saves")
	check_equal(_kept_files().size(), LossList.MAX_COUNT, "files")
	check(losses_of("res://audit/2.tscn") == null and losses_of("res://audit/3.tscn") != null, "the oldest went")
	check(parts().panel.banner.losses == null or not parts().panel.banner._dismiss_all.visible, "not shown yet")
	await frames(2)
	check(parts().panel.banner._dismiss_all.visible, "all can be dismissed at once: %s" % parts().panel.banner.text())
	parts().problems.losses.add(_made_losses("res://audit/large.tscn", LossList.MAX_BYTES - 100))
	check(parts().problems.losses.size() < 20, "the texts have a limit: %d saves" % parts().problems.losses.size())
	parts().panel.banner._dismiss_all.pressed.emit()
	check_equal(_kept_files().size(), 0, "files after all were dismissed")


## Half of a file, another file, one that says what is not so, and a folder that leads elsewhere.
func test_what_is_wrong_on_the_disk() -> void:
	parts().problems.losses.add(_made_losses("res://audit/kept.tscn", 10))
	var file := LossStore.FOLDER.path_join(_kept_files()[0])
	var bytes := SceneFiles.read(file)
	write(LossStore.FOLDER.path_join("1.dropped"), "no such file")
	FileAccess.open(LossStore.FOLDER.path_join("2.dropped"), FileAccess.WRITE).store_buffer(bytes.slice(0, bytes.size() / 2))
	var outside := _made_losses("res://audit/../../outside.tscn", 10)
	LossStore._Native.save_value(LossStore.FOLDER.path_join("3.dropped"), outside.to_data())
	LossStore._Native.save_value(LossStore.FOLDER.path_join("4.dropped"), {"path": "res://a.tscn"})
	await switch_off_and_on()
	check_equal(parts().problems.losses.paths(), PackedStringArray(["res://audit/kept.tscn"]), "what was read")
	check_equal(_kept_files().size(), 1, "the others were removed")
	EditorInterface.get_file_system_dock().files_moved.emit("res://audit/kept.tscn", "res://audit/moved.tscn")
	await switch_off_and_on()
	check_equal(parts().problems.losses.paths(), PackedStringArray(["res://audit/moved.tscn"]), "after the file has moved")
	parts().problems.losses.remove_all()
	var target := ProjectSettings.globalize_path("user://elsewhere")
	DirAccess.make_dir_absolute(target)
	DirAccess.remove_absolute(LossStore.FOLDER)
	DirAccess.open(LossStore.FOLDER.get_base_dir()).create_link(target, "losses")
	parts().problems.losses.add(_made_losses("res://audit/kept.tscn", 10))
	check_equal(DirAccess.get_files_at(target).size(), 0, "files behind a link")
	DirAccess.remove_absolute(LossStore.FOLDER)
	DirAccess.remove_absolute(target)
	parts().problems.losses.remove_all()


func test_resources() -> void:
	var path := "res://audit/curve.tres"
	make(path, "[gd_resource type=\"Curve\" format=3]\n\n[resource]\nno_such_property = 1\nbake_resolution = 50\n")
	var curve: Curve = load(path)
	EditorInterface.edit_resource(curve)
	await frames(3)
	parts().saves.before_save()
	curve.bake_resolution = 100
	ResourceSaver.save(curve, path)
	var plugin := parts().get_parent() as EditorPlugin
	plugin.resource_saved.emit(curve)
	check_equal(_described(path), PackedStringArray(["4 property unclear no_such_property"]), "losses")
	parts().problems.losses.remove_all()
	EditorInterface.inspect_object(null)
	await remove([path])
	await settled()


## It is saved with the scene at the front, and the editor tells nobody.
func test_a_resource_that_was_edited_earlier() -> void:
	make("res://audit/action.gd", "class_name AuditedAction extends Resource\n@export var damage := 1\n")
	make("res://audit/part.tscn", PART)
	await scan()
	make(ACTION, ACTION_TEXT)
	await open("res://audit/part.tscn")
	var action: Resource = load(ACTION)
	EditorInterface.edit_resource(action)
	await frames(3)
	set_by_hand(action, &"damage", 9)
	EditorInterface.edit_node(EditorInterface.get_edited_scene_root())
	await frames(2)
	await save()
	await until(func() -> bool: return _losses(ACTION) != null, "the loss in the resource")
	check(read(ACTION).contains("damage = 9"), "the editor saved the resource: %s" % read(ACTION))
	check_equal(_described(ACTION), PackedStringArray([
		"7 property unclear label", "8 property unclear damagee", "9 property unclear icn"
	]), "losses")
	var losses := _losses(ACTION).losses
	check_equal(losses[0].describe(), "label = \"Area Attack\"", "what it was")
	check_equal(losses[0].reason, "AuditedAction (action.gd) has no such property", "the reason")
	check_equal(losses.map(func(loss: SaveLosses._Loss) -> String: return loss.near_name), ["", "damage", ""], "near names")
	check_equal(losses[2].value, "[1,\n2]", "a value of two lines")
	check_equal([losses[2].line, losses[2].last_line], [9, 10], "its lines")
	check_equal(_loss_rows(), PackedStringArray([
		"label = \"Area Attack\": AuditedAction (action.gd) has no such property",
		"damagee = 7: AuditedAction (action.gd) has no such property",
		"icn = [1, 2]: AuditedAction (action.gd) has no such property",
	]), "rows")


func test_a_value_is_moved() -> void:
	var action: Resource = load(ACTION)
	var losses := _losses(ACTION)
	parts().loss_actions.move(losses, losses.losses[1])
	await frames(3)
	check_equal(action.get("damage"), 7, "the value under the right name")
	check_equal(parts().panel.banner.text(), "damage has the value of damagee now. Save action.tres to keep it.", "the banner")
	await undo()
	check_equal(action.get("damage"), 9, "the value after undo")
	await redo()
	check_equal(action.get("damage"), 7, "the value after redo")
	await save()
	await until(func() -> bool: return read(ACTION).contains("damage = 7"), "the save keeps it")
	check_equal(_described(ACTION), PackedStringArray(["7 property unclear label", "9 property unclear icn"]), "what is left")
	EditorInterface.inspect_object(null)
	EditorInterface.close_scene()
	await remove([ACTION, "res://audit/action.gd", "res://audit/action.gd.uid", "res://audit/part.tscn"])
	await settled()


## What git tells of a variable comes before a name that is near. The linter's words are those of the rule `TREE024`.
func test_a_variable_that_was_renamed() -> void:
	var path := "res://audit/renamed.tres"
	make("res://audit/renamed.gd", "extends Resource\n@export var life := 1\n@export var healthy := 2\n")
	make(path, "[gd_resource type=\"Resource\" format=3]\n\n[ext_resource type=\"Script\" path=\"res://audit/renamed.gd\" id=\"1\"]"
		+ "\n\n[resource]\nscript = ExtResource(\"1\")\nhealth = 7\n")
	await scan()
	var resource: Resource = load(path)
	var said := LossJudge._Diagnostic.new()
	said.code = "TREE024"
	said.line = 7
	said.message = "the variable `health` of `renamed.gd` was renamed to `life` in 1a2b3c4d (2026-05-01)"
	var loss := SaveLosses._Loss.new()
	loss.kind = "property"
	loss.cause = "unclear"
	loss.name = "health"
	loss.value = "7"
	loss.resource_class = "Resource"
	loss.has_script = true
	loss.line = 7
	var judge := LossJudge.new(path, [said] as Array[LossJudge._Diagnostic])
	check_equal(judge.losses_among([loss] as Array[SaveLosses._Loss]).size(), 1, "losses")
	check_equal([loss.near_name, loss.reason], ["life", said.message], "what git tells")
	check_equal(resource.get("life"), 1, "the value of before")
	await remove([path, "res://audit/renamed.gd", "res://audit/renamed.gd.uid"])
	await settled()


## With what they refer to, and onto what does not take them.
func test_values_are_moved_to_nodes() -> void:
	var path := "res://audit/values.tscn"
	make("res://audit/curve_2d.tres", "[gd_resource type=\"Curve2D\" format=3]\n\n[resource]\nbake_interval = 7.0\n")
	make(path, VALUES)
	await open_with_errors(path)
	await save()
	check_equal(_described(path), PackedStringArray([
		"9 property unclear postion", "12 property unclear curv", "15 property unclear materal", "18 property unclear rotatin",
	]), "losses")
	var root := EditorInterface.get_edited_scene_root()
	var losses := _losses(path)
	var before := root.get_node("Material") as CanvasItem
	check_equal(losses.losses.map(func(loss: SaveLosses._Loss) -> String: return loss.near_name),
		["position", "curve", "material", ""], "near names")
	for loss: SaveLosses._Loss in losses.losses.slice(0, 3):
		await parts().loss_actions.move(losses, loss)
	check_equal((root as Node2D).position, Vector2(3, 4), "the position")
	check_equal((root.get_node("Path") as Path2D).curve, load("res://audit/curve_2d.tres"), "the external resource")
	var material := before.material as CanvasItemMaterial
	check(material != null and material.blend_mode == CanvasItemMaterial.BLEND_MODE_SUB, "the sub_resource")
	var refusal := parts().loss_actions._LiveValues.move_value(
		EditorInterface.get_editor_undo_redo(), path, losses.before, losses.losses[3], "rotation")
	check_equal(refusal, "rotation takes float; the value is of type Vector2", "a value of another type")
	await save()
	check(read(path).contains("position = Vector2(3, 4)") and read(path).contains("blend_mode = 2"), "they are saved: %s" % read(path))
	check_equal(_described(path), PackedStringArray(["18 property unclear rotatin"]), "what is left")
	EditorInterface.close_scene()
	await remove([path, "res://audit/curve_2d.tres"])
	await settled()


## With what the engine itself would never write: carriage returns, no newline at the end.
func test_restore_gives_the_very_bytes() -> void:
	var path := "res://audit/bytes.tscn"
	var text := "[gd_scene format=3]\r\n; by hand, ä\r\n[node name=\"Root\" type=\"Node\"]\r\nno_such_property=1"
	make(path, text)
	var before := SceneFiles.read(path)
	check_equal(before, text.to_utf8_buffer(), "the bytes before")
	await open_with_errors(path)
	await save()
	check(_losses(path) != null, "something was lost")
	var after := SceneFiles.read(path)
	print("[expected errors")
	parts().loss_actions.restore(_losses(path))
	await frames(3)
	print("expected errors]")
	check_equal(SceneFiles.read(path), before, "the bytes after they were restored")
	await undo()
	check_equal(SceneFiles.read(path), after, "the bytes after undo")
	EditorInterface.close_scene()
	await remove([path])


## The engine complains of what is wrong in the scene.
func open_with_errors(path: String) -> void:
	print("[expected errors")
	await open(path)
	print("expected errors]")


func test_cost_of_many_losses() -> void:
	var nodes := ""
	for number: int in MANY:
		nodes += "\n[node name=\"N%d\" type=\"Node2D\" parent=\".\"]\nrotatio = %d\n" % [number, number]
	make(MANY_PATH, "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\n" + nodes)
	await settled()
	await open(MANY_PATH)
	await save()
	var start := Time.get_ticks_msec()
	await until(func() -> bool: return losses_of(MANY_PATH) != null, "the losses")
	print("cost of %d losses: %d ms" % [MANY, Time.get_ticks_msec() - start])
	check_equal(losses_of(MANY_PATH).losses.size(), MANY, "losses")
	EditorInterface.close_scene()
	await frames(3)
	parts().problems.losses.remove_all()
	await remove([MANY_PATH])


func _losses(path: String = PATH) -> SaveLosses:
	return losses_of(path)


func _described(path: String = PATH) -> PackedStringArray:
	var lines: PackedStringArray = []
	if _losses(path) != null:
		for loss: SaveLosses._Loss in _losses(path).losses:
			lines.append("%d %s %s %s" % [loss.line, loss.kind, loss.cause, loss.name])
	return lines


func switch_off_and_on() -> void:
	EditorInterface.set_plugin_enabled("fast_variant", false)
	await frames(5)
	EditorInterface.set_plugin_enabled("fast_variant", true)
	await frames(5)
	await settled()


func _kept_files() -> PackedStringArray:
	return DirAccess.get_files_at(LossStore.FOLDER)


## With texts of about `size` bytes.
func _made_losses(path: String, size: int) -> SaveLosses:
	var losses := SaveLosses.new()
	losses.path = path
	losses.before.resize(size)
	losses.losses = [SaveLosses._Loss.new()]
	return losses


## A click on a button in the row of a loss or of a save.
func _press_in_row(what: RefCounted, action: LossRows._Action) -> void:
	parts().panel.refresh_now()
	var item := parts().panel.tree.get_root()
	while item != null:
		if item.get_metadata(0) == what:
			parts().panel.tree.button_clicked.emit(item, 0, action, MOUSE_BUTTON_LEFT)
			return
		item = item.get_next_in_tree()
	fail("it has no row")


## As the Inspector does.
func set_by_hand(object: Object, property: StringName, value: Variant) -> void:
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("Set %s" % property, UndoRedo.MERGE_DISABLE, object)
	undo_redo.add_do_property(object, property, value)
	undo_redo.add_undo_property(object, property, object.get(property))
	undo_redo.commit_action()


## What the panel says of them.
func _loss_rows() -> PackedStringArray:
	parts().panel.refresh_now()
	var rows: PackedStringArray = []
	var item := parts().panel.tree.get_root()
	while item != null:
		if item.get_metadata(0) is SaveLosses._Loss:
			rows.append(item.get_text(0))
		item = item.get_next_in_tree()
	return rows
