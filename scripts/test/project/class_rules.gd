extends SceneTree
## Checks in a running Godot that the rules on classes, properties and connections describe its behavior.
##
##   godot --headless --path PROJECT -s class_rules.gd -- CLASSES
##
## CLASSES is rust/godot-project/data/classes.txt. The engine complains of most of the files on the way, as it should.

const SUCCESS := "evidence: SEEN"
const HEAD := "[gd_scene format=3]\n\n"

var _failures := 0
var _checks := 0


func _init() -> void:
	var path := OS.get_cmdline_user_args()[0]
	_run.call_deferred(path)


func _run(classes_path: String) -> void:
	_write("tower.gd", "extends Node2D\n\nsignal fell(by: Node)\n@export var target: Node\nvar called := 0\n\n"
			+ "func on_none() -> void:\n\tcalled += 1\n\nfunc on_one(_by: Variant) -> void:\n\tcalled += 1\n")
	_unknown_class()
	_class_not_node()
	_unknown_property()
	_property_type_mismatch()
	_node_paths_field_mismatch()
	_script_class_mismatch()
	_connections()
	_arity_mismatch()
	_default_value_stored()
	_renames()
	_not_convertible()
	_track_members()
	_stored_properties_are_known(classes_path)
	_taken_properties_are_known(classes_path)
	print("%d checks, %d failed" % [_checks, _failures])
	if _failures == 0:
		print(SUCCESS)
	quit()


func _unknown_class() -> void:
	var root := _instance(HEAD + "[node name=\"A\" type=\"Sprit2D\"]\nposition = Vector2(1, 2)\n")
	_same("TREE013: another node is made", root.get_class(), "Node")
	root.free()
	_same("TREE013: a resource is not loaded", _load("a.tres", "[gd_resource type=\"Curv\" format=3]\n\n[resource]\n"), null)


func _class_not_node() -> void:
	for type: String in ["CanvasItem", "Curve"]:
		var root := _instance(HEAD + "[node name=\"A\" type=\"%s\"]\n" % type)
		_same("TREE014: another node is made of " + type, root.get_class(), "Node")
		root.free()
	for type: String in ["Font", "Node2D"]:
		var text := "[gd_resource type=\"%s\" format=3]\n\n[resource]\n" % type
		_same("TREE014: no resource is made of " + type, _load("b_%s.tres" % type, text), null)


func _unknown_property() -> void:
	var root := _instance(HEAD + "[node name=\"A\" type=\"Node2D\"]\npositoin = Vector2(1, 2)\nrotation = 0.5\n")
	_same("TREE015: the value is dropped", root.get("positoin"), null)
	var saved := _saved(root)
	_same("TREE015: the next save forgets it", saved.contains("positoin"), false)
	_same("TREE015: a known one is kept", saved.contains("rotation = 0.5"), true)
	root.free()


func _property_type_mismatch() -> void:
	var root: Node2D = _instance(HEAD + "[node name=\"A\" type=\"Node2D\"]\nposition = \"left\"\nprocess_mode = \"always\"\n"
			+ "scale = Vector2i(2, 3)\nmodulate = \"red\"\nvisible = 0\n")
	_same("TREE016: a text is no place", root.position, Vector2.ZERO)
	_same("TREE016: a text is no mode", root.process_mode, Node.PROCESS_MODE_INHERIT)
	_same("TREE016: whole numbers are converted", root.scale, Vector2(2, 3))
	_same("TREE016: a text is a color", root.modulate, Color.RED)
	_same("TREE016: a number is a truth", root.visible, false)
	root.free()
	var shape: CollisionShape3D = _instance(HEAD + "[sub_resource type=\"Curve\" id=\"1\"]\n\n"
			+ "[node name=\"A\" type=\"CollisionShape3D\"]\nshape = SubResource(\"1\")\n")
	_same("TREE016: a curve is no shape", shape.shape, null)
	shape.free()


func _node_paths_field_mismatch() -> void:
	var head := HEAD + "[ext_resource type=\"Script\" path=\"res://tower.gd\" id=\"1\"]\n\n"
	var tag := "[node name=\"A\" type=\"Node2D\" node_paths=PackedStringArray(\"target\")]\nscript = ExtResource(\"1\")\n"
	var root := _instance(head + tag + "target = NodePath(\".\")\n")
	_same("TREE006: a path becomes the node", root.get("target"), root)
	root.free()
	root = _instance(head + tag + "target = 5\n")
	_same("TREE006: what is no path becomes null", root.get("target"), null)
	root.free()


