@tool
extends "part.gd"
## Each action that writes, many times.

const FRONT := "res://front.tscn"

var _rounds := int(OS.get_environment("FV_ROUNDS")) if OS.has_environment("FV_ROUNDS") else 15


func run() -> void:
	var text := read(FRONT)
	await open(FRONT)
	for number: int in _rounds:
		print("restore ", number)
		await hands.select(EditorInterface.get_edited_scene_root())
		await hands.save()
		await until(func() -> bool: return read(FRONT) != text, "the scene is saved")
		var banner := watch().panel.banner
		await until(func() -> bool: return banner.is_visible_in_tree(), "the banner is shown")
		print("pressing restore")
		await hands.press(banner._restore)
		print("pressed")
		await until(func() -> bool: return read(FRONT) == text, "the text is back")
		await hands.look_around()
		await frames(20)
		check_equal(Contents.difference_of_scene(EditorInterface.get_edited_scene_root(), FRONT), "", "memory")
		passed += 1
