# Writes a text scene or resource for each kind of list in rust/godot-project/src/lengths.rs, with each length, and for each family
# of elements in families.rs next to it. Godot's result for each goes to the file in the argument: the file's name, and `right` or
# `wrong`. A file is wrong if Godot logs an error when it loads it, or if the object does not have the file's values.
extends SceneTree


class Log extends Logger:
	var count := 0

	func _log_error(_function, _file, _line, _code, _rationale, _editor, _type, _backtraces) -> void:
		count += 1


const POINT := ["Vector2(%d, 0)", "0.0", "0.0", "0", "0"]
const PLAYER := """[sub_resource type="Animation" id="a"]

[sub_resource type="AnimationLibrary" id="library"]
_data = {
&"a": SubResource("a")
}
"""
const TRANSITION := "[sub_resource type=\"AnimationNodeStateMachineTransition\" id=\"t\"]\n"
const ANIMATION := "[sub_resource type=\"AnimationNodeAnimation\" id=\"a\"]\n"
const TEXTURE := "[sub_resource type=\"PlaceholderTexture2D\" id=\"t\"]\nsize = Vector2(16, 16)\n"
const MESH := """[sub_resource type="BoxMesh" id="m"]

[sub_resource type="ArrayMesh" id="a"]

[sub_resource type="StandardMaterial3D" id="s"]
"""
const TREE := """[sub_resource type="AnimationNodeTimeScale" id="t"]

[sub_resource type="AnimationNodeBlendTree" id="inner"]
nodes/time/node = SubResource("t")

[sub_resource type="AnimationNodeStateMachine" id="m"]
states/1/node = SubResource("inner")

[sub_resource type="AnimationNodeBlendTree" id="b"]
nodes/0/node = SubResource("t")
nodes/states/node = SubResource("m")

[sub_resource type="AnimationNodeStateMachineTransition" id="x"]
"""
const BLEND_POINTS := """auto_triangles = false
blend_point_0/node = SubResource("a")
blend_point_0/pos = Vector2(0, 0)
blend_point_1/node = SubResource("a")
blend_point_1/pos = Vector2(1, 0)
blend_point_2/node = SubResource("a")
blend_point_2/pos = Vector2(0, 1)
"""
const FRAMES := "[sub_resource type=\"SpriteFrames\" id=\"f\"]\nanimations = [{\n\"frames\": [],\n\"loop\": true,\n\"name\": &\"a0\",\n\"speed\": 5.0\n}]\n"
const SHADER_NODE := "[sub_resource type=\"VisualShaderNodeColorOp\" id=\"c\"]\n"
const SHADER_NODES := """nodes/fragment/2/node = SubResource("c")
nodes/fragment/2/position = Vector2(1, 0)
nodes/fragment/3/node = SubResource("c")
nodes/fragment/3/position = Vector2(2, 0)
"""
# The class, the greatest length or number, the elements of the list, the properties with `%s` for it, and the text in front of
# them.
const KINDS: Array[Array] = [
	["GridMap", 13, "PackedInt32Array", "data = {\n\"cells\": %s\n}"],
	["GridMap", 3, "PackedInt32Array", "data = {\n\"cels\": %s\n}"],
	["Curve", 12, POINT, "_data = %s"],
	["Curve", 12, POINT, "_data = %s\npoint_count = 2"],
	["Curve2D", 13, "PackedVector2Array", "_data = {\n\"points\": %s\n}"],
	["Curve2D", 6, "PackedVector2Array", "_data = {\n\"point\": %s\n}"],
	["Curve2D", 9, "PackedVector2Array", "_data = {\n\"points\": %s\n}\npoint_count = 2"],
	["Curve3D", 13, "PackedVector3Array", "_data = {\n\"points\": %s,\n\"tilts\": PackedFloat32Array(0, 0)\n}"],
	["Curve3D", 5, "PackedFloat32Array", "_data = {\n\"points\": PackedVector3Array(0, 0, 0, 0, 0, 0, 0, 0, 0),\n\"tilts\": %s\n}"],
	["Curve3D", 3, "PackedVector3Array", "_data = {\n\"points\": %s\n}"],
	["Gradient", 5, "PackedFloat32Array", "offsets = %s\ncolors = PackedColorArray(1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1)"],
	["Gradient", 5, "PackedColorArray", "offsets = PackedFloat32Array(0, 0.5, 1)\ncolors = %s"],
	["Gradient", 5, "PackedColorArray", "colors = %s\noffsets = PackedFloat32Array(0, 0.5, 1)"],
	["HeightMapShape3D", 13, "PackedFloat32Array", "map_width = 3\nmap_depth = 4\nmap_data = %s"],
	["HeightMapShape3D", 5, "PackedFloat32Array", "map_data = %s"],
	["Image", 13, "PackedByteArray", "data = {\n\"data\": %s,\n\"format\": \"RGB8\",\n\"height\": 2,\n\"mipmaps\": false,\n\"width\": 2\n}"],
	["Image", 13, "PackedByteArray", "data = {\n\"data\": %s,\n\"format\": \"LumAlpha8\",\n\"height\": 2,\n\"mipmaps\": true,\n\"width\": 2\n}"],
	["Image", 13, "PackedByteArray", "data = {\n\"data\": %s,\n\"format\": \"RHalf\",\n\"height\": 2,\n\"mipmaps\": false,\n\"width\": 3\n}"],
	["Image", 13, "PackedByteArray", "data = {\n\"data\": %s,\n\"format\": \"Red8\",\n\"height\": 5,\n\"mipmaps\": true,\n\"width\": 2\n}"],
	["Image", 3, "PackedByteArray", "data = {\n\"data\": %s,\n\"height\": 1,\n\"mipmaps\": true,\n\"width\": 2\n}"],
	["ConcavePolygonShape2D", 7, "PackedVector2Array", "segments = %s"],
	["ConcavePolygonShape3D", 13, "PackedVector3Array", "data = %s"],
	["OccluderPolygon2D", 5, "PackedVector2Array", "polygon = %s"],
	["Polygon2D", 7, ["NodePath(\"%d\")", "PackedFloat32Array(1)"], "bones = %s"],
	["LightmapGIData", 13, ["NodePath(\"%d\")", "Rect2(0, 0, 1, 1)", "0", "0"], "user_data = %s"],
	["AnimationPlayer", 5, ["&\"a\"", "&\"a\"", "0.5"], "libraries/ = SubResource(\"library\")\nblend_times = %s", PLAYER],
	["AnimationNodeStateMachine", 5, ["\"Start\"", "\"End\"", "SubResource(\"t\")"], "transitions = %s", TRANSITION],
	["AnimationNodeBlendTree", 5, ["&\"output\"", "0", "&\"A\""], "nodes/A/node = SubResource(\"a\")\nnode_connections = %s", ANIMATION],
	["AnimationNodeBlendSpace2D", 5, "PackedInt32Array", BLEND_POINTS + "triangles = %s", ANIMATION],
	["MultiMesh", 30, "PackedFloat32Array", "transform_format = 1\ninstance_count = 2\nbuffer = %s"],
	["MultiMesh", 17, "PackedFloat32Array", "use_colors = true\nuse_custom_data = true\ninstance_count = 1\nbuffer = %s"],
	["TileMap", 9, "PackedInt32Array", "format = 2\nlayer_0/tile_data = %s"],
	["TileMapLayer", 40, "cells", "tile_map_data = %s"],
	["TileSet", 5, ["%d", "9"], "tile_proxies/source_level = %s"],
	["TileSetAtlasSource", 6, "polygon", "texture = SubResource(\"t\")\n0:0/0 = 0\n0:0/0/physics_layer_0/polygon_0/points = %s", TEXTURE],
	["AimModifier3D", 3, "index", "setting_count = 2\nsettings/%s/apply_bone_name = \"a\""],
	["BoneTwistDisperser3D", 3, "index", "setting_count = 2\nsettings/%s/root_bone_name = \"a\""],
	["CopyTransformModifier3D", 3, "index", "setting_count = 2\nsettings/%s/apply_bone_name = \"a\""],
	["FABRIK3D", 3, "index", "setting_count = 2\nsettings/%s/root_bone_name = \"a\""],
	["FileDialog", 3, "index", "option_count = 2\noption_%s/name = \"a\""],
	["ItemList", 3, "index", "item_count = 2\nitem_%s/text = \"a\""],
	["ItemList", 1, "index", "item_%s/text = \"a\""],
	["ItemList", 1, "index", "item_%s/text = \"a\"\nitem_count = 2"],
	["LabelSettings", 3, "index", "stacked_outline_count = 2\nstacked_outline_%s/size = 3"],
	["LabelSettings", 3, "index", "stacked_shadow_count = 2\nstacked_shadow_%s/outline_size = 3"],
	["MenuButton", 3, "index", "item_count = 2\npopup/item_%s/text = \"a\""],
	["OptionButton", 3, "index", "item_count = 2\npopup/item_%s/text = \"a\""],
	["PopupMenu", 3, "index", "item_count = 2\nitem_%s/text = \"a\""],
	["SkeletonProfile", 3, "index", "bone_size = 2\nbones/%s/bone_name = &\"a\""],
	["SkeletonProfile", 3, "index", "group_size = 2\ngroups/%s/group_name = &\"a\""],
	["Skin", 3, "index", "bind_count = 2\nbind/%s/name = &\"a\""],
	["SpringBoneSimulator3D", 3, "index", "setting_count = 2\nsettings/%s/root_bone_name = \"a\""],
	["TabBar", 3, "index", "tab_count = 2\ntab_%s/title = \"a\""],
	["TwoBoneIK3D", 3, "index", "setting_count = 2\nsettings/%s/root_bone_name = \"a\""],
	["AudioStreamRandomizer", 3, "index", "streams_count = 2\nstream_%s/weight = 3.0"],
	["LimitAngularVelocityModifier3D", 3, "index", "chain_count = 2\nchains/%s/root_bone_name = \"a\""],
	["SkeletonModificationStack2D", 3, "index", "modification_count = 2\nmodifications/%s = SubResource(\"m\")", "[sub_resource type=\"SkeletonModification2DLookAt\" id=\"m\"]\n"],
	["MeshInstance3D", 2, "index", "mesh = SubResource(\"m\")\nsurface_material_override/%s = SubResource(\"s\")", MESH],
	["MeshInstance3D", 2, "index", "mesh = SubResource(\"m\")\nblend_shapes/%s = 0.5", MESH],
	["MeshInstance3D", 2, "index", "mesh = SubResource(\"a\")\nsurface_material_override/%s = SubResource(\"s\")", MESH],
	["AnimationTree", 2, "index", "tree_root = SubResource(\"b\")\nparameters/%s/scale = 0.5", TREE],
	["AnimationTree", 2, "index", "tree_root = SubResource(\"b\")\nparameters/states/%s/time/scale = 0.5", TREE],
	["AnimationNodeBlendTree", 1, "index", "nodes/0/node = SubResource(\"t\")\nnode_connections = [&\"output\", 0, &\"%s\"]", TREE],
	["AnimationNodeStateMachine", 1, "index", "states/0/node = SubResource(\"inner\")\ntransitions = [\"Start\", \"%s\", SubResource(\"x\")]", TREE],
	["AnimationNodeBlendTree", 1, "index", "nodes/0/node = SubResource(\"t\")\nnodes/%s/position = Vector2(1, 2)", TREE],
	["VisualShader", 9, ["2", "0", "3", "%d"], SHADER_NODES + "nodes/fragment/connections = %s", SHADER_NODE],
	["VisualShader", 4, "index", SHADER_NODES + "nodes/fragment/connections = PackedInt32Array(%s, 0, 0, 0)", SHADER_NODE],
	["VisualShader", 4, "index", SHADER_NODES + "nodes/fragment/connections = PackedInt32Array(2, 0, %s, 0)", SHADER_NODE],
	["HSlider", 30, "index", "max_value = 20.0\nvalue = %s.0"],
	["SpinBox", 12, "index", "min_value = 5.0\nmax_value = 10.0\nvalue = %s.0"],
	["ProgressBar", 12, "index", "min_value = -%s.5\nmax_value = 20.5"],
	["HSlider", 9, "index", "min_value = -0.5\nmax_value = 4.5\nstep = 0.%s\nvalue = 1.1"],
	["HScrollBar", 9, "index", "max_value = 10.0\npage = %s.0\nvalue = 5.0"],
	["VSlider", 9, "index", "step = %s.0\nvalue = 6.0"],
	["HSlider", 12, "index", "value = 7.0\nmax_value = %s.0"],
	["SpinBox", 9, "index", "value = 7.%s\nrounded = true"],
	["SpinBox", 9, "index", "rounded = true\nvalue = 7.%s"],
	["HSlider", 3, "index", "max_value = 2.0\nallow_greater = true\nvalue = %s.0"],
	["HSlider", 3, "index", "min_value = 2.0\nallow_lesser = true\nvalue = %s.0"],
	["TextureProgressBar", 9, "index", "step = 0.3\nmax_value = 3.0\nvalue = 0.%s"],
	["AnimationNodeStateMachine", 1, "index", "states/0/node = SubResource(\"inner\")\nstates/%s/position = Vector2(1, 2)", TREE],
	["AnimationNodeBlendSpace1D", 2, "index", "blend_point_0/node = SubResource(\"a\")\nblend_point_%s/node = SubResource(\"a\")", ANIMATION],
	["AnimationNodeBlendSpace1D", 1, "index", "blend_point_%s/node = SubResource(\"a\")", ANIMATION],
	["AnimationNodeBlendSpace2D", 2, "index", "blend_point_0/node = SubResource(\"a\")\nblend_point_%s/pos = Vector2(1, 2)", ANIMATION],
	["AnimationNodeTransition", 2, "index", "input_0/name = \"a\"\ninput_%s/name = \"a\""],
	["AnimationNodeTransition", 1, "index", "input_0/name = \"a\"\ninput_%s/reset = false"],
	["AnimationNodeStateMachine", 2, "index", "state_machine_type = %s\nreset_ends = true"],
	["AnimationNodeStateMachine", 2, "index", "allow_transition_to_self = true\nstate_machine_type = %s"],
	["AnimationPlayer", 1, "index", "playback_auto_capture = %s\nplayback_auto_capture_duration = 2.0"],
	["AnimationPlayer", 1, "index", "playback_auto_capture = %s\nplayback_auto_capture_ease_type = 2"],
	["AnimationPlayer", 1, "index", "playback_auto_capture = %s\nplayback_auto_capture_transition_type = 2"],
	["Button", 1, "index", "toggle_mode = %s\nbutton_pressed = true"],
	["Button", 1, "index", "button_pressed = true\ntoggle_mode = %s"],
	["Button", 1, "index", "toggle_mode = %s\nbutton_pressed = false"],
	["CheckBox", 1, "index", "button_pressed = %s"],
	["CSGPolygon3D", 2, "index", "mode = %s\ndepth = 2.0"],
	["CSGPolygon3D", 2, "index", "depth = 2.0\nmode = %s"],
	["FogVolume", 4, "index", "shape = %s\nsize = Vector3(1, 2, 3)"],
	["GraphNode", 1, "index", "selectable = %s\nselected = true"],
	["NavigationAgent3D", 1, "index", "use_3d_avoidance = %s\nkeep_y_velocity = false"],
	["Node3D", 2, "index", "rotation_edit_mode = %s\nrotation_order = 0"],
	["RetargetModifier3D", 1, "index", "use_global_pose = %s\nenable = 3"],
	["RigidBody2D", 1, "index", "center_of_mass_mode = %s\ncenter_of_mass = Vector2(1, 2)"],
	["RigidBody3D", 1, "index", "center_of_mass_mode = %s\ncenter_of_mass = Vector3(1, 2, 3)"],
	["Window", 5, "index", "initial_position = %s\nposition = Vector2i(10, 20)"],
	["Camera2D", 2, "index", "zoom = Vector2(%s, 1)"],
	["BoxShape3D", 1, "index", "size = Vector3(1, -%s, 1)"],
	["TileSet", 2, "index", "tile_size = Vector2i(8, %s)"],
	["SubViewport", 3, "index", "size = Vector2i(%s, 8)"],
	["Sprite2D", 5, "index", "hframes = 2\nvframes = 2\nframe = %s"],
	["Sprite2D", 1, "index", "frame = %s"],
	["Sprite3D", 3, "index", "frame = %s\nhframes = 3"],
	["LineEdit", 4, "index", "max_length = %s\ntext = \"äöü\""],
	["LineEdit", 4, "index", "text = \"äöü\"\nmax_length = %s"],
	["LineEdit", 11, "index", "secret_character = \"%s\""],
	["Label", 11, "index", "ellipsis_char = \"%s\""],
	["AnimatedSprite2D", 1, "index", "animation = &\"a%s\""],
	["AnimatedSprite2D", 1, "index", "animation = &\"a%s\"\nsprite_frames = SubResource(\"f\")", FRAMES],
	["AnimatedSprite3D", 1, "index", "sprite_frames = SubResource(\"f\")\nanimation = &\"a%s\"", FRAMES],
]

