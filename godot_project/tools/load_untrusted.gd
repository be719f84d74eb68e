extends SceneTree
## Loads one file as a game would that trusts it, and prints when code of the file has run.
##
##   godot --headless -s res://tools/load_untrusted.gd -- res://cases/FILE
##
## scripts/test/scenes/security.sh makes the project for it, with the files that the cases refer to. Code has run when it has set
## the environment variable FV_RAN: `ran at dependencies` (the editor reads these of every file), `load`, `instantiate` or
## `frames`. Other effects are printed in words.

const SUCCESS := "load_untrusted: DONE"
const VARIABLE := "FV_RAN"
const FRAMES := 10

## What another part of the game loads, and a node that is none of the file's.
const OTHER_FILE := "res://harmless.tres"
var _sibling := Node.new()


func _initialize() -> void:
	var path := OS.get_cmdline_user_args()[0]
	_sibling.name = "Sibling"
	root.add_child(_sibling)
	ResourceLoader.get_dependencies(path)
	_look("dependencies")
	var loaded := ResourceLoader.load(path)
	_look("load")
	_look_at_other_file()
	if loaded is PackedScene:
		await _instantiate(loaded as PackedScene)
	print(SUCCESS)
	quit()


func _instantiate(scene: PackedScene) -> void:
	var node := scene.instantiate()
	_look("instantiate")
	if node == null:
		return
	var count := node.find_children("*", "", true, false).size()
	root.add_child(node)
	for frame in FRAMES:
		await process_frame
	_look("frames")
	_look_at_other_file()
	if not is_instance_valid(_sibling):
		print("sibling is gone")
	elif not _sibling.editor_description.is_empty():
		print("sibling is changed")
	if not is_instance_valid(node):
		print("scene is gone")
	elif node.find_children("*", "", true, false).size() != count:
		print("node is gone")
	else:
		_duplicate(node)


## What a game does with nodes that it wants twice.
func _duplicate(node: Node) -> void:
	for child in node.find_children("*", "", true, false):
		var copy := child.duplicate()
		if copy == null or copy.get_child_count() != child.get_child_count():
			print("duplicate is another scene")
		if copy != null:
			copy.free()
	_look("duplicate")


func _look_at_other_file() -> void:
	if not ResourceLoader.load(OTHER_FILE) is PlaceholderTexture2D:
		print("path is taken over")


func _look(stage: String) -> void:
	if not OS.get_environment(VARIABLE).is_empty():
		print("ran at %s" % stage)
		OS.set_environment(VARIABLE, "")
