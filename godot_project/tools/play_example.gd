extends SceneTree
## Plays the game that the README builds from nothing, for scripts/test/project/edits.sh: goes to the right until all coins are collected.
##
##   godot --headless --fixed-fps 60 --path PROJECT -s res://tools/play_example.gd

const SUCCESS := "example: PLAYED"
const FRAMES := 600
const WANTED := "2 of 2 coins"

var _frames := 0


func _initialize() -> void:
	var game: PackedScene = load("res://game.tscn")
	root.add_child(game.instantiate())
	Input.action_press("ui_right")


func _physics_process(_delta: float) -> bool:
	_frames += 1
	var score: Label = root.get_node("Game/HUD/Score")
	var is_won := score.text == WANTED and root.get_node("Game/Coins").get_child_count() == 0
	if is_won:
		print(SUCCESS)
	elif _frames == FRAMES:
		push_error("after %d frames the label says: %s" % [_frames, score.text])
	return is_won or _frames == FRAMES
