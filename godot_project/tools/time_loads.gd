extends SceneTree
## Measures how long this engine takes to load text scenes and resources.
##
##   godot --headless -s res://tools/time_loads.gd -- LIST
##
## Each line of LIST holds files with tabs between. Prints for each line how many of them were loaded, how many bytes those
## have and how many seconds one pass over them takes, the fastest of several: `loaded FILES BYTES SECONDS`.

const SUCCESS := "time_loads: DONE"
const BUDGET_USEC := 1_500_000


func _init() -> void:
	for line in FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0]).split("\n", false):
		_measure(line.split("\t"))
	print(SUCCESS)
	quit()


func _measure(paths: PackedStringArray) -> void:
	var loadable: PackedStringArray = []
	var bytes := 0
	for path in paths:
		if ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) != null:
			loadable.append(path)
			bytes += FileAccess.get_file_as_bytes(path).size()
	var start := Time.get_ticks_usec()
	var fastest := 0
	while fastest == 0 or Time.get_ticks_usec() - start < BUDGET_USEC:
		var pass_start := Time.get_ticks_usec()
		for path in loadable:
			ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
		var pass_usec := Time.get_ticks_usec() - pass_start
		fastest = pass_usec if fastest == 0 else mini(fastest, pass_usec)
	print("loaded %d %d %.6f" % [loadable.size(), bytes, fastest / 1e6])
