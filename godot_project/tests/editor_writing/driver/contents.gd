@tool
extends RefCounted
## Compares what the editor has in memory with what a file says.

const STORED := PROPERTY_USAGE_STORAGE


## How the open scene differs from its file; empty if it does not.
static func difference_of_scene(root: Node, path: String) -> String:
	var packed := ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE) as PackedScene
	if packed == null:
		return "%s cannot be loaded" % path
	var fresh := packed.instantiate(PackedScene.GEN_EDIT_STATE_MAIN)
	var difference := _of_nodes(root, fresh, ".")
	fresh.free()
	return difference


## How the resource that the editor holds differs from its file; empty if it does not, or if it is not held.
static func difference_of_resource(path: String) -> String:
	if not ResourceLoader.has_cached(path):
		return ""
	var fresh := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if fresh == null:
		return "%s cannot be loaded" % path
	return _of_objects(ResourceLoader.get_cached_ref(path), fresh, path)


static func _of_nodes(node: Node, fresh: Node, place: String) -> String:
	if node.name != fresh.name:
		return "%s is called %s, not %s" % [place, node.name, fresh.name]
	var difference := _of_objects(node, fresh, place)
	if not difference.is_empty():
		return difference
	if node.get_child_count() != fresh.get_child_count():
		return "%s has %d children, not %d" % [place, node.get_child_count(), fresh.get_child_count()]
	for index: int in node.get_child_count():
		var child := node.get_child(index)
		difference = _of_nodes(child, fresh.get_child(index), "%s/%s" % [place, child.name])
		if not difference.is_empty():
			return difference
	return ""


static func _of_objects(object: Object, fresh: Object, place: String) -> String:
	if object.get_class() != fresh.get_class() or object.get_script() != fresh.get_script():
		return "%s is of another class" % place
	var names: Dictionary[StringName, bool] = {}
	for each: Object in [object, fresh]:
		for property: Dictionary in each.get_property_list():
			if property["usage"] & STORED:
				names[property["name"]] = true
	for name: StringName in names:
		var difference := _of_values(object.get(name), fresh.get(name), "%s:%s" % [place, name])
		if not difference.is_empty():
			return difference
	return ""


static func _of_values(value: Variant, fresh: Variant, place: String) -> String:
	if value is Resource and fresh is Resource:
		var resource: Resource = value
		# What has a file of its own is compared with that one.
		if not resource.resource_path.is_empty() and not "::" in resource.resource_path:
			var other: Resource = fresh
			return "" if resource.resource_path == other.resource_path else "%s is another file" % place
		var inner: Resource = fresh
		return _of_objects(resource, inner, place)
	if typeof(value) != typeof(fresh) or value != fresh:
		return "%s is %s, not %s" % [place, value, fresh]
	return ""