func _script_class_mismatch() -> void:
	var resource := _load("c.tres", "[gd_resource type=\"Resource\" script_class=\"Nothing\" format=3]\n\n[resource]\n")
	_same("RES012: loading does not look at it", resource is Resource, true)


func _connections() -> void:
	var root := _instance(HEAD + "[node name=\"A\" type=\"Button\"]\n\n"
			+ "[connection signal=\"presed\" from=\".\" to=\".\" method=\"hide\"]\n"
			+ "[connection signal=\"pressed\" from=\".\" to=\".\" method=\"hyde\"]\n"
			+ "[connection signal=\"toggled\" from=\".\" to=\".\" method=\"hyde\" unbinds=1]\n"
			+ "[connection signal=\"button_up\" from=\".\" to=\".\" method=\"hide\"]\n")
	_same("SIG002: no such signal", root.has_signal("presed"), false)
	_same("SIG003: a method that is not there is connected", root.get_signal_connection_list("pressed").size() > 0, true)
	_same("SIG003: not so with unbinds", root.get_signal_connection_list("toggled").size(), 0)
	var saved := _saved(root)
	_same("SIG002: the next save forgets it", saved.contains("presed\" "), false)
	_same("SIG003: the next save forgets what was not made", saved.contains("toggled"), false)
	_same("SIG002: others are kept", saved.contains("button_up"), true)
	root.free()


func _arity_mismatch() -> void:
	var root := _instance(HEAD + "[ext_resource type=\"Script\" path=\"res://tower.gd\" id=\"1\"]\n\n"
			+ "[node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n"
			+ "[connection signal=\"fell\" from=\".\" to=\".\" method=\"on_none\"]\n")
	root.emit_signal("fell", root)
	_same("SIG005: the method is not called", root.get("called"), 0)
	root.free()
	root = _instance(HEAD + "[ext_resource type=\"Script\" path=\"res://tower.gd\" id=\"1\"]\n\n"
			+ "[node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n"
			+ "[connection signal=\"fell\" from=\".\" to=\".\" method=\"on_none\" unbinds=1]\n"
			+ "[connection signal=\"fell\" from=\".\" to=\".\" method=\"on_one\"]\n")
	root.emit_signal("fell", root)
	_same("SIG005: with the right number it is", root.get("called"), 2)
	root.free()


func _default_value_stored() -> void:
	var root := _instance(HEAD + "[node name=\"A\" type=\"Button\"]\nfocus_mode = 2\nrotation = 0.0\ntext = \"a\"\n")
	var saved := _saved(root)
	_same("STY009: defaults are left out", saved.contains("focus_mode") or saved.contains("rotation"), false)
	_same("STY009: other values are not", saved.contains("text = \"a\""), true)
	root.free()


func _renames() -> void:
	var root := _instance("[gd_scene format=2]\n\n[node name=\"A\" type=\"Spatial\"]\n")
	_same("MIG002: the newer class is taken", root.get_class(), "Node3D")
	root.free()
	var viewport: SubViewport = _instance(HEAD + "[node name=\"A\" type=\"Viewport\"]\nsize = Vector2i(64, 32)\n")
	_same("MIG002, TREE014: for the name of an abstract class too", viewport.size, Vector2i(64, 32))
	viewport.free()
	var light: PointLight2D = _instance(HEAD + "[node name=\"A\" type=\"Light2D\"]\ntexture_scale = 2.0\n")
	_same("MIG002, TREE014: with its properties", light.texture_scale, 2.0)
	light.free()
	var control: Control = _instance("[gd_scene format=2]\n\n[node name=\"A\" type=\"Control\"]\nmargin_left = 8.0\n")
	_same("MIG003: the value is dropped", control.offset_left, 0.0)
	control.free()
	var label: Label = _instance("[gd_scene format=2]\n\n[node name=\"A\" type=\"Label\"]\nalign = 1\nautowrap = true\n"
			+ "custom_colors/font_color = Color( 1, 0, 0, 1 )\n")
	_same("TREE015: some names of Godot 3 are taken", label.horizontal_alignment, HORIZONTAL_ALIGNMENT_CENTER)
	_same("TREE015: others are dropped in its files too", label.autowrap_mode, TextServer.AUTOWRAP_OFF)
	_same("TREE015: those of themes as well", label.has_theme_color_override("font_color"), false)
	label.free()
	_same("TREE015: there is no object of an abstract class",
			_load("font.tres", "[gd_resource type=\"Font\" format=2]\n\n[resource]\nsize = 20\n"), null)


