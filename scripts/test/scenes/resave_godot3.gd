extends SceneTree
# Loads text scenes and resources with Godot 3 and saves them again, for the tests of the formatter.
# godot_project/tools/resave_scenes.gd does the same with Godot 4. Scenes with external resources lose only those.
#
#   godot3-server --path PROJECT -s resave_godot3.gd LIST OUTPUT

const SUCCESS = "resave: WRITTEN"


func _init():
	var arguments = OS.get_cmdline_args()
	var list = File.new()
	list.open(arguments[arguments.size() - 2], File.READ)
	var output = arguments[arguments.size() - 1]
	var paths = list.get_as_text().split("\n", false)
	var saved = 0
	for index in paths.size():
		if _resave(paths[index], index, output):
			saved += 1
	print("resaved %d of %d files" % [saved, paths.size()])
	print(SUCCESS)
	quit()


func _resave(path, index, output):
	var copy = "res://in_%d.%s" % [index, path.get_extension()]
	if Directory.new().copy(path, copy) != OK:
		return false
	var resource = ResourceLoader.load(copy, "", true)
	if resource == null:
		return false
	return ResourceSaver.save("%s/%d.%s" % [output, index, path.get_extension()], resource) == OK
