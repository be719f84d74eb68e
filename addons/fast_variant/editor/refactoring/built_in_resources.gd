@tool
extends RefCounted
## The resources that are built into a scene's file, and belong to one of its nodes.

const _SceneFiles := preload("../shared/scene_files.gd")

## More would make a menu that is of no use.
const _MAX_COUNT := 40
## So deep resources in resources are looked for.
const _MAX_DEPTH := 4
const _EXTENSIONS: Dictionary[String, String] = {
	"GDScript": "gd", "Shader": "gdshader", "ShaderInclude": "gdshaderinc"
}


## Those of a node, by words for the place where the node has them: `shape: RectangleShape2D`.
static func of(node: Node) -> Dictionary[String, Resource]:
	var found: Dictionary[String, Resource] = {}
	_add_stored(node, "", 0, found)
	return found


## The file that it is built into, as it was saved or loaded last; empty if that is not a text that can be rewritten.
static func file_of(resource: Resource) -> String:
	var path := resource.resource_path.get_slice("::", 0)
	return path if "::" in resource.resource_path and _SceneFiles.is_text(path) else ""


## The file's name for it.
static func id_of(resource: Resource) -> String:
	return resource.resource_path.get_slice("::", 1)


## A free path next to the file of the scene. `place` is one of the words of `of`.
static func file_to_propose(node: Node, resource: Resource, place: String) -> String:
	var name := resource.resource_name.validate_filename()
	if name.is_empty():
		var property := place.get_slice(":", 0).replace(" > ", "_").replace("/", "_").replace("[", "_").replace("]", "")
		name = "%s_%s" % [node.name, property.rstrip("_")]
	var extension: String = _EXTENSIONS.get(resource.get_class(), "tres")
	var start := file_of(resource).get_base_dir().path_join(name.to_snake_case().validate_filename())
	var path := "%s.%s" % [start, extension]
	var number := 1
	while FileAccess.file_exists(path):
		number += 1
		path = "%s_%d.%s" % [start, number, extension]
	return path


static func _add_stored(object: Object, place: String, depth: int, found: Dictionary[String, Resource]) -> void:
	for property: Dictionary in object.get_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE:
			# The place of an animation player's library without a name is `libraries/`.
			_add(object.get(property["name"]), place + str(property["name"]).trim_suffix("/"), depth, found)


static func _add(value: Variant, place: String, depth: int, found: Dictionary[String, Resource]) -> void:
	if depth > _MAX_DEPTH or found.size() >= _MAX_COUNT:
		return
	if value is Array:
		var array: Array = value
		# Numbers and texts can be many, and all have one type.
		if not array.is_typed() or array.get_typed_builtin() == TYPE_OBJECT:
			for index: int in mini(array.size(), _MAX_COUNT):
				_add(array[index], "%s[%d]" % [place, index], depth + 1, found)
	elif value is Dictionary:
		var dictionary: Dictionary = value
		for key: Variant in dictionary.keys().slice(0, _MAX_COUNT):
			_add(dictionary[key], "%s[%s]" % [place, key], depth + 1, found)
	elif value is Resource:
		var resource: Resource = value
		if not file_of(resource).is_empty() and resource not in found.values():
			found["%s: %s" % [place, resource.get_class()]] = resource
			_add_stored(resource, place + " > ", depth + 1, found)
