extends SceneTree
## Shows the files of `res://cases/index.tsv` to the engine as a game would use them: loads, instantiates, adds, draws, duplicates
## and frees them, and asks resources for their results.
##
##   godot --headless --path PROJECT -s res://show.gd -- FIRST LAST
##
## Prints `case NUMBER STAGE` before each stage, and opens `MARKS/NUMBER`, which does not exist. In a trace of the program's system
## calls, this shows the file to which they belong.

const SUCCESS := "harmless files: DONE"
const INDEX := "res://cases/index.tsv"
const MARKS := "/harmless_marks/"
const KEYS: Array[Key] = [KEY_TAB, KEY_RIGHT, KEY_DOWN, KEY_LEFT, KEY_UP, KEY_ENTER, KEY_SPACE, KEY_PAGEDOWN, KEY_END]

## The node that is shown, or nothing.
var _shown: Node


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var lines := FileAccess.get_file_as_string(INDEX).split("\n", false)
	# Files that the engine loads at its first need have nothing to do with the tested files.
	_show_resource(load("res://own/warm.tres") as Resource)
	await _show(load("res://own/warm.tscn") as Resource, 4)
	for number in range(arguments[0].to_int(), arguments[1].to_int()):
		var fields := lines[number].split("\t")
		_tell(number, "load")
		FileAccess.open(MARKS + str(number), FileAccess.READ)
		await _case(number, "res://cases/" + fields[0], fields[1].to_int())
	_tell(arguments[1].to_int(), "end")
	FileAccess.open(MARKS + "end", FileAccess.READ)
	print(SUCCESS)
	quit()


func _tell(number: int, stage: String) -> void:
	print("case %d %s" % [number, stage])


func _case(number: int, path: String, frames: int) -> void:
	var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if loaded == null:
		print("not loaded: %s" % path)
		return
	if not loaded is PackedScene:
		_tell(number, "show")
		_show_resource(loaded)
		await _wait(2)
		_hide()
		_tell(number, "copy")
		loaded.duplicate(true)
		_tell(number, "free")
		return
	_tell(number, "instantiate")
	await _show(loaded, frames)
	if _shown == null:
		return
	_tell(number, "keys")
	_press_keys()
	await _wait(2)
	_tell(number, "duplicate")
	await _duplicate()
	_tell(number, "free")
	_hide()
	await _wait(1)


func _show(scene: Resource, frames: int) -> void:
	_shown = (scene as PackedScene).instantiate()
	if _shown == null:
		print("not instantiated: %s" % scene.resource_path)
		return
	root.add_child(_shown)
	await _wait(frames)


func _hide() -> void:
	if is_instance_valid(_shown):
		_shown.queue_free()
	_shown = null


func _wait(frames: int) -> void:
	for frame in frames:
		await process_frame
	await physics_frame


## The whole, and each part of it next to the others.
func _duplicate() -> void:
	if not is_instance_valid(_shown):
		return
	var copies: Array[Node] = [_shown.duplicate()]
	var children := _shown.find_children("*", "", true, false)
	for child: Node in children.slice(0, 40):
		if is_instance_valid(child):
			copies.append(child.duplicate())
	for copy in copies:
		if copy != null:
			root.add_child(copy)
	await _wait(2)
	for copy in copies:
		if is_instance_valid(copy):
			copy.queue_free()


func _press_keys() -> void:
	for control: Control in root.find_children("*", "Control", true, false):
		if control.focus_mode != Control.FOCUS_NONE and control.is_visible_in_tree():
			control.grab_focus()
			break
	for key in KEYS:
		for pressed: bool in [true, false]:
			var event := InputEventKey.new()
			event.keycode = key
			event.pressed = pressed
			root.push_input(event)
	for place: Vector2 in [Vector2(5, 5), Vector2(300, 200)]:
		for pressed: bool in [true, false]:
			var event := InputEventMouseButton.new()
			event.button_index = MOUSE_BUTTON_LEFT
			event.position = place
			event.pressed = pressed
			root.push_input(event)


# --- Resources ----------------------------------------------------------------------------------------

