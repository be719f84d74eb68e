extends SceneTree
## Edits scenes as two people do, and compares what a merge made of that with both edits made in one scene.
##
##   godot --headless --path PROJECT -s res://tools/merge_edits.gd -- edit SEEDS FIRST_SEED [SCENE...]
##   godot --headless --path PROJECT -s res://tools/merge_edits.gd -- compare
##   godot --headless --path PROJECT -s res://tools/merge_edits.gd -- settled
##
## `edit` makes a folder `res://cases/NAME` for each of so many seeds and each scene, which are those made here and the named ones:
## `base.tscn`, `ours.tscn`, `theirs.tscn` and `both.tscn`, with both edits. The folders `res://conflicts/NAME` have no such, but
## edits that do not go together.
##
## `compare` compares each `merged.tscn` with `both.tscn`, and saves those with conflicts again, as `resaved.tscn`. `settled`
## compares `settled_ours.tscn` with `ours.tscn`, if it is there, and that of theirs.

const Base := preload("merge_base_scene.gd")
const Plan := preload("merge_edit_plan.gd")
const Dump := preload("lint_differential_dump.gd")

const SUCCESS := "merge edits: DONE"
const CASES := "res://cases"
const CONFLICTS := "res://conflicts"
## Where each scene is while it is edited: ids of resources belong to a path.
const OPEN := "res://open.tscn"
const EDITS := 12

var _differing := 0


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	match arguments[0]:
		"edit":
			_edit_all(arguments[1].to_int(), arguments[2].to_int(), arguments.slice(3))
		"compare":
			for folder in _folders(CASES):
				_compare(folder, "both", "merged")
			for folder in _folders(CONFLICTS):
				_save(_opened(folder.path_join("merged.tscn")), folder.path_join("resaved.tscn"))
		"settled":
			for folder in _folders(CONFLICTS):
				for side: String in ["ours", "theirs"]:
					if FileAccess.file_exists(folder.path_join("settled_%s.tscn" % side)):
						_compare(folder, side, "settled_%s" % side)
	print("merge edits: %d differ" % _differing)
	print(SUCCESS)
	quit()


func _folders(parent: String) -> Array[String]:
	var found: Array[String] = []
	for name in DirAccess.get_directories_at(parent):
		found.append(parent.path_join(name))
	return found


func _edit_all(seeds: int, first_seed: int, scenes: PackedStringArray) -> void:
	var part := Base.part()
	_save(part, "res://part.tscn")
	var instanced: PackedScene = load("res://part.tscn")
	for random_seed in range(first_seed, first_seed + seeds):
		_made(12 + random_seed % 20, instanced)
		_edit(CASES.path_join("made_%d" % random_seed), random_seed)
		for number in scenes.size():
			_save(_opened(scenes[number]), OPEN)
			_edit(CASES.path_join("scene_%d_%d" % [number, random_seed]), random_seed)
	for kind in Plan.CONFLICTS:
		for random_seed in range(first_seed, first_seed + maxi(seeds / 10, 1)):
			_made(12 + random_seed % 20, instanced)
			_edit_conflict(CONFLICTS.path_join("%s_%d" % [kind, random_seed]), kind, random_seed)


func _made(size: int, instanced: PackedScene) -> void:
	_save(Base.scene(size, instanced), OPEN)


## Two plans for the scene that is open.
func _edit(folder: String, random_seed: int) -> void:
	var scene := _opened(OPEN)
	var plan := Plan.new(scene, random_seed)
	var ours := plan.edits(EDITS)
	var theirs := plan.edits(EDITS)
	scene.free()
	_keep(folder, "base")
	_edit_as(folder, "ours", [ours])
	_edit_as(folder, "theirs", [theirs])
	_edit_as(folder, "both", [ours, theirs])
	var file := FileAccess.open(folder.path_join("edits.txt"), FileAccess.WRITE)
	for edit: Dictionary in ours + theirs:
		file.store_line(str(edit))


func _edit_conflict(folder: String, kind: String, random_seed: int) -> void:
	var scene := _opened(OPEN)
	var edits := Plan.new(scene, random_seed).conflict(kind)
	scene.free()
	_keep(folder, "base")
	_edit_as(folder, "ours", [edits.slice(0, 1)])
	_edit_as(folder, "theirs", [edits.slice(1)])


## Applies plans to the scene as it is in the folder, and puts what is saved beside it.
func _edit_as(folder: String, side: String, plans: Array[Array]) -> void:
	var _error := DirAccess.copy_absolute(folder.path_join("base.tscn"), OPEN)
	var scene := _opened(OPEN)
	var nodes := Plan.own_nodes(scene)
	Plan.apply(scene, nodes, plans)
	_save(scene, OPEN)
	_keep(folder, side)


func _keep(folder: String, side: String) -> void:
	var _made_error := DirAccess.make_dir_recursive_absolute(folder)
	var _error := DirAccess.copy_absolute(OPEN, folder.path_join("%s.tscn" % side))


func _opened(path: String) -> Node:
	var packed: PackedScene = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	return packed.instantiate(PackedScene.GEN_EDIT_STATE_MAIN)


## Frees the scene.
func _save(scene: Node, path: String) -> void:
	var packed := PackedScene.new()
	var error := packed.pack(scene)
	packed.take_over_path(path)
	if error != OK or ResourceSaver.save(packed, path) != OK:
		push_error("%s cannot be saved" % path)
	scene.free()


func _compare(folder: String, expected: String, found: String) -> void:
	var dumps: Array[PackedStringArray] = []
	for side: String in [expected, found]:
		var path := folder.path_join("%s.tscn" % side)
		var scene := _opened(path)
		dumps.append(Dump.new(path).of_tree(scene).split("\n"))
		scene.free()
	if dumps[0] == dumps[1]:
		return
	_differing += 1
	for line in dumps[0]:
		if line not in dumps[1]:
			print("DIFFERS %s: %s misses %s" % [folder, found, line])
	for line in dumps[1]:
		if line not in dumps[0]:
			print("DIFFERS %s: %s has %s" % [folder, found, line])
