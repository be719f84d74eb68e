extends RefCounted
## Counts how often each type was seen in each kind of container, in values as they really are.

const ContainerKinds := preload("res://tests/support/container_kinds.gd")
const ScriptedRef := preload("res://tests/fixtures/scripted_ref.gd")

const Kind := ContainerKinds.Kind

var _counts: Array[PackedInt32Array] = []


func _init() -> void:
	for kind: int in Kind.size():
		var row: PackedInt32Array = []
		row.resize(TYPE_MAX)
		_counts.append(row)


func add(value: Variant) -> void:
	var pending: Array = [value]
	_see(Kind.ROOT, value)
	while not pending.is_empty():
		var current: Variant = pending.pop_back()
		match typeof(current):
			TYPE_ARRAY: _enter_array(current, pending)
			TYPE_DICTIONARY: _enter_dictionary(current, pending)
			TYPE_OBJECT: _enter_object(current, pending)


func count(kind: int, type: int) -> int:
	return _counts[kind][type]


## The fields that were seen less than `minimum` times, each as "type in kind: count".
func missing(minimum: int) -> PackedStringArray:
	var found: PackedStringArray = []
	for kind: int in Kind.size():
		for type: int in TYPE_MAX:
			if ContainerKinds.can_hold(kind, type) and count(kind, type) < minimum:
				found.append("%s in %s: %d" % [type_string(type), ContainerKinds.TITLES[kind], count(kind, type)])
	return found


## A table with a row for each type. The kinds that hold objects only share a line below it.
func table() -> String:
	var columns: Array[int] = []
	var object_columns: PackedStringArray = []
	for kind: int in Kind.size():
		if ContainerKinds.can_hold(kind, TYPE_INT):
			columns.append(kind)
		else:
			object_columns.append("%s %d" % [ContainerKinds.TITLES[kind], count(kind, TYPE_OBJECT)])
	var text := "%-20s" % "type"
	for kind in columns:
		text += "%10s" % ContainerKinds.TITLES[kind]
	for type: int in TYPE_MAX:
		text += "\n%-20s" % type_string(type)
		for kind in columns:
			text += "%10s" % (str(count(kind, type)) if ContainerKinds.can_hold(kind, type) else "-")
	return text + "\nObject only: " + ", ".join(object_columns)


func _see(kind: Kind, value: Variant) -> void:
	_counts[kind][typeof(value)] += 1


func _enter_array(array: Array, pending: Array) -> void:
	var kind := ContainerKinds.of_array(array)
	for element: Variant in array:
		_see(kind, element)
		pending.append(element)


func _enter_dictionary(dictionary: Dictionary, pending: Array) -> void:
	var key_kind := ContainerKinds.of_keys(dictionary)
	var value_kind := ContainerKinds.of_values(dictionary)
	for key: Variant in dictionary:
		var value: Variant = dictionary[key]
		_see(key_kind, key)
		_see(value_kind, value)
		pending.append(key)
		pending.append(value)


func _enter_object(object: Variant, pending: Array) -> void:
	# Before `is`, which stops at a freed object.
	if is_instance_valid(object) and object is ScriptedRef:
		var holder: ScriptedRef = object
		_see(Kind.PROPERTY, holder.value)
		pending.append(holder.value)
