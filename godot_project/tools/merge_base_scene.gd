extends RefCounted
## Scenes that have something of all that a merge looks inside of, for the tests of merges.


## What the other scenes have instances of.
static func part() -> Node:
	var root := Node2D.new()
	root.name = "Part"
	for number in 3:
		_added(root, root, Sprite2D.new(), "Sprite%d" % number)
	return root


## `size` nodes below one root, with the resources, animations and tiles that both sides edit.
static func scene(size: int, instanced: PackedScene) -> Node:
	var root := Node2D.new()
	root.name = "World"
	var random := RandomNumberGenerator.new()
	random.seed = size
	var parents: Array[Node] = [root]
	for number in size:
		var parent := parents[random.randi_range(0, parents.size() - 1)]
		parents.append(_added(root, parent, _node(number), "Node%d" % number))
	for number in 3:
		var instance := instanced.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
		_added(root, root, instance, "Part%d" % number)
	_add_player(root, parents)
	_add_tiles(root)
	for number in range(0, size, 3):
		var node := parents[number + 1]
		node.add_to_group("all", true)
		node.add_to_group("every_third", true)
		var target := parents[(number * 7) % size]
		var _error := node.connect("tree_exiting", Callable(target, "queue_free"), CONNECT_PERSIST)
	return root


static func _node(number: int) -> Node:
	match number % 6:
		0:
			return Node2D.new()
		1:
			var sprite := Sprite2D.new()
			var texture := GradientTexture2D.new()
			texture.gradient = Gradient.new()
			sprite.texture = texture
			return sprite
		2:
			var shape := CollisionShape2D.new()
			shape.shape = RectangleShape2D.new()
			return shape
		3:
			var panel := Panel.new()
			panel.add_theme_stylebox_override("panel", StyleBoxFlat.new())
			return panel
		4:
			return Timer.new()
		_:
			var label := Label.new()
			label.text = "Several\nlines %d" % number
			return label


static func _added(root: Node, parent: Node, node: Node, name: String) -> Node:
	node.name = name
	parent.add_child(node)
	node.owner = root
	return node


static func _add_player(root: Node, nodes: Array[Node]) -> void:
	var player := AnimationPlayer.new()
	var library := AnimationLibrary.new()
	for name: String in ["walk", "run"]:
		var animation := Animation.new()
		for number in 4:
			var track := animation.add_track(Animation.TYPE_VALUE)
			animation.track_set_path(track, NodePath("%s:process_priority" % root.get_path_to(nodes[number + 1])))
			var _key := animation.track_insert_key(track, 0.0, number)
		var _error := library.add_animation(name, animation)
	var _added_library := player.add_animation_library("", library)
	var _node_added := _added(root, root, player, "Player")


static func _add_tiles(root: Node) -> void:
	var image := PlaceholderTexture2D.new()
	image.size = Vector2(64, 64)
	var source := TileSetAtlasSource.new()
	source.texture = image
	for number in 4:
		source.create_tile(Vector2i(number, 0))
	var tiles := TileSet.new()
	var _id := tiles.add_source(source, 0)
	var layer := TileMapLayer.new()
	layer.tile_set = tiles
	for x in 8:
		for y in 8:
			layer.set_cell(Vector2i(x, y), 0, Vector2i((x + y) % 4, 0))
	var _node_added := _added(root, root, layer, "Tiles")
