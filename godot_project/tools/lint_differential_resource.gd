extends RefCounted
## Compares loaded resources with objects that are made of the same class and given the same properties, one by one.

const Intent := preload("res://tools/lint_differential_intent.gd")

var _intent: Intent
## The id of the last resource that was looked for in vain.
var _lost_reference := ""


func _init(intent: Intent) -> void:
	_intent = intent


func judge_main(resource: Resource) -> void:
	var header := _intent.sections[0] if not _intent.sections.is_empty() else null
	if header == null or header.name != "gd_resource":
		_intent.harms.append("no header")
		return
	for section in _intent.sections.slice(1):
		if section.name == "resource":
			_judge(header.text("type"), section, resource)
		elif section.name not in ["ext_resource", "sub_resource"]:
			_intent.harms.append("tag lost: %s" % section.name)
	judge_parts()


## Judges what `ext_resource` and `sub_resource` tags say. The loaded main resource has to be alive.
func judge_parts() -> void:
	var paths: Dictionary[String, String] = {}
	for section in _intent.named("ext_resource"):
		var id := section.text("id")
		var place := section.text("path")
		if paths.has(id) and paths[id] != place:
			_intent.harms.append("two external resources: %s" % id)
		paths[id] = place
		_intent.check_external(section)
	var parts: Dictionary[String, Intent.Section] = {}
	for section in _intent.named("sub_resource"):
		var id := section.text("id")
		if parts.has(id) and var_to_str(parts[id].properties) != var_to_str(section.properties):
			_intent.harms.append("two internal resources: %s" % id)
		parts[id] = section
		var loaded := ResourceLoader.get_cached_ref(_intent.path + "::" + id)
		# What nothing refers to is gone.
		if loaded != null:
			_judge(section.text("type"), section, loaded)


func _judge(type: String, section: Intent.Section, loaded: Resource) -> void:
	var made := Intent.class_made_for(type)
	if made != loaded.get_class():
		_intent.harms.append("%s became %s" % [type, loaded.get_class()])
		return
	# Read first: some parts have one owner, and leave it when they are given to the object that is compared.
	var found: Dictionary[StringName, Variant] = {}
	for pair in section.properties:
		var value: Variant = loaded.get(StringName(str(pair[0])))
		found[StringName(str(pair[0]))] = (value as Array).duplicate() if value is Array else value
	var intended: Resource = ClassDB.instantiate(type)
	for pair in section.properties:
		var key: StringName = StringName(str(pair[0]))
		if pair[1] is StringName and pair[1] == Intent.UNCHECKED:
			intended.set(key, loaded.get(key))
		elif pair[1] is String and str(pair[1]).to_utf8_buffer().size() > str(pair[1]).length() \
				and key not in intended and key not in loaded:
			_intent.outside.append("characters of %s, which is nowhere to be seen" % key)
		elif _is_reference(pair[1]) and typeof(intended.get(key)) not in [TYPE_NIL, TYPE_OBJECT]:
			_intent.outside.append("%s takes no resource" % key)
			found[key] = intended.get(key)
		else:
			_lost_reference = ""
			intended.set(key, _fit(_resolved(pair[1]), intended.get(key)))
			# Whatever a loaded resource refers to is loaded too, unless its class has no such property. What it does
			# with items of containers, only the class knows.
			if _lost_reference.is_empty() or not _is_reference(pair[1]):
				continue
			# Elements need others before them: `blend_point_1/node` is nothing without `blend_point_0/node`.
			if "/" in str(key):
				_intent.outside.append("element %s" % key)
			elif _has_property(made, key):
				_intent.harms.append("reference to %s lost" % _lost_reference)
	_compare(section, intended, loaded, found)


func _is_reference(value: Variant) -> bool:
	return value is Array and str(value).begins_with('["<')