var _log := Log.new()
var _verdicts := PackedStringArray()


func _init() -> void:
	OS.add_logger(_log)
	for index in KINDS.size():
		for count: int in KINDS[index][1] + 1:
			_judge("%s_%d_%d" % [KINDS[index][0], index, count], KINDS[index], count)
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	file.store_string("\n".join(_verdicts) + "\n")
	print("lengths: JUDGED")
	quit()


func _judge(name: String, kind: Array, count: int) -> void:
	# A head without cells is lost without a loss. Without any tilt, Godot crashes.
	if kind[2] is String and (kind[2] == "cells" and count == 2 or "\"tilts\": %s" in kind[3] and count == 0):
		return
	var properties: String = kind[3].replace("%s", _list(kind[2], count))
	var inner: String = kind[4] if kind.size() > 4 else ""
	var is_node := ClassDB.is_parent_class(kind[0], "Node")
	var head := "[gd_scene format=3]\n\n%s\n[node name=\"A\" type=\"%s\"]\n%s\n"
	var path := "res://%s.%s" % [name, "tscn" if is_node else "tres"]
	var file := FileAccess.open(path, FileAccess.WRITE)
	if is_node:
		file.store_string(head % [inner, kind[0], properties])
	else:
		file.store_string("[gd_resource type=\"%s\" format=3]\n\n%s\n[resource]\n%s\n" % [kind[0], inner, properties])
	file.close()
	_log.count = 0
	var object: Object = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if object is PackedScene:
		object = (object as PackedScene).instantiate()
	var is_right := _log.count == 0 and object != null and _is_kept(object, properties) and _has_default(object, properties)
	_verdicts.append("%s %s" % [path.get_file(), "right" if is_right else "wrong"])
	if object is Node:
		object.free()