## Puts a resource where it has an effect, and asks it for its results.
func _show_resource(resource: Resource) -> void:
	_shown = Node.new()
	root.add_child(_shown)
	_ask(resource)
	_add(_user_of(resource))


func _add(node: Node) -> void:
	if node != null:
		_shown.add_child(node)


func _user_of(resource: Resource) -> Node:
	if resource is Texture2D:
		return _with(TextureRect.new(), "texture", resource)
	if resource is Shape2D:
		return _in_body(RigidBody2D.new(), _with(CollisionShape2D.new(), "shape", resource))
	if resource is Shape3D:
		return _in_body(StaticBody3D.new(), _with(CollisionShape3D.new(), "shape", resource))
	if resource is Mesh:
		return _with(MeshInstance3D.new(), "mesh", resource)
	if resource is CanvasItemMaterial:
		return _with(ColorRect.new(), "material", resource)
	if resource is ParticleProcessMaterial:
		return _with(GPUParticles3D.new(), "process_material", resource)
	if resource is FogMaterial:
		return _with(FogVolume.new(), "material", resource)
	if resource is BaseMaterial3D:
		return _with(_with(MeshInstance3D.new(), "mesh", BoxMesh.new()), "material_override", resource)
	if resource is Environment:
		return _with(WorldEnvironment.new(), "environment", resource)
	if resource is CameraAttributes:
		return _with(WorldEnvironment.new(), "camera_attributes", resource)
	if resource is Theme:
		return _with(_in_body(PanelContainer.new(), _with(Label.new(), "text", "text")), "theme", resource)
	if resource is Font:
		return _with(_with(Label.new(), "text", "text"), "theme_override_fonts/font", resource)
	if resource is LabelSettings:
		return _with(_with(Label.new(), "text", "text"), "label_settings", resource)
	if resource is StyleBox:
		return _with(Panel.new(), "theme_override_styles/panel", resource)
	if resource is Curve2D:
		return _with(Path2D.new(), "curve", resource)
	if resource is Curve3D:
		return _with(Path3D.new(), "curve", resource)
	if resource is SpriteFrames:
		return _with(AnimatedSprite2D.new(), "sprite_frames", resource)
	if resource is MultiMesh:
		return _with(MultiMeshInstance3D.new(), "multimesh", resource)
	if resource is NavigationPolygon:
		return _with(NavigationRegion2D.new(), "navigation_polygon", resource)
	if resource is NavigationMesh:
		return _with(NavigationRegion3D.new(), "navigation_mesh", resource)
	if resource is OccluderPolygon2D:
		return _with(LightOccluder2D.new(), "occluder", resource)
	if resource is Occluder3D:
		return _with(OccluderInstance3D.new(), "occluder", resource)
	return _animated(resource)


func _animated(resource: Resource) -> Node:
	var library := resource as AnimationLibrary
	if resource is Animation:
		library = AnimationLibrary.new()
		library.add_animation("a", resource as Animation)
	if library == null:
		return null
	var player := AnimationPlayer.new()
	player.add_animation_library("", library)
	for animation in player.get_animation_list():
		player.play(animation)
	return player


func _with(node: Node, property: String, value: Variant) -> Node:
	node.set(property, value)
	return node


func _in_body(parent: Node, child: Node) -> Node:
	parent.add_child(child)
	return parent


func _ask(resource: Resource) -> void:
	if resource is Texture2D:
		(resource as Texture2D).get_image()
	elif resource is Mesh:
		(resource as Mesh).get_aabb()
		(resource as Mesh).create_trimesh_shape()
	elif resource is Curve:
		(resource as Curve).bake()
		(resource as Curve).sample_baked(0.3)
	elif resource is Curve2D:
		(resource as Curve2D).get_baked_points()
		(resource as Curve2D).sample_baked_with_rotation(1.0)
	elif resource is Curve3D:
		(resource as Curve3D).get_baked_points()
		(resource as Curve3D).sample_baked_with_rotation(1.0)
	elif resource is Gradient:
		(resource as Gradient).sample(0.3)
	elif resource is Noise:
		(resource as Noise).get_image(16, 16)
	elif resource is Shape3D:
		(resource as Shape3D).get_debug_mesh()
