extends SceneTree
## Plays the game that an agent builds in rust/gdscene-mcp/tests/game, for scripts/test/project/edits.sh: starts it by the button of the
## menu and goes to the right. The settings are saved to `saved.godot`, as Godot does it.
##
##   godot --headless --fixed-fps 60 --path PROJECT -s res://tools/play_game.gd

const SUCCESS := "game: PLAYED"
const FRAMES := 120

var _frames := 0
var _wrong: PackedStringArray = []


func _initialize() -> void:
	ProjectSettings.save_custom("res://saved.godot")
	TranslationServer.set_locale("de")
	change_scene_to_file(String(ProjectSettings.get_setting("application/run/main_scene")))


func _physics_process(_delta: float) -> bool:
	_frames += 1
	if _frames == 5:
		_menu()
	elif _frames == 10:
		_level()
	elif _frames == FRAMES:
		_end()
		if _wrong.is_empty():
			print(SUCCESS)
		else:
			push_error("wrong: %s" % ", ".join(_wrong))
		return true
	return false


func _expect(what: String, is_right: bool) -> void:
	if not is_right:
		_wrong.append(what)


func _menu() -> void:
	var start: Button = current_scene.get_node("Box/Start")
	_expect("translation", start.tr(start.text) == "Los")
	_expect("theme", start.get_theme_color("font_color") == Color(1, 0.8, 0.2))
	start.pressed.emit()


func _level() -> void:
	var ground: TileMapLayer = current_scene.get_node("Ground")
	_expect("cells", ground.get_used_cells().size() == 20)
	_expect("tile", ground.get_cell_tile_data(Vector2i(3, 4)).get_custom_data("kind") == "grass")
	var boss: Area2D = current_scene.get_node("Boss")
	_expect("inherited scene", boss.get("damage") == 3)
	_expect("array of nodes", (boss.get("targets") as Array)[0] == current_scene.get_node("Player"))
	_expect("curve", (boss.get_node("Way") as Path2D).curve.point_count == 3)
	_expect("override", (boss.get_node("Shape") as Node2D).position == Vector2(0, -2))
	_expect("actions", InputMap.action_get_events("jump").size() == 3)
	var key := InputEventKey.new()
	key.physical_keycode = KEY_SPACE
	_expect("key", InputMap.action_has_event("jump", key))
	var animations: AnimationPlayer = current_scene.get_node("Player/Animations")
	_expect("animations", animations.get_animation_list().size() == 2)
	Input.action_press("right")


func _end() -> void:
	var player: Node2D = current_scene.get_node("Player")
	_expect("movement", player.position.x > 40)
	_expect("method of a track", root.get_node("Score").get("points") > 0)
