@tool
extends RefCounted
## Resources that the editor holds in memory, in addition to their files.

## Properties of the object, not of the file.
const _OWN: PackedStringArray = ["resource_path", "resource_scene_unique_id"]


static func is_held(path: String) -> bool:
	return _held(path) != null


## Whether the resource was edited since it was saved or read. The editor reports this from Godot 4.6 on.
static func is_touched(path: String) -> bool:
	var held := _held(path)
	var editor := Engine.get_singleton(&"EditorInterface")
	return held != null and editor.has_method(&"is_object_edited") and _is_touched(held, editor)


## Call this for a resource without unsaved changes: from now on, it counts as edited after the next edit.
static func forget_touches(path: String) -> void:
	var held := _held(path)
	var editor := Engine.get_singleton(&"EditorInterface")
	if held != null and editor.has_method(&"set_object_edited"):
		for inner: Resource in _with_built_in(held):
			editor.call(&"set_object_edited", inner, false)


## Whether the editor holds the resource with changes that are not in the file.
static func is_edited(path: String) -> bool:
	var held := _held(path)
	if held == null:
		return false
	var editor := Engine.get_singleton(&"EditorInterface")
	# Since Godot 4.6, the editor reports every touched resource, even if only a section was unfolded.
	if editor.has_method(&"is_object_edited") and not _is_touched(held, editor):
		return false
	var saved := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	return saved == null or not _have_same_properties(held, saved, {})


## Reads the file again into the object that the editor holds, and into those inside it. Returns why not, or nothing.
static func refresh(path: String) -> String:
	var held := _held(path)
	if held == null:
		return ""
	var saved := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if saved == null:
		return "Godot cannot load it any more"
	if saved.get_class() != held.get_class():
		saved.take_over_path(path)
		return ""
	ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_REPLACE)
	# Properties that the file no longer has are still those of before.
	_align(held, saved, {})
	held.notify_property_list_changed()
	held.emit_changed()
	forget_touches(path)
	return ""


## The object of a file other than a scene.
static func _held(path: String) -> Resource:
	if not FileAccess.file_exists(path) or not ResourceLoader.has_cached(path):
		return null
	var held := ResourceLoader.get_cached_ref(path)
	return held if not held is PackedScene else null


static func _is_touched(held: Resource, editor: Object) -> bool:
	return _with_built_in(held).any(func(inner: Resource) -> bool: return editor.call(&"is_object_edited", inner))


## A resource and its built-in resources.
static func _with_built_in(resource: Resource) -> Array[Resource]:
	var found: Array[Resource] = [resource]
	var index := 0
	while index < found.size():
		for property: String in _stored(found[index]):
			_add_built_in(found[index].get(property), found)
		index += 1
	return found


static func _add_built_in(value: Variant, found: Array[Resource]) -> void:
	if value is Array:
		for element: Variant in value:
			_add_built_in(element, found)
	elif value is Dictionary:
		var dictionary: Dictionary = value
		_add_built_in(dictionary.values(), found)
	elif value is Resource:
		var resource: Resource = value
		if resource.is_built_in() and resource not in found:
			found.append(resource)


static func _is_same(held: Variant, saved: Variant, seen: Dictionary) -> bool:
	if typeof(held) != typeof(saved):
		return false
	match typeof(held):
		TYPE_ARRAY:
			return _are_same_arrays(held, saved, seen)
		TYPE_DICTIONARY:
			return _are_same_dictionaries(held, saved, seen)
		TYPE_OBJECT:
			return held == saved or (held is Resource and saved is Resource and _are_same_resources(held, saved, seen))
	# A file may have fewer digits than memory.
	return held == saved or var_to_str(held) == var_to_str(saved)


static func _are_same_arrays(held: Array, saved: Array, seen: Dictionary) -> bool:
	if held.size() != saved.size():
		return false
	for index: int in held.size():
		if not _is_same(held[index], saved[index], seen):
			return false
	return true


static func _are_same_dictionaries(held: Dictionary, saved: Dictionary, seen: Dictionary) -> bool:
	if held.size() != saved.size():
		return false
	for key: Variant in held:
		if not saved.has(key) or not _is_same(held[key], saved[key], seen):
			return false
	return true


static func _are_same_resources(held: Resource, saved: Resource, seen: Dictionary) -> bool:
	if seen.get(held) == saved:
		return true
	if not held.is_built_in() or not saved.is_built_in():
		return held.resource_path == saved.resource_path
	return _have_same_properties(held, saved, seen)


static func _have_same_properties(held: Resource, saved: Resource, seen: Dictionary) -> bool:
	if held.get_class() != saved.get_class():
		return false
	seen[held] = saved
	for property: String in _stored(held, saved):
		if not _is_same(held.get(property), saved.get(property), seen):
			return false
	return true


## Gives `held` the contents of `saved`, and keeps the objects that are in both.
static func _align(held: Resource, saved: Resource, seen: Dictionary) -> void:
	if seen.has(held):
		return
	seen[held] = true
	for property: String in _stored(held, saved):
		var old: Variant = held.get(property)
		var new: Variant = saved.get(property)
		if not _align_inside(old, new, seen):
			held.set(property, new)


## Returns whether the contents could be aligned.
static func _align_inside(old: Variant, new: Variant, seen: Dictionary) -> bool:
	if old is Resource and new is Resource:
		var held: Resource = old
		var saved: Resource = new
		if held.is_built_in() and saved.is_built_in() and held.get_class() == saved.get_class():
			_align(held, saved, seen)
			return true
	elif old is Array and new is Array:
		var held_array: Array = old
		var saved_array: Array = new
		return held_array.size() == saved_array.size() and range(held_array.size()).all(func(index: int) -> bool:
			return _align_inside(held_array[index], saved_array[index], seen))
	elif old is Dictionary and new is Dictionary:
		var held_map: Dictionary = old
		var saved_map: Dictionary = new
		return held_map.keys() == saved_map.keys() and held_map.keys().all(func(key: Variant) -> bool:
			return _align_inside(held_map[key], saved_map[key], seen))
	return _is_same(old, new, {})


## The names of the saved properties of a resource, or of one of two.
static func _stored(one: Resource, other: Resource = null) -> PackedStringArray:
	var names: Dictionary[String, bool] = {}
	for resource: Resource in [one, other]:
		if resource == null:
			continue
		for property: Dictionary in resource.get_property_list():
			var usage: int = property["usage"]
			if usage & PROPERTY_USAGE_STORAGE:
				var name_of_property: String = property["name"]
				names[name_of_property] = true
	for own: String in _OWN:
		names.erase(own)
	return PackedStringArray(names.keys())
