extends SceneTree
## Loads text scenes and resources and saves them again, for the tests of the formatter and of merges.
##
##   godot --headless --path PROJECT -s res://tools/resave_scenes.gd -- LIST OUTPUT
##
## LIST names one file in each line. What is saved goes into the folder OUTPUT, as `NUMBER.tscn` or `NUMBER.tres`; the
## number is that of the line. Files that this engine cannot load are left out. What they refer to is not there: another
## resource of the type stands in for each.

const StandIns := preload("stand_ins.gd")

const SUCCESS := "resave: WRITTEN"


func _init() -> void:
	var arguments := OS.get_cmdline_user_args()
	StandIns.prepare()
	var paths := FileAccess.get_file_as_string(arguments[0]).split("\n", false)
	var saved := 0
	for index in paths.size():
		saved += int(_resave(paths[index], index, arguments[1]))
	print("resaved %d of %d files" % [saved, paths.size()])
	print(SUCCESS)
	quit()


func _resave(path: String, index: int, output: String) -> bool:
	var text := FileAccess.get_file_as_string(path)
	if text.is_empty():
		return false
	var copy := "res://in_%d.%s" % [index, path.get_extension()]
	StandIns.store(copy, StandIns.new(false).put_into(text))
	var resource := ResourceLoader.load(copy, "", ResourceLoader.CACHE_MODE_IGNORE)
	if resource == null:
		return false
	return ResourceSaver.save(resource, output.path_join("%d.%s" % [index, path.get_extension()])) == OK
