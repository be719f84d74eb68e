@tool
extends "../suite.gd"
## What a save drops is noticed, told from what the user removed, and brought back.

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
	for loss: SaveLosses.Loss in _losses().losses:
		check(not loss.reason.is_empty() and not loss.describe().is_empty(), "%s has a reason" % loss.name)


func test_losses_are_shown() -> void:
	var panel := watch().panel
	panel.refresh_now()
	check(panel.banner.visible, "the banner is shown")
	check_equal(panel.banner.losses.summary(), "Saving scene.tscn dropped 5 things.", "the summary")
	var rows := 0
	var item := panel.tree.get_root()
	while item != null:
		rows += int(item.get_metadata(0) is SaveLosses.Loss)
		item = item.get_next_in_tree()
	check_equal(rows, 5, "rows")


func test_restore_and_undo() -> void:
	var after := read(PATH)
	check(after != _before, "the save changed the file")
	print("[expected errors")
	watch().panel.banner._on_restore_pressed()
	await frames(3)
	print("expected errors]")
	check_equal(read(PATH), _before, "the text after it was restored")
	check(_losses() == null and not watch().panel.banner.visible, "the losses are not shown any more")
	check_equal(edited_path(), PATH, "the scene is still open")
	check(EditorInterface.get_edited_scene_root().has_node("Removed"), "the scene was opened again")
	check(codes_in(PATH).has("SIG001"), "the file was checked again: %s" % codes_in(PATH))
	await undo()
	check_equal(read(PATH), after, "the text after undo")
	print("[expected errors")
	await redo()
	print("expected errors]")
	check_equal(read(PATH), _before, "the text after redo")


func test_nothing_is_said_where_nothing_is_lost() -> void:
	await save()
	await save()
	check(_losses() == null, "the second save drops nothing")
	EditorInterface.close_scene()
	await remove([PATH, "res://audit/part.tscn"])


func test_resources() -> void:
	var path := "res://audit/curve.tres"
	make(path, "[gd_resource type=\"Curve\" format=3]\n\n[resource]\nno_such_property = 1\nbake_resolution = 50\n")
	var curve: Curve = load(path)
	EditorInterface.edit_resource(curve)
	await frames(3)
	watch().before_save()
	curve.bake_resolution = 100
	ResourceSaver.save(curve, path)
	var plugin := watch().get_parent() as EditorPlugin
	plugin.resource_saved.emit(curve)
	check_equal(_described(path), PackedStringArray(["4 property unclear no_such_property"]), "losses")
	EditorInterface.inspect_object(null)
	await remove([path])
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
	watch().repairs.restore(_losses(path))
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


func _losses(path: String = PATH) -> SaveLosses:
	return watch().problems.losses_of(path)


func _described(path: String = PATH) -> PackedStringArray:
	var lines: PackedStringArray = []
	if _losses(path) != null:
		for loss: SaveLosses.Loss in _losses(path).losses:
			lines.append("%d %s %s %s" % [loss.line, loss.kind, loss.cause, loss.name])
	return lines