## Whether each object of the class has the property, without a setter of its own that knows more names.
func _has_property(made: String, key: StringName) -> bool:
	return ClassDB.class_get_property_list(made).any(
		func(property: Dictionary) -> bool: return StringName(str(property["name"])) == key
	)


func _compare(
	section: Intent.Section, intended: Resource, loaded: Resource, found: Dictionary[StringName, Variant]
) -> void:
	for pair in section.properties:
		var key: StringName = StringName(str(pair[0]))
		if loaded is Animation and str(key).begins_with("tracks/"):
			_compare_track(key, pair[1], loaded.get(key))
		if not _is_same(intended.get(key), found[key]):
			_intent.harms.append("%s %s: %s" % [section.name, key, str(found[key]).left(40)])


## An animation makes its tracks as it goes, and keeps nothing of what comes too early or does not add up.
func _compare_track(key: StringName, intended: Variant, loaded: Variant) -> void:
	if str(key).get_file() in ["type", "path"] and not _is_same(intended, loaded):
		_intent.harms.append("%s lost" % key)
	if intended is Dictionary and loaded is Dictionary:
		var left: Dictionary = intended
		var right: Dictionary = loaded
		for list: String in ["times", "transitions"]:
			if left.has(list) and var_to_str(left.get(list)) != var_to_str(right.get(list)):
				_intent.harms.append("%s of %s lost" % [list, key])


## The value with the loaded resources in the places of references.
func _resolved(value: Variant) -> Variant:
	if value is Array:
		var array: Array = value
		if array.size() == 2 and array[0] is String and array[0] == Intent.SUB:
			var part := ResourceLoader.get_cached_ref(_intent.path + "::" + str(array[1]))
			if part == null:
				_lost_reference = str(array[1])
			return part
		if array.size() == 2 and array[0] is String and array[0] == Intent.EXT:
			var place := _intent.external_path(str(array[1]))
			return load(place) if ResourceLoader.exists(place) else null
		var items := array.duplicate()
		for index in items.size():
			items[index] = _resolved(items[index])
		return items
	if value is Dictionary:
		var entries: Dictionary = value
		var resolved := entries.duplicate()
		for key: Variant in entries:
			resolved[key] = _resolved(entries[key])
		return resolved
	return value


## As the loader does it (`ResourceLoaderText::load`, 4.6.3): untyped containers become what the property holds.
func _fit(value: Variant, current: Variant) -> Variant:
	if value is Array and current is Array:
		var array: Array = value
		var wanted: Array = current
		if not array.is_same_typed(wanted):
			return Array(array, wanted.get_typed_builtin(), wanted.get_typed_class_name(), wanted.get_typed_script())
	if value is Dictionary and current is Dictionary:
		var entries: Dictionary = value
		var wanted: Dictionary = current
		if not entries.is_same_typed(wanted):
			return Dictionary(
				entries, wanted.get_typed_key_builtin(), wanted.get_typed_key_class_name(), wanted.get_typed_key_script(),
				wanted.get_typed_value_builtin(), wanted.get_typed_value_class_name(), wanted.get_typed_value_script()
			)
	return value


func _is_same(intended: Variant, loaded: Variant) -> bool:
	if intended is Object and loaded is Object:
		var left: Object = intended
		var right: Object = loaded
		# Both have their own where a class makes one by itself.
		return left == right or left.get_class() == right.get_class()
	if intended is Array and loaded is Array:
		var left: Array = intended
		var right: Array = loaded
		return left.size() == right.size() and range(left.size()).all(
			func(index: int) -> bool: return _is_same(left[index], right[index])
		)
	if intended is Dictionary and loaded is Dictionary:
		var left: Dictionary = intended
		var right: Dictionary = loaded
		return left.size() == right.size() and left.keys().all(
			func(key: Variant) -> bool: return right.has(key) and _is_same(left[key], right[key])
		)
	return typeof(intended) == typeof(loaded) and var_to_str(intended) == var_to_str(loaded)
