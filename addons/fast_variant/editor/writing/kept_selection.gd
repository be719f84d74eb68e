@tool
extends RefCounted
## The selection and the inspected objects, released while their files are read again. Otherwise the editor hands nodes that are
## gone to plugins, and crashes (Godot 4.4 to 4.6).

var _scene := ""
var _nodes: Array[NodePath] = []
var _inspected_node := NodePath()
var _inspected_resource := ""
## So that it is not freed meanwhile; resources that are built into a scene must be rebuilt with it.
var _held: Resource


## Whether the inspector shows the resource of this file, or one that is built into it.
static func is_inspected(path: String) -> bool:
	var inspected := EditorInterface.get_inspector().get_edited_object()
	return inspected is Resource and (inspected as Resource).resource_path.get_slice("::", 0) == path


## Lets everything go.
func release() -> void:
	var root := EditorInterface.get_edited_scene_root()
	if root != null:
		_scene = root.scene_file_path
		for node: Node in EditorInterface.get_selection().get_selected_nodes():
			if node == root or root.is_ancestor_of(node):
				_nodes.append(root.get_path_to(node))
	var inspected := EditorInterface.get_inspector().get_edited_object()
	if inspected is Node and root != null and (inspected == root or root.is_ancestor_of(inspected as Node)):
		_inspected_node = root.get_path_to(inspected as Node)
	EditorInterface.get_selection().clear()
	release_inspected()


## Releases the objects that are only inspected.
func release_inspected() -> void:
	var inspected := EditorInterface.get_inspector().get_edited_object()
	if inspected is Resource:
		var resource: Resource = inspected
		_inspected_resource = resource.resource_path
		_held = null if resource.is_built_in() else resource
	if inspected != null:
		EditorInterface.inspect_object(null)


## Selects the remaining objects again, and inspects one if it is a node. Then, a frame later, `inspect_again`: the Scene dock shows
## a node that was selected.
func restore() -> void:
	var root := EditorInterface.get_edited_scene_root()
	if root != null and root.scene_file_path == _scene:
		EditorInterface.get_selection().clear()
		for path: NodePath in _nodes:
			var node := root.get_node_or_null(path)
			if node != null:
				EditorInterface.get_selection().add_node(node)
		if not _inspected_node.is_empty() and root.has_node(_inspected_node):
			EditorInterface.inspect_object(root.get_node(_inspected_node))


## Inspects a resource again.
func inspect_again() -> void:
	if not _inspected_resource.is_empty() and ResourceLoader.has_cached(_inspected_resource):
		EditorInterface.inspect_object(ResourceLoader.get_cached_ref(_inspected_resource))
