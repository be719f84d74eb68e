extends RefCounted
## Gives an object one element of each kind that it can hold, so that it lists the properties of elements.

const NAME := "ELEMENT"


## An object may hold elements of one kind at a time.
func kinds(object: Object) -> int:
	return 6 if object is PhysicalBone3D else 1


func fill(object: Object, kind: int) -> void:
	if object is PhysicalBone3D:
		(object as PhysicalBone3D).joint_type = kind as PhysicalBone3D.JointType
	for of_class: String in _lineage(object.get_class()):
		var by_class := "_fill_" + of_class
		if has_method(by_class):
			call(by_class, object)
	# A count may add properties that are counts too.
	for nested in 3:
		for property: Dictionary in object.get_property_list():
			_set_one(object, property["name"], property["type"])


## Some properties are there only where another one counts elements, or is on.
func _set_one(object: Object, key: String, type: Variant.Type) -> void:
	if type == TYPE_INT and key.ends_with("_count") and object.get(key) < 2:
		object.set(key, 2)
	elif type == TYPE_BOOL and key.contains("/") and not object.get(key):
		object.set(key, true)


func _lineage(of_class: String) -> PackedStringArray:
	var lineage: PackedStringArray = []
	while not of_class.is_empty():
		lineage.insert(0, of_class)
		of_class = ClassDB.get_parent_class(of_class)
	return lineage


func _fill_Animation(animation: Animation) -> void:
	for type: Animation.TrackType in [Animation.TYPE_VALUE, Animation.TYPE_AUDIO, Animation.TYPE_POSITION_3D]:
		animation.add_track(type)
	animation.add_marker(NAME, 0.0)


func _fill_AnimationMixer(mixer: AnimationMixer) -> void:
	var library := AnimationLibrary.new()
	library.add_animation(NAME, Animation.new())
	mixer.add_animation_library(NAME, library)
	mixer.add_animation_library("", library.duplicate())


func _fill_AnimationPlayer(player: AnimationPlayer) -> void:
	player.animation_set_next(NAME, NAME)
	player.animation_set_next(NAME + "/" + NAME, NAME)


func _fill_AnimationNodeBlendTree(tree: AnimationNodeBlendTree) -> void:
	tree.add_node(NAME, AnimationNodeAnimation.new())


func _fill_AnimationNodeStateMachine(machine: AnimationNodeStateMachine) -> void:
	machine.add_node(NAME, AnimationNodeAnimation.new())


func _fill_AnimationNodeBlendSpace1D(space: AnimationNodeBlendSpace1D) -> void:
	space.add_blend_point(AnimationNodeAnimation.new(), 0.0)


func _fill_ArrayMesh(mesh: ArrayMesh) -> void:
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = PackedVector3Array([Vector3.ZERO, Vector3.UP, Vector3.RIGHT])
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)


func _fill_AudioBusLayout(layout: AudioBusLayout) -> void:
	layout.set("bus/1/effect/0/effect", AudioEffectAmplify.new())


func _fill_BoneMap(map: BoneMap) -> void:
	var profile := SkeletonProfile.new()
	profile.bone_size = 1
	profile.set_bone_name(0, NAME)
	map.profile = profile


func _fill_CanvasItem(item: CanvasItem) -> void:
	item.material = _shader_material("canvas_item", "instance uniform")
	item.set_instance_shader_parameter(NAME, 1.0)


func _fill_FontFile(font: FontFile) -> void:
	font.set_language_support_override(NAME, true)
	font.set_script_support_override(NAME, true)


func _fill_GeometryInstance3D(geometry: GeometryInstance3D) -> void:
	geometry.set_instance_shader_parameter(NAME, 1.0)


func _fill_GraphNode(node: GraphNode) -> void:
	node.add_child(Control.new())
	node.set_slot(0, true, 0, Color.RED, true, 0, Color.RED)


func _fill_MeshInstance3D(instance: MeshInstance3D) -> void:
	var mesh := ArrayMesh.new()
	mesh.add_blend_shape(NAME)
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = PackedVector3Array([Vector3.ZERO, Vector3.UP, Vector3.RIGHT])
	var shape := []
	shape.resize(3)
	shape[Mesh.ARRAY_VERTEX] = arrays[Mesh.ARRAY_VERTEX]
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays, [shape])
	instance.mesh = mesh


func _fill_MeshLibrary(library: MeshLibrary) -> void:
	library.create_item(0)


func _fill_MultiplayerSpawner(spawner: MultiplayerSpawner) -> void:
	spawner.add_spawnable_scene("res://a.tscn")


func _fill_SceneReplicationConfig(config: SceneReplicationConfig) -> void:
	config.add_property(NodePath(".:position"))


func _fill_ShaderMaterial(material: ShaderMaterial) -> void:
	material.shader = _shader_material("canvas_item", "uniform").shader


