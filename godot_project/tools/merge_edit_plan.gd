extends RefCounted
## Edits of a scene by chance, made with the engine's own calls. No two edits that one object of this class plans are about the
## same thing, so that those of two sides go together; `conflict` plans two that do not.
##
## An edit names nodes by their number among those that the scene has before all edits.

const KINDS: PackedStringArray = [
	"rename", "move", "remove", "duplicate", "add", "set", "set", "resource", "inside", "connect", "group", "ungroup", "meta",
	"path", "key", "track", "cell", "cell",
]
## Two edits that do not go together, and whether `gdscene resolve` can take either.
const CONFLICTS: Dictionary[String, bool] = {
	"set": true, "meta": true, "inside": true, "cell": true, "remove": true, "rename": false, "move": false,
}
const SIGNALS: PackedStringArray = ["ready", "tree_entered", "tree_exiting"]

var _random := RandomNumberGenerator.new()
var _nodes: Array[Node]
## What an edit is about. That something is done to a node at all is about it, too.
var _claimed: Dictionary[String, bool] = {}
var _moved: Array[Node] = []
var _goals: Array[Node] = []
var _count := 0


func _init(root: Node, random_seed: int) -> void:
	_nodes = own_nodes(root)
	_random.seed = random_seed


## The nodes that the scene itself has, parents first.
static func own_nodes(root: Node) -> Array[Node]:
	var found: Array[Node] = [root]
	for node in root.find_children("*", "", true, false):
		if node.owner == root:
			found.append(node)
	return found


func edits(count: int) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for _attempt in count * 20:
		if found.size() == count:
			break
		var edit := _edit(KINDS[_random.randi_range(0, KINDS.size() - 1)])
		if not edit.is_empty():
			found.append(edit)
	return found


## What each of two sides does, in this order.
func conflict(kind: String) -> Array[Dictionary]:
	for _attempt in 1000:
		var one := _edit(kind)
		if one.is_empty() or (kind == "remove" and one["node"] == 0):
			continue
		var other := one.duplicate()
		_count += 1
		match kind:
			"set", "meta", "inside":
				other["value"] = _changed(one["value"])
				# Two sides cannot give a boolean different new values.
				if other["value"] == null or other["value"] == one["value"]:
					continue
			"cell":
				other["tile"] = Vector2i((int(one["tile"].x) + 1) % 4, 0)
			"rename":
				other["name"] = "Other%d" % _count
			"move":
				other["goal"] = 0 if one["goal"] != 0 else 1
				if _nodes[one["node"]].get_parent() == _nodes[other["goal"]] or other["goal"] == one["node"]:
					continue
				if _nodes[one["node"]].is_ancestor_of(_nodes[other["goal"]]):
					continue
			"remove":
				other = {"kind": "set", "node": one["node"], "property": "process_priority", "value": 900 + _count}
		# Who gives what is there already changes nothing.
		if not _is_there(other):
			return [one, other]
	return []


## Whether the scene has already what the edit gives it.
func _is_there(edit: Dictionary) -> bool:
	var node := _nodes[edit["node"]]
	match edit["kind"]:
		"set":
			return node.get(edit["property"]) == edit["value"]
		"inside":
			var inner: Resource = node.get(edit["property"])
			return inner.get(edit["inner"]) == edit["value"]
		"cell":
			var layer: TileMapLayer = node
			return layer.get_cell_atlas_coords(edit["cell"]) == edit["tile"]
	return false


## Does all that people did, one after the other, to the nodes of a scene. Paths follow nodes, as they do in the editor.
static func apply(scene: Node, nodes: Array[Node], plans: Array[Array]) -> void:
	var goals: Dictionary[String, Node] = {}
	for player: AnimationPlayer in scene.find_children("*", "AnimationPlayer", true, false):
		for place in _tracks(player):
			var path: NodePath = place[2]
			var from := player.get_node(player.root_node)
			goals["%s" % [place]] = from.get_node_or_null(NodePath(path.get_concatenated_names()))
	for plan: Array[Dictionary] in plans:
		for edit in plan:
			if edit["kind"] != "path":
				_apply(scene, nodes, edit)
	for plan: Array[Dictionary] in plans:
		for edit in plan:
			if edit["kind"] == "path":
				_apply(scene, nodes, edit)
	for player: AnimationPlayer in scene.find_children("*", "AnimationPlayer", true, false):
		_follow(player, goals)


## Animation, track and path of each.
static func _tracks(player: AnimationPlayer) -> Array[Array]:
	var found: Array[Array] = []
	for name in player.get_animation_list():
		var animation := player.get_animation(name)
		for track in animation.get_track_count():
			found.append([name, track, animation.track_get_path(track)])
	return found


static func _follow(player: AnimationPlayer, goals: Dictionary[String, Node]) -> void:
	for place in _tracks(player):
		if not goals.has("%s" % [place]):
			continue
		var goal: Variant = goals["%s" % [place]]
		if is_instance_valid(goal):
			var node: Node = goal
			var path: NodePath = place[2]
			var now := "%s:%s" % [player.get_node(player.root_node).get_path_to(node), path.get_concatenated_subnames()]
			player.get_animation(place[0]).track_set_path(place[1], NodePath(now))


