extends SceneTree
## Builds a scene in code and saves it, for the tests of the writer of the crate `tscn`, which build the same.
##
##   godot --headless --path PROJECT -s res://tools/write_scene.gd -- FILE

const SUCCESS := "scene: WRITTEN"
const INNER := "res://inner.tscn"
const THEME := "res://theme.tres"


func _init() -> void:
	_save_what_it_refers_to()
	var root := Node2D.new()
	root.name = "Root"
	root.position = Vector2(-1.5, 0.1)
	root.set_meta("list", [1, 2.0, "a\nb", &"c", NodePath("d/e:f"), null, true])
	root.set_meta("table", {"z": Color(0.1, 0.2, 0.3), "a": {2: PackedInt32Array([1, 2])}})
	_add(root, root, _sprite())
	var panel := Panel.new()
	panel.name = "Panel \"1\""
	panel.theme = load(THEME)
	panel.add_to_group("b", true)
	panel.add_to_group("a", true)
	_add(root, root, panel)
	var button := Button.new()
	button.name = "Button"
	button.text = "Say \"hi\" \\ bye"
	_add(panel, root, button)
	var inner: Node = (load(INNER) as PackedScene).instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	inner.name = "Instance"
	_add(root, root, inner)
	root.set_editable_instance(inner, true)
	(inner.get_node("Child") as Node2D).visible = false
	button.pressed.connect(root.set_rotation.bind(0.5), CONNECT_PERSIST)
	panel.resized.connect(root.queue_redraw, CONNECT_PERSIST | CONNECT_DEFERRED)
	var scene := PackedScene.new()
	scene.pack(root)
	ResourceSaver.save(scene, OS.get_cmdline_user_args()[0])
	root.free()
	print(SUCCESS)
	quit()


func _save_what_it_refers_to() -> void:
	var root := Node2D.new()
	root.name = "Inner"
	var child := Node2D.new()
	child.name = "Child"
	_add(root, root, child)
	var scene := PackedScene.new()
	scene.pack(root)
	ResourceSaver.save(scene, INNER)
	root.free()
	ResourceSaver.save(Theme.new(), THEME)


func _sprite() -> Sprite2D:
	var gradient := Gradient.new()
	gradient.resource_scene_unique_id = "Gradient_aaaaa"
	gradient.offsets = [0.0, 0.3, 1.0]
	gradient.colors = [Color.BLACK, Color(0.5, 0.25, 1e-05), Color.WHITE]
	var texture := GradientTexture1D.new()
	texture.resource_scene_unique_id = "GradientTexture1D_bbbbb"
	texture.gradient = gradient
	texture.width = 64
	var sprite := Sprite2D.new()
	sprite.name = "Sprite"
	sprite.texture = texture
	sprite.region_rect = Rect2(0, 1, 2.5, 1e20)
	return sprite


func _add(parent: Node, owner: Node, node: Node) -> void:
	parent.add_child(node)
	node.owner = owner
