extends "res://tests/test_suite.gd"
## The demo's scenes, which scripts/demo.sh lints: the good ones are good for the engine, too.

const SCENES: Array[String] = ["res://demo/scenes/player.tscn", "res://demo/scenes/world.tscn"]


func test_good_scenes_load() -> Outcome:
	for path in SCENES:
		var scene: PackedScene = load(path)
		var root := scene.instantiate()
		check(root != null and root.get_child_count() > 0, "%s has nodes" % path)
		root.free()
	return DONE


func test_good_scenes_have_no_diagnostics() -> Outcome:
	if not OS.has_feature("editor"):
		return skip("an export has its scenes in another format")
	for path in SCENES:
		for diagnostic in SceneLinter.lint_text(FileAccess.get_file_as_string(path), path):
			fail("%s:%d: %s: %s" % [path, diagnostic.line, diagnostic.code, diagnostic.message])
	return DONE