static func _apply(scene: Node, nodes: Array[Node], edit: Dictionary) -> void:
	var number: int = edit["node"]
	var node := nodes[number]
	var other: Node = nodes[edit.get("goal", 0)]
	match edit["kind"]:
		"rename":
			node.name = edit["name"]
		"move":
			_move(scene, node, other)
		"remove":
			node.get_parent().remove_child(node)
			node.free()
		"duplicate":
			var copy := node.duplicate()
			copy.name = edit["name"]
			node.get_parent().add_child(copy)
			_own(scene, copy)
		"add":
			var added: Node = ClassDB.instantiate(edit["class"])
			added.name = edit["name"]
			added.process_priority = edit["value"]
			node.add_child(added)
			added.owner = scene
		"set":
			node.set(edit["property"], edit["value"])
		"resource":
			var resource: Resource = ClassDB.instantiate(edit["class"])
			resource.resource_name = edit["name"]
			node.set(edit["property"], resource)
		"inside":
			var inner: Resource = node.get(edit["property"])
			inner.set(edit["inner"], edit["value"])
		"connect":
			var _error := node.connect(edit["signal"], Callable(other, "queue_free"), CONNECT_PERSIST)
		"group":
			node.add_to_group(edit["name"], true)
		"ungroup":
			node.remove_from_group(edit["name"])
		"meta":
			node.set_meta(edit["name"], edit["value"])
		"path":
			node.set_meta(edit["name"], node.get_path_to(other))
		"key", "track":
			_animate(node as AnimationPlayer, edit)
		"cell":
			var layer: TileMapLayer = node
			layer.set_cell(edit["cell"], 0, edit["tile"])


static func _own(scene: Node, node: Node) -> void:
	node.unique_name_in_owner = false
	node.owner = scene
	for child in node.get_children():
		_own(scene, child)


static func _move(scene: Node, node: Node, goal: Node) -> void:
	var owned := own_nodes(scene).filter(func(each: Node) -> bool: return each == node or node.is_ancestor_of(each))
	for each: Node in owned:
		each.owner = null
	node.get_parent().remove_child(node)
	goal.add_child(node)
	for each: Node in owned:
		each.owner = scene


static func _animate(player: AnimationPlayer, edit: Dictionary) -> void:
	var animation := player.get_animation(edit["animation"])
	var track: int = edit["track"]
	if edit["kind"] == "track":
		track = animation.add_track(Animation.TYPE_VALUE)
		animation.track_set_path(track, NodePath("%s:process_priority" % edit["name"]))
	var _key := animation.track_insert_key(track, edit["time"], edit["value"])


func _edit(kind: String) -> Dictionary:
	_count += 1
	var number := _random.randi_range(0, _nodes.size() - 1)
	var goal := _random.randi_range(0, _nodes.size() - 1)
	match kind:
		"key", "track":
			number = _number_of("AnimationPlayer")
		"cell":
			number = _number_of("TileMapLayer")
	if number < 0:
		return {}
	var edit := {"kind": kind, "node": number, "name": "%s%d" % [kind.capitalize(), _count], "value": _count}
	if kind in ["remove", "duplicate"]:
		return edit if _claim_all(number) else {}
	if _is_claimed(number, "all"):
		return {}
	var node := _nodes[number]
	match kind:
		"rename":
			return edit if _claim(number, "name") else {}
		"move":
			edit["goal"] = goal
			return edit if _claim_move(number, goal) else {}
		"add":
			edit["class"] = ["Node", "Node2D", "Timer", "Label"][_count % 4]
			return edit if _claim(number, "child %d" % _count) else {}
		"set":
			return _property(edit, node)
		"resource":
			var is_item := node is CanvasItem
			edit["property"] = "material"
			edit["class"] = "CanvasItemMaterial"
			return edit if is_item and _claim(number, "material") else {}
		"inside":
			return _inside(edit, node)
		"connect", "path":
			edit["goal"] = goal
			edit["signal"] = SIGNALS[_count % SIGNALS.size()]
			var what := "%s %s %d" % [kind, edit["signal"], goal]
			if _is_claimed(goal, "all") or node.is_connected(edit["signal"], Callable(_nodes[goal], "queue_free")):
				return {}
			return edit if _claim(number, what) and _claim(goal, "any") else {}
		"ungroup":
			edit["name"] = "every_third"
			return edit if node.is_in_group("every_third") and _claim(number, "group") else {}
		"key", "track":
			edit["animation"] = ["walk", "run"][_count % 2]
			edit["track"] = _random.randi_range(0, 3)
			edit["time"] = _count * 0.25
			var what := "%s %s %d" % [edit["animation"], kind, edit["track"] if kind == "key" else _count]
			return edit if _claim(number, what) else {}
		"cell":
			edit["cell"] = Vector2i(_random.randi_range(-4, 12), _random.randi_range(-4, 12))
			edit["tile"] = Vector2i(_random.randi_range(0, 3), 0)
			var layer: TileMapLayer = node
			var is_new: bool = layer.get_cell_atlas_coords(edit["cell"]) != edit["tile"]
			return edit if is_new and _claim(number, "cell %s" % edit["cell"]) else {}
		_:
			return edit if _claim(number, "%s %d" % [kind, _count]) else {}