func _list(what: Variant, count: int) -> String:
	if what is String and what == "index":
		return str(count)
	var elements := PackedStringArray()
	if what is Array:
		for index in count:
			var element: String = what[index % what.size()]
			elements.append(element % (index / what.size()) if "%d" in element else element)
		return "[%s]" % ", ".join(elements)
	if what == "polygon":
		for index in count:
			var corner := Vector2.RIGHT.rotated(TAU * index / count)
			elements.append("%f, %f" % [corner.x, corner.y])
		return "PackedVector2Array(%s)" % ", ".join(elements)
	if what == "cells":
		for index in count:
			# Each cell is at a place of its own.
			elements.append(str((index - 2) / 12 if index > 2 and (index - 2) % 12 == 0 else 0))
		return "PackedByteArray(%s)" % ", ".join(elements)
	var size: int = {"PackedVector2Array": 2, "PackedVector3Array": 3, "PackedColorArray": 4}.get(what, 1)
	for index in count * size:
		elements.append(str(index / size))
	return "%s(%s)" % [what, ", ".join(elements)]


func _is_kept(object: Object, properties: String) -> bool:
	var key := ""
	var text := ""
	for line in (properties + "\nend = 0").split("\n"):
		var parts := line.split(" = ")
		if parts.size() < 2:
			text += "\n" + line
			continue
		# Tile properties are not listed without their tile set.
		if key != "" and not key.begins_with("0:0"):
			var is_given := not "SubResource" in text
			if object.get(key) == null if not is_given else not _is_same(str_to_var(text), object.get(key)):
				return false
			if not _is_saved(object, key):
				return false
		key = parts[0]
		text = parts[1]
	return true


# Whether the saver asks for the property, which it need not do for an empty list. It asks for some without listing them.
func _is_saved(object: Object, key: String) -> bool:
	for property in object.get_property_list():
		if property.name == key:
			var value: Variant = object.get(key)
			return property.usage & PROPERTY_USAGE_STORAGE or typeof(value) >= TYPE_ARRAY and value.is_empty()
	return true


# Whether the lists have the same length.
func _is_same(given: Variant, found: Variant) -> bool:
	if given is Dictionary and found is Dictionary:
		for key: Variant in given:
			if not found.has(key) or not _is_same(given[key], found[key]):
				return false
		return true
	if typeof(given) >= TYPE_ARRAY:
		return typeof(found) >= TYPE_ARRAY and given.size() == found.size()
	if given is float:
		return is_equal_approx(given, found)
	if found is bool:
		return bool(given) == found
	return given == found


# Whether a range has its default, if the file gives it no other value and the range takes the default.
func _has_default(object: Object, properties: String) -> bool:
	var control := object as Range
	if not control or "value = " in properties.replace("min_value", "").replace("max_value", ""):
		return true
	var loaded := control.value
	control.value = 0
	return is_equal_approx(loaded, control.value)
