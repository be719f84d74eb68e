@tool
extends "../suite.gd"
## Saves a good scene and a broken one.

const GOOD := "res://good.tscn"
const BROKEN := "res://broken.tscn"
## How many nodes the scenes have whose saving is measured: one of ordinary size, and one of 2 MB.
const MEASURED_NODES: PackedInt32Array = [200, 20000]
const BROKEN_TEXT := """[gd_scene format=3]

[node name="Broken" type="Sprite2D"]
texture = ExtResource("1_gone")

[node name="Child" type="Node2D" parent="Nowhere"]
"""


func test_good_and_broken() -> void:
	await open(GOOD)
	await save()
	await open(BROKEN)
	# The editor repairs what it saves. So the broken scene is made while it is being saved: this plugin comes before
	# ours in the list, and is told of the saved scene first.
	var plugin: EditorPlugin = get_parent()
	plugin.scene_saved.connect(_break_scene)
	await save()
	plugin.scene_saved.disconnect(_break_scene)
	check_equal(codes_in(BROKEN), PackedStringArray(["REF001", "TREE001"]), "diagnostics in the broken scene")
	check_equal(codes_in(GOOD), PackedStringArray(), "diagnostics in the good scene")
	check_equal(parts().problems.diagnostics_of(BROKEN)[1].node_path, "Nowhere/Child", "the node of a diagnostic")
	await _check_toasts()


## One for the broken scene, however much is wrong with it, and none for the good one.
func _check_toasts() -> void:
	var broken := BROKEN.get_file() + ": 2 errors"
	await until(func() -> bool: return not _labels(broken).is_empty(), "a toast for the broken scene")
	parts().checker.check(BROKEN)
	await frames(3)
	check_equal(_labels(BROKEN.get_file() + ": ").size(), 1, "toasts for the broken scene")
	check_equal(_labels(GOOD.get_file() + ": ").size(), 0, "toasts for the good scene")


## The texts in the editor's window that begin like this.
func _labels(beginning: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for node: Node in EditorInterface.get_base_control().find_children("*", "Label", true, false):
		var label: Label = node
		if label.text.begins_with(beginning):
			found.append(label.text)
	return found


func _break_scene(path: String) -> void:
	if path == BROKEN:
		write(path, BROKEN_TEXT)


## What a save costs the main thread is for the reader; that a large scene is checked in the background is tested.
func test_cost() -> void:
	for size in MEASURED_NODES:
		var path := "res://cost.tscn"
		make(path, _large_scene(size))
		var addon := parts()
		var best := 1 << 30
		for round_: int in 5:
			# What a user changes from one save to the next.
			write(path, _large_scene(size).replace("N7\"", "N7_%d\"" % round_))
			addon.saves.audit.keep_text(path)
			write(path, _large_scene(size).replace("N7\"", "N8_%d\"" % round_))
			var began := Time.get_ticks_usec()
			addon.saves.audit.keep_text(path)
			addon.saves.on_saved(path)
			best = mini(best, Time.get_ticks_usec() - began)
		print("cost of a save for the main thread: %d bytes, %.2f ms" % [read(path).length(), best / 1000.0])
		check_equal(addon.checker._file_jobs.has(path), size > 10_000, "a job for %d nodes" % size)
		await until(func() -> bool: return addon.checker.is_known(path), "the scene is checked")
		await settled()
	await remove(["res://cost.tscn"])


func _large_scene(count: int) -> String:
	var lines: PackedStringArray = ["[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\n"]
	for index: int in count:
		lines.append("[node name=\"N%d\" type=\"Node2D\" parent=\".\"]\nposition = Vector2(%d, 1.5)\nvisible = false\n" % [index, index])
	return "\n".join(lines)
