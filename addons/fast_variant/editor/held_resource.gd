@tool
extends RefCounted
## Resources that the editor holds in memory, beside their files.

## What belongs to the object and not to the file.
const _OWN: PackedStringArray = ["resource_path", "resource_scene_unique_id"]


static func is_held(path: String) -> bool:
	return _held(path) != null


## Whether the editor holds the resource with changes that are not in the file.
static func is_edited(path: String) -> bool:
	var held := _held(path)
	if held == null:
		return false
	var editor := Engine.get_singleton(&"EditorInterface")
	# From Godot 4.6 on the editor tells what was touched, be it only that a section was unfolded.
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
	var editor := Engine.get_singleton(&"EditorInterface")
	if editor.has_method(&"set_object_edited"):
		for inner: Resource in _with_built_in(held):
			editor.call(&"set_object_edited", inner, false)
	return ""


## The object of a file that is no scene.
static func _held(path: String) -> Resource:
	if not FileAccess.file_exists(path) or not ResourceLoader.has_cached(path):
		return null
	var held := ResourceLoader.get_cached_ref(path)
	return held if not held is PackedScene else null


static func _is_touched(held: Resource, editor: Object) -> bool:
	return _with_built_in(held).any(func(inner: Resource) -> bool: return editor.call(&"is_object_edited", inner))


## A resource and those that are built into it.
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
		for element: Variant in value as Array:
			_add_built_in(element, found)
	elif value is Dictionary:
		_add_built_in((value as Dictionary).values(), found)
	elif value is Resource and (value as Resource).is_built_in() and value not in found:
		found.append(value)


static func _is_same(held: Variant, saved: Variant, seen: Dictionary) -> bool:
	if typeof(held) != typeof(saved):
		return false
	if held is Resource and saved is Resource:
		return _are_same_resources(held as Resource, saved as Resource, seen)
	if held is Array:
		return _are_same_arrays(held as Array, saved as Array, seen)
	if held is Dictionary:
		var one: Dictionary = held
		var other: Dictionary = saved
		# Keys that are objects are found only if they are resources of files.
		return one.size() == other.size() and one.keys().all(func(key: Variant) -> bool:
			return other.has(key) and _is_same(one[key], other[key], seen))
	# A file has fewer digits than memory.
	return held == saved or (not held is Object and var_to_str(held) == var_to_str(saved))


static func _are_same_arrays(held: Array, saved: Array, seen: Dictionary) -> bool:
	if held.size() != saved.size():
		return false
	for index: int in held.size():
		if not _is_same(held[index], saved[index], seen):
			return false
	return true


static func _are_same_resources(held: Resource, saved: Resource, seen: Dictionary) -> bool:
	if held == saved or seen.get(held) == saved:
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


## Gives `held` what `saved` has, and keeps the objects that are in both.
static func _align(held: Resource, saved: Resource, seen: Dictionary) -> void:
	if seen.has(held):
		return
	seen[held] = true
	for property: String in _stored(held, saved):
		var old: Variant = held.get(property)
		var new: Variant = saved.get(property)
		if not _align_inside(old, new, seen):
			held.set(property, new)


## Returns whether what is inside could be aligned.
static func _align_inside(old: Variant, new: Variant, seen: Dictionary) -> bool:
	if old is Resource and new is Resource:
		var held: Resource = old
		var saved: Resource = new
		if held.is_built_in() and saved.is_built_in() and held.get_class() == saved.get_class():
			_align(held, saved, seen)
			return true
	elif old is Array and new is Array and (old as Array).size() == (new as Array).size():
		return range((old as Array).size()).all(func(index: int) -> bool:
			return _align_inside((old as Array)[index], (new as Array)[index], seen))
	elif old is Dictionary and new is Dictionary and (old as Dictionary).keys() == (new as Dictionary).keys():
		return (old as Dictionary).keys().all(func(key: Variant) -> bool:
			return _align_inside((old as Dictionary)[key], (new as Dictionary)[key], seen))
	return _is_same(old, new, {})


## The names of what is saved of a resource, or of one of two.
static func _stored(one: Resource, other: Resource = null) -> PackedStringArray:
	var names: Dictionary[String, bool] = {}
	for resource: Resource in [one, other]:
		if resource == null:
			continue
		for property: Dictionary in resource.get_property_list():
			var usage: int = property["usage"]
			if usage & PROPERTY_USAGE_STORAGE:
				names[property["name"] as String] = true
	for own: String in _OWN:
		names.erase(own)
	return PackedStringArray(names.keys())
