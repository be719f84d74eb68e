@tool
extends RefCounted
## Sets a value from the file that Godot dropped on the node or resource in the editor: under the intended name, as one step of the
## editor's undo.
##
## [codeblock]
## var refusal := LiveValues.move_value(undo_redo, path, text, Native.property_at(text, line, column), "collision_mask")
## [/codeblock]

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Loss := preload("loss.gd")
const _Native := preload("../shared/native.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Words := preload("../shared/words.gd")

const _NUMBERS: PackedInt32Array = [TYPE_BOOL, TYPE_INT, TYPE_FLOAT]
const _TEXTS: PackedInt32Array = [TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH]
## Types that Godot converts into each other without changing their meaning.
const _KINDS: Array[PackedInt32Array] = [
	_NUMBERS, _TEXTS, [TYPE_VECTOR2, TYPE_VECTOR2I], [TYPE_VECTOR3, TYPE_VECTOR3I], [TYPE_VECTOR4, TYPE_VECTOR4I],
	[TYPE_RECT2, TYPE_RECT2I],
	[
		TYPE_ARRAY, TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY, TYPE_PACKED_FLOAT32_ARRAY,
		TYPE_PACKED_FLOAT64_ARRAY, TYPE_PACKED_STRING_ARRAY, TYPE_PACKED_VECTOR2_ARRAY, TYPE_PACKED_VECTOR3_ARRAY,
		TYPE_PACKED_COLOR_ARRAY, TYPE_PACKED_VECTOR4_ARRAY
	],
]
## The mark of a value that could not be read.
const _NOTHING: Array = []


## Sets the property `to` of the object that `loss`, a property in `text` (the bytes of the file `path`, now or earlier),
## belongs to. The scene must be at the front. Returns why it was not done, in words, or "".
static func move_value(
	undo_redo: EditorUndoRedoManager, path: String, text: PackedByteArray, loss: _Loss, to: String
) -> String:
	var object := object_of(path, loss)
	var refusal := _refusal(object, path, loss)
	if not refusal.is_empty():
		return refusal
	var read := _read(text, loss)
	if read.is_empty():
		return "the value cannot be read: %s" % loss.value.left(200)
	var fitted := _fitted(object, to, read[0])
	if fitted.is_empty():
		return _misfit(object, to, read[0])
	return _put(undo_redo, object, to, fitted[0])


## Does so for a misspelt property that is still in the file, with the name that was probably meant.
static func move_misspelt(undo_redo: EditorUndoRedoManager, diagnostic: _Diagnostic) -> String:
	var text := _SceneFiles.read(diagnostic.path)
	var loss := _Native.property_at(text, diagnostic.line, diagnostic.column)
	if loss == null:
		return "line %d of %s has no property any more" % [diagnostic.line, diagnostic.path]
	var object := object_of(diagnostic.path, loss)
	var refusal := _refusal(object, diagnostic.path, loss)
	if not refusal.is_empty():
		return refusal
	var near := near_name(object, loss)
	if near.is_empty():
		return "%s has no property with a name near %s that takes the value" % [called(object), loss.name]
	return move_value(undo_redo, diagnostic.path, text, loss, near)


## The node or resource that a property in the file `path` belongs to, as the editor holds it; null if it does not.
static func object_of(path: String, loss: _Loss) -> Object:
	if not loss.sub_resource.is_empty():
		return ResourceLoader.get_cached_ref("%s::%s" % [path, loss.sub_resource])
	if not loss.resource_class.is_empty():
		return ResourceLoader.get_cached_ref(path)
	var root := _SceneFiles.root_of(path)
	return root.get_node_or_null(loss.node_path) if root != null and not loss.node_path.is_empty() else null


## The property of the object that was probably meant, if it takes the value; "" if there is no such property.
static func near_name(object: Object, loss: _Loss) -> String:
	var names := PackedStringArray()
	for property: Dictionary in object.get_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE and not str(property["name"]).contains("/"):
			names.append(property["name"])
	var near := _Native.nearest(loss.name, names)
	if near.is_empty() or near == loss.name:
		return ""
	# References are resolved when they are moved; no number is one.
	var refers := loss.value.contains("Resource(")
	var expected: int = _property(object, near)["type"]
	if refers:
		return near if expected in [TYPE_NIL, TYPE_OBJECT, TYPE_ARRAY, TYPE_DICTIONARY] else ""
	return near if not _fitted(object, near, str_to_var(loss.value)).is_empty() else ""


## The user's name for the class of an object: `RangedAction (ranged_action.gd)`, or Godot's class.
static func called(object: Object) -> String:
	var script: Script = object.get_script()
	if script == null:
		return object.get_class()
	var name := script.get_global_name()
	var title := str(name) if not name.is_empty() else object.get_class()
	return "%s (%s)" % [title, "its script" if script.is_built_in() else script.resource_path.get_file()]


static func _refusal(object: Object, path: String, loss: _Loss) -> String:
	if object == null:
		var part := loss.sub_resource if not loss.sub_resource.is_empty() else loss.node_path
		return "%s is not open in the editor, or has no %s any more" % [path.get_file(), part if not part.is_empty() else "resource"]
	# The step would go into another scene's history.
	if object is Node and _SceneFiles.root_of(path) != EditorInterface.get_edited_scene_root():
		return "%s is not the scene at the front; open it first" % path.get_file()
	for file: String in loss.files:
		if not ResourceLoader.exists(file):
			return "its value needs %s, which is missing or cannot be loaded" % file
	return ""


static func _put(undo_redo: EditorUndoRedoManager, object: Object, to: String, value: Variant) -> String:
	var before: Variant = object.get(to)
	undo_redo.create_action("Move Value to %s" % to, UndoRedo.MERGE_DISABLE, object)
	undo_redo.add_do_property(object, to, value)
	undo_redo.add_undo_property(object, to, before)
	undo_redo.commit_action()
	if is_same(object.get(to), before) and not is_same(before, value) and before != value:
		undo_redo.get_history_undo_redo(undo_redo.get_object_history_id(object)).undo()
		return "%s did not take the value for %s" % [called(object), to]
	return ""


## The value by itself in a list, or an empty list if it cannot be read.
static func _read(text: PackedByteArray, loss: _Loss) -> Array:
	var resource := _Native.value_resource(text, loss.line, loss.column)
	if not resource.is_empty():
		return load_value(resource)
	var value: Variant = str_to_var(loss.value)
	return _NOTHING if value == null and loss.value.strip_edges() != "null" else [value]


## Godot's own reader resolves the references of the value, in a separate file.
static func load_value(resource: PackedByteArray) -> Array:
	var file := FileAccess.create_temp(FileAccess.WRITE, "fast_variant_value", "tres", true)
	if file == null:
		return _NOTHING
	# While it is written, it may have another one.
	var path := file.get_path()
	file.store_buffer(resource)
	file.close()
	var holder := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(path)
	if holder == null or not holder.has_meta(&"value"):
		return _NOTHING
	var value: Variant = holder.get_meta(&"value")
	_forget_path(value, path)
	return [value]


## Resources inside are to belong to the file in which they are saved.
static func _forget_path(value: Variant, path: String) -> void:
	if value is Array:
		for part: Variant in value:
			_forget_path(part, path)
	elif value is Dictionary:
		var dictionary: Dictionary = value
		for part: Variant in dictionary.keys() + dictionary.values():
			_forget_path(part, path)
	elif value is Resource:
		var resource: Resource = value
		if not resource.resource_path.begins_with(path):
			return
		resource.set_path_cache("")
		for property: Dictionary in resource.get_property_list():
			if property["usage"] & PROPERTY_USAGE_STORAGE:
				_forget_path(resource.get(property["name"]), path)


## The value as the property takes it, by itself in a list; an empty list if it does not take it.
static func _fitted(object: Object, to: String, value: Variant) -> Array:
	var property := _property(object, to)
	if property.is_empty():
		return _NOTHING
	var expected: int = property["type"]
	if expected == TYPE_OBJECT:
		return _fitted_object(object, property, value)
	if expected == TYPE_NIL or expected == typeof(value):
		return [value]
	for kind: PackedInt32Array in _KINDS:
		if expected in kind and typeof(value) in kind:
			return [type_convert(value, expected)]
	return _NOTHING


static func _fitted_object(object: Object, property: Dictionary, value: Variant) -> Array:
	# Exported nodes are saved as paths.
	if value is NodePath and object is Node:
		var path: NodePath = value
		var node := (object as Node).get_node_or_null(path)
		return [node] if node != null else _NOTHING
	if value == null:
		return [value]
	if not value is Resource or property["hint"] != PROPERTY_HINT_RESOURCE_TYPE:
		return [value] if value is Object else _NOTHING
	var resource: Resource = value
	for wanted: String in str(property["hint_string"]).split(",", false):
		if resource.is_class(wanted) or _has_script_class(resource, wanted):
			return [resource]
	return _NOTHING


static func _has_script_class(resource: Resource, wanted: String) -> bool:
	var script: Script = resource.get_script()
	while script != null:
		if script.get_global_name() == wanted:
			return true
		script = script.get_base_script()
	return false


static func _misfit(object: Object, to: String, value: Variant) -> String:
	var property := _property(object, to)
	if property.is_empty():
		return "%s has no property %s" % [called(object), to]
	var wanted := str(property["class_name"]) if property["type"] == TYPE_OBJECT else type_string(property["type"])
	var given := type_string(typeof(value))
	if value is Object:
		var held: Object = value
		given = held.get_class()
	return "%s takes %s; the value is of type %s" % [to, wanted if not wanted.is_empty() else "an object", given]


## Empty if the property does not exist.
static func _property(object: Object, name: String) -> Dictionary:
	for property: Dictionary in object.get_property_list():
		if property["name"] == name:
			return property
	return {}
