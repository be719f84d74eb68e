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


## `depth` arrays or dictionaries in each other, each of which promises as many elements as the bytes behind it could be,
## if there are `length` more behind the innermost. In front of what is nested, `kept` elements are there.
static func promises(type: Variant.Type, depth: int, length: int, kept: int = 0) -> PackedByteArray:
	var is_array := type == TYPE_ARRAY
	var key := PackedByteArray() if is_array else var_to_bytes("key")
	# Zeros are the header of null, which is a key like others.
	var level_size := 8 + kept * (4 if is_array else 8) + key.size()
	var bytes: PackedByteArray = []
	bytes.resize(depth * level_size + length)
	for level: int in depth:
		var at := level * level_size
		bytes.encode_u32(at, type)
		bytes.encode_u32(at + 4, (bytes.size() - at - 8) / (4 if is_array else 8))
		for index: int in key.size():
			bytes[at + level_size - key.size() + index] = key[index]
	return bytes