func _not_convertible() -> void:
	var map: TileMap = _instance("[gd_scene format=2]\n\n[sub_resource type=\"TileSet\" id=1]\n0/name = \"a\"\n\n"
			+ "[node name=\"A\" type=\"TileMap\"]\ntile_set = SubResource( 1 )\ncell_size = Vector2( 32, 32 )\nformat = 1\n")
	_same("MIG006: tiles are 16 pixels high and wide", map.tile_set.tile_size, Vector2i(16, 16))
	_same("MIG006: a tile map has no such property", map.get("cell_size"), null)
	map.free()
	var font := _load("font.tres", "[gd_resource type=\"DynamicFont\" format=2]\n\n[resource]\nsize = 40\n")
	_same("MIG006: another class of font is made", font.get_class(), "FontFile")
	_same("MIG006: the size of a font is lost", font.get("size"), null)


func _track_members() -> void:
	var root := _instance(HEAD + "[ext_resource type=\"Script\" path=\"res://tower.gd\" id=\"1\"]\n\n"
			+ "[node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n"
			+ "[node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\ncallback_mode_method = 1\n")
	get_root().add_child(root)
	var animation := Animation.new()
	for path: String in [".:called", ".:caled", ".:position:x", ".:position:z", ".:scale:size", ".:skew:x", ".:modulate:g8"]:
		var track := animation.add_track(Animation.TYPE_VALUE)
		animation.track_set_path(track, path)
		animation.track_insert_key(track, 0.0, 7)
	var calls := animation.add_track(Animation.TYPE_METHOD)
	animation.track_set_path(calls, ".")
	animation.track_insert_key(calls, 0.0, {"method": "hide", "args": []})
	animation.track_insert_key(calls, 0.1, {"method": "show_", "args": []})
	var library := AnimationLibrary.new()
	library.add_animation("a", animation)
	var player: AnimationPlayer = root.get_node("P")
	player.add_animation_library("", library)
	player.play("a")
	player.advance(0.2)
	_same("FMT006: a variable of the script is set", root.get("called"), 7)
	_same("FMT006: one component is set, others are not there", root.get("position"), Vector2(7, 0))
	_same("FMT006: a component that is not there is not set", root.get("scale"), Vector2.ONE)
	_same("FMT006: a number has no component", root.get("skew"), 0.0)
	_same("FMT006: colors have other names too", roundi(root.get("modulate").g * 255.0), 7)
	_same("FMT006: a method is called, and one that is not there is not", root.get("visible"), false)
	root.free()


## Whatever a new object of any class would store is in the table of classes.
func _stored_properties_are_known(path: String) -> void:
	var known := _table(path)
	for name: String in ClassDB.get_class_list():
		var is_stored := ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource")
		# Editors of values, and classes that need a device.
		if not is_stored or not ClassDB.can_instantiate(name) or ClassDB.class_get_api_type(name) != ClassDB.API_CORE:
			continue
		if name.begins_with("OpenXR"):
			continue
		var object: Object = ClassDB.instantiate(name)
		for property: Dictionary in object.get_property_list():
			var usage: int = property["usage"]
			if usage & PROPERTY_USAGE_STORAGE and not _is_known(known, name, property["name"]):
				_same("the table has %s.%s" % [name, property["name"]], false, true)
		_checks += 1
		if object is Node:
			object.free()