## Properties whose values nothing else sets.
func _property(edit: Dictionary, node: Node) -> Dictionary:
	var known: Array[Array] = [["process_priority", 100 + _count], ["editor_description", "Text\nof \"%d\"" % _count]]
	if node is CanvasItem:
		known.append_array([["modulate", Color(0.5, 1.0 / _count, 0)], ["z_index", 1 + _count % 1000], ["visible", false]])
	if node is Node2D:
		known.append_array([["position", Vector2(_count, 1)], ["scale", Vector2(_count, 1)]])
	if node is Node3D:
		known.append_array([["position", Vector3(_count, 1, 2)], ["visible", false]])
	if node is Control:
		known.append_array([["tooltip_text", "Tip %d" % _count], ["custom_minimum_size", Vector2(_count, 1)]])
	if node is Label:
		known.append(["text", "Label\n%d" % _count])
	var chosen := known[_random.randi_range(0, known.size() - 1)]
	edit["property"] = chosen[0]
	edit["value"] = chosen[1]
	# A control that is moved gets a `layout_mode`. Loaded in front of the minimum size, it gives another size, and a merge does
	# not know the order of a class's properties.
	if chosen[0] == "custom_minimum_size" and not _claim(edit["node"], "parent"):
		return {}
	return edit if node.get(chosen[0]) != chosen[1] and _claim(edit["node"], str(chosen[0])) else {}


## A property of a resource that the scene holds.
func _inside(edit: Dictionary, node: Node) -> Dictionary:
	var known := {"texture": ["width", 1 + _count], "shape": ["size", Vector2(_count, 3)],
			"theme_override_styles/panel": ["bg_color", Color(1.0 / _count, 0, 0.25)], "mesh": ["resource_name", "Mesh %d" % _count]}
	for property: String in known:
		var change: Array = known[property]
		if not node.get(property) is Resource:
			continue
		var resource: Resource = node.get(property)
		if change[0] in resource and resource.resource_path.contains("::"):
			edit["property"] = property
			edit["inner"] = change[0]
			edit["value"] = change[1]
			var what := "%s %s" % [resource.get_instance_id(), change[0]]
			if not _claimed.has(what) and _claim(edit["node"], property):
				_claimed[what] = true
				return edit
	return {}


func _changed(value: Variant) -> Variant:
	match typeof(value):
		TYPE_INT:
			var whole: int = value
			return whole + 1
		TYPE_VECTOR2:
			var vector: Vector2 = value
			return vector + Vector2(0, 5)
		TYPE_VECTOR3:
			var vector: Vector3 = value
			return vector + Vector3(0, 5, 0)
		TYPE_COLOR:
			var color: Color = value
			return Color(color.r, color.g, 0.75)
		TYPE_STRING:
			return "%s of the other" % value
	return null


func _number_of(type: String) -> int:
	return _nodes.find_custom(func(node: Node) -> bool: return node.is_class(type))


func _is_claimed(number: int, what: String) -> bool:
	return _claimed.has("%d %s" % [number, what])


func _claim(number: int, what: String) -> bool:
	if _is_claimed(number, "all") or (what != "any" and _is_claimed(number, what)):
		return false
	_claimed["%d any" % number] = true
	_claimed["%d %s" % [number, what]] = true
	return true


## A node with all below it, of which nothing is claimed yet.
func _claim_all(number: int) -> bool:
	var node := _nodes[number]
	if number == 0 or not node.scene_file_path.is_empty():
		return false
	var below: Array[int] = []
	for other in _nodes.size():
		if _nodes[other] == node or node.is_ancestor_of(_nodes[other]):
			below.append(other)
	var is_free := below.all(func(each: int) -> bool: return not _is_claimed(each, "any") and not _is_claimed(each, "all"))
	if not is_free or not _claim(_nodes.find(node.get_parent()), "child of %d" % number):
		return false
	# Connections and paths lead to it.
	for each in below:
		_claimed["%d any" % each] = true
		_claimed["%d all" % each] = true
	return true


func _claim_move(number: int, goal: int) -> bool:
	var node := _nodes[number]
	var to := _nodes[goal]
	# Its tracks would have other paths, all of them.
	if number == 0 or node is AnimationPlayer or to == node or to == node.get_parent() or node.is_ancestor_of(to) or _is_claimed(goal, "all"):
		return false
	if not to.scene_file_path.is_empty() or to.has_node(NodePath(node.name)):
		return false
	var is_above := func(each: Node) -> bool: return each == to or each.is_ancestor_of(to)
	var is_below := func(each: Node) -> bool: return each == node or node.is_ancestor_of(each)
	if _moved.any(is_above) or _goals.any(is_below) or not _claim(number, "parent"):
		return false
	_moved.append(node)
	_goals.append(to)
	# What lies above a goal stays.
	var above := to
	while above != null:
		var _is_new := _claim(_nodes.find(above), "any")
		above = above.get_parent()
	return true
