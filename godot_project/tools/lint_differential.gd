extends SceneTree
## The engine's side of scripts/test/scenes/linter.sh: loads and instantiates broken scenes and resources, and compares
## what comes out with what the text plainly says.
##
##   godot --headless -s res://tools/lint_differential.gd -- MANIFEST VERDICTS FIRST
##
## MANIFEST has a line of JSON for each case; the first FIRST are left out. For each, VERDICTS gets the line `begin` and
## then a JSON object: whoever finds a `begin` without one knows that the engine crashed.

const Intent := preload("res://tools/lint_differential_intent.gd")
const SceneJudge := preload("res://tools/lint_differential_scene.gd")
const Dump := preload("res://tools/lint_differential_dump.gd")
const ResourceJudge := preload("res://tools/lint_differential_resource.gd")


func _init() -> void:
	var arguments := OS.get_cmdline_user_args()
	var manifest := FileAccess.open(arguments[0], FileAccess.READ)
	var verdicts := FileAccess.open(arguments[1], FileAccess.WRITE)
	for _case in int(arguments[2]):
		manifest.get_line()
	while manifest.get_position() < manifest.get_length():
		var case: Dictionary = JSON.parse_string(manifest.get_line())
		verdicts.store_line("begin")
		verdicts.flush()
		var path: String = case["file"]
		var items: Array = case["items"]
		verdicts.store_line(JSON.stringify(_verdict(path, items, case["dump"])))
		verdicts.flush()
	quit()


func _verdict(path: String, items: Array, is_dumped: bool) -> Dictionary:
	var resource := ResourceLoader.load(path)
	var intent := Intent.new(path, items)
	# First, because judging moves the parts of some resources into others, such as a TileSet's sources.
	var dump := Dump.new(path).of(resource) if is_dumped and resource != null else ""
	if resource == null:
		intent.harms = []
		intent.judge_refusal()
	elif resource is PackedScene:
		var scene: PackedScene = resource
		SceneJudge.new(intent).judge(scene)
	else:
		ResourceJudge.new(intent).judge_main(resource)
	var verdict := {"harms": intent.harms, "outside": intent.outside}
	if not dump.is_empty() and "not instantiated" not in intent.harms:
		verdict["dump"] = dump
		if resource is PackedScene:
			verdict["tree"] = _tree(path, resource as PackedScene)
	return verdict


func _tree(path: String, scene: PackedScene) -> String:
	var root := scene.instantiate()
	if root == null:
		return ""
	var tree := Dump.new(path).of_tree(root)
	root.free()
	return tree