## The table of classes contains every property that a new object of any class takes, among the names in `_set` of all classes and
## the names of Godot 3.
func _taken_properties_are_known(path: String) -> void:
	var known := _table(path)
	var names := _dynamic_names(path)
	Engine.print_error_messages = false
	for name: String in ClassDB.get_class_list():
		var is_stored := ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource")
		if not is_stored or not ClassDB.can_instantiate(name) or ClassDB.class_get_api_type(name) != ClassDB.API_CORE:
			continue
		if name.begins_with("OpenXR"):
			continue
		var unknown := names.filter(func(found: String) -> bool: return not _is_known(known, name, found))
		for taken: String in _taken(name, unknown):
			_same("the table does not know that %s takes %s" % [name, taken], true, false)
		_checks += 1
	Engine.print_error_messages = true


## The patterns of the table as names, and the names of properties that only Godot 3 has: most compatibility is for those.
func _dynamic_names(path: String) -> Array[String]:
	var names: Dictionary[String, bool] = {}
	for line: String in FileAccess.get_file_as_string(path).split("\n"):
		if line.begins_with("w") or line.begins_with("p01"):
			names[line.get_slice("\t", 1).replace("*", "0")] = true
	return names.keys()


## Which of the names a new object of the class takes. Some classes say yes to whatever they are asked and keep nothing.
func _taken(of_class: String, names: Array) -> Array[String]:
	var taken: Array[String] = []
	var object: Object = ClassDB.instantiate(of_class)
	if object is ShaderMaterial:
		object.shader = Shader.new()
	# Names with an index are those of items that are there.
	for property: Dictionary in object.get_property_list():
		if str(property["name"]).ends_with("_count"):
			object.set(property["name"], 1)
	var takes_anything := _accepts(object, "no_such_property", 1)
	for name: String in names:
		for value: Variant in [1, "a", []]:
			var before := _stored(object) if takes_anything else ""
			if _accepts(object, name, value) and (not takes_anything or _stored(object) != before):
				taken.append(name)
				break
	if object is Node:
		object.free()
	return taken


## Whether the engine says that there is such a property: otherwise this function ends where it sets it.
func _accepts(object: Object, name: String, value: Variant) -> bool:
	object[name] = value
	return true


func _stored(object: Object) -> String:
	var values: Dictionary[String, Variant] = {}
	for property: Dictionary in object.get_property_list():
		var usage: int = property["usage"]
		if usage & PROPERTY_USAGE_STORAGE:
			values[property["name"]] = object.get(property["name"])
	return str(values)


## By class the names and patterns of its properties, in the version that runs.
func _table(path: String) -> Dictionary[String, PackedStringArray]:
	var table: Dictionary[String, PackedStringArray] = {}
	var lines := FileAccess.get_file_as_string(path).split("\n")
	var engine := Engine.get_version_info()
	var versions := lines[0].get_slice(". ", 0).trim_prefix("# Classes of Godot ").split(" ")
	var bit := 1 << versions.find("%d.%d" % [engine["major"], engine["minor"]])
	var name := ""
	for line: String in lines:
		if line.begins_with("="):
			name = line.substr(1)
			table[name] = PackedStringArray()
		elif (line.begins_with("p") or line.begins_with("w")) and line.substr(1, 2).hex_to_int() & bit:
			table[name].append(line.get_slice("\t", 1))
	return table


func _is_known(table: Dictionary[String, PackedStringArray], of_class: String, property: String) -> bool:
	var name := of_class
	while not name.is_empty():
		for pattern: String in table.get(name, PackedStringArray()):
			if property.match(pattern):
				return true
		name = ClassDB.get_parent_class(name)
	return property == "script"


func _instance(text: String) -> Node:
	var scene: PackedScene = _load("scene_%d.tscn" % _checks, text)
	return scene.instantiate()


func _load(name: String, text: String) -> Resource:
	_write(name, text)
	return ResourceLoader.load("res://" + name, "", ResourceLoader.CACHE_MODE_IGNORE)


func _saved(root: Node) -> String:
	var scene := PackedScene.new()
	scene.pack(root)
	ResourceSaver.save(scene, "res://saved.tscn")
	return FileAccess.get_file_as_string("res://saved.tscn")


func _write(name: String, text: String) -> void:
	var file := FileAccess.open("res://" + name, FileAccess.WRITE)
	file.store_string(text)
	file.close()


func _same(what: String, found: Variant, expected: Variant) -> void:
	_checks += 1
	if found != expected:
		_failures += 1
		print("FAILED: %s: found %s, expected %s" % [what, found, expected])
