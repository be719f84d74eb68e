extends RefCounted
## Values and bytes that are nested `depth` levels deep. Nothing here calls itself: GDScript may not call as deep.

const ScriptedRef := preload("res://tests/fixtures/scripted_ref.gd")


static func arrays(depth: int, innermost: Variant) -> Variant:
	var value: Variant = innermost
	for level: int in depth:
		value = [value]
	return value


static func dictionaries(depth: int, innermost: Variant) -> Variant:
	var value: Variant = innermost
	for level: int in depth:
		value = {level: value}
	return value


static func typed_arrays(depth: int) -> Array:
	var value: Array[Array] = []
	for level: int in depth:
		var outer: Array[Array] = [value]
		value = outer
	return value


static func objects(depth: int) -> ScriptedRef:
	var value := ScriptedRef.new()
	for level: int in depth:
		var outer := ScriptedRef.new()
		outer.value = value
		value = outer
	return value


## `depth` times the header and count of an array of one element, then null.
static func array_bytes(depth: int) -> PackedByteArray:
	var level := PackedByteArray([TYPE_ARRAY, 0, 0, 0, 1, 0, 0, 0])
	var bytes: PackedByteArray = []
	for index: int in depth:
		bytes.append_array(level)
	bytes.append_array([0, 0, 0, 0])
	return bytes