func _shader_material(mode: String, uniform: String) -> ShaderMaterial:
	var shader := Shader.new()
	shader.code = "shader_type %s;\n%s float %s;\n" % [mode, uniform, NAME]
	var material := ShaderMaterial.new()
	material.shader = shader
	return material


func _fill_Skeleton3D(skeleton: Skeleton3D) -> void:
	skeleton.add_bone("a")


func _fill_SkeletonModificationStack2D(stack: SkeletonModificationStack2D) -> void:
	stack.modification_count = 1


func _fill_SkeletonModification2DCCDIK(modification: SkeletonModification2DCCDIK) -> void:
	modification.ccdik_data_chain_length = 1


func _fill_SkeletonModification2DFABRIK(modification: SkeletonModification2DFABRIK) -> void:
	modification.fabrik_data_chain_length = 2


func _fill_SkeletonModification2DJiggle(modification: SkeletonModification2DJiggle) -> void:
	modification.jiggle_data_chain_length = 1


func _fill_SkeletonModification2DPhysicalBones(modification: SkeletonModification2DPhysicalBones) -> void:
	modification.physical_bone_chain_length = 1


func _fill_SkeletonProfile(profile: SkeletonProfile) -> void:
	profile.bone_size = 1
	profile.group_size = 1


func _fill_Skin(skin: Skin) -> void:
	skin.add_bind(0, Transform3D.IDENTITY)


func _fill_SoftBody3D(body: SoftBody3D) -> void:
	body.set_point_pinned(0, true)


func _fill_Theme(theme: Theme) -> void:
	theme.set_color(NAME, NAME, Color.RED)
	theme.set_constant(NAME, NAME, 1)
	theme.set_font(NAME, NAME, FontVariation.new())
	theme.set_font_size(NAME, NAME, 1)
	theme.set_icon(NAME, NAME, PlaceholderTexture2D.new())
	theme.set_stylebox(NAME, NAME, StyleBoxFlat.new())
	theme.set_type_variation(NAME + "2", NAME)


func _fill_TileMap(map: TileMap) -> void:
	map.add_layer(0)


func _fill_TileSet(tiles: TileSet) -> void:
	tiles.add_physics_layer()
	tiles.add_occlusion_layer()
	tiles.add_navigation_layer()
	tiles.add_custom_data_layer()
	tiles.add_terrain_set()
	tiles.add_terrain(0)
	tiles.add_source(TileSetAtlasSource.new())
	var pattern := TileMapPattern.new()
	pattern.set_cell(Vector2i.ZERO, 0, Vector2i.ZERO)
	tiles.add_pattern(pattern)
	tiles.set_source_level_tile_proxy(0, 1)


func _fill_TileSetAtlasSource(source: TileSetAtlasSource) -> void:
	var tiles := TileSet.new()
	_fill_TileSet(tiles)
	tiles.add_source(source)
	source.texture = PlaceholderTexture2D.new()
	source.texture.size = Vector2(64, 64)
	source.create_tile(Vector2i.ZERO)
	source.set_tile_animation_columns(Vector2i.ZERO, 1)
	source.set_tile_animation_frames_count(Vector2i.ZERO, 2)
	source.set_tile_animation_frame_duration(Vector2i.ZERO, 1, 2.0)
	source.set_tile_animation_speed(Vector2i.ZERO, 2.0)
	var data := source.get_tile_data(Vector2i.ZERO, 0)
	data.terrain_set = 0
	data.terrain = 0
	data.set_terrain_peering_bit(TileSet.CELL_NEIGHBOR_RIGHT_SIDE, 0)
	data.add_collision_polygon(0)
	data.set_collision_polygon_points(0, 0, PackedVector2Array([Vector2.ZERO, Vector2.RIGHT, Vector2.DOWN]))
	data.set_collision_polygon_one_way(0, 0, true)
	data.add_occluder_polygon(0)
	data.set_occluder_polygon(0, 0, OccluderPolygon2D.new())
	_kept.append(tiles)


func _fill_TileSetScenesCollectionSource(source: TileSetScenesCollectionSource) -> void:
	source.create_scene_tile(PackedScene.new())


func _fill_VisualShader(shader: VisualShader) -> void:
	for type: VisualShader.Type in VisualShader.TYPE_MAX:
		shader.add_node(type, VisualShaderNodeExpression.new(), Vector2.ZERO, 2)
	shader.add_varying(NAME, VisualShader.VARYING_MODE_VERTEX_TO_FRAG_LIGHT, VisualShader.VARYING_TYPE_FLOAT)


func _fill_Window(window: Window) -> void:
	for kind: Array in [["color", Color.RED], ["constant", 1], ["font_size", 1]]:
		window.call("add_theme_%s_override" % kind[0], NAME, kind[1])


## Objects that must live as long as the filled ones.
var _kept: Array = []
