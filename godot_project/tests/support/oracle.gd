extends RefCounted
## The engine's own codec: what every result is compared with. It prints a line for each error, sometimes one for each
## level of nesting, so it is muted, and only while it runs.


static func encode(value: Variant) -> PackedByteArray:
	Engine.print_error_messages = false
	var bytes := var_to_bytes(value)
	Engine.print_error_messages = true
	return bytes


static func encode_with_objects(value: Variant) -> PackedByteArray:
	Engine.print_error_messages = false
	var bytes := var_to_bytes_with_objects(value)
	Engine.print_error_messages = true
	return bytes


static func decode(bytes: PackedByteArray) -> Variant:
	Engine.print_error_messages = false
	var value: Variant = bytes_to_var(bytes)
	Engine.print_error_messages = true
	return value


static func decode_with_objects(bytes: PackedByteArray) -> Variant:
	Engine.print_error_messages = false
	var value: Variant = bytes_to_var_with_objects(bytes)
	Engine.print_error_messages = true
	return value


## How many bytes the first value takes, or 0 if the engine rejects it. (A decoded null says neither.)
static func accepted_size(bytes: PackedByteArray, allow_objects: bool) -> int:
	Engine.print_error_messages = false
	var size := bytes.decode_var_size(0, allow_objects)
	Engine.print_error_messages = true
	# A PackedByteArray may end without its padding, and its size counts that anyway.
	return mini(size, bytes.size())


static func is_at_least(major: int, minor: int, patch: int) -> bool:
	var version := Engine.get_version_info()
	var numbers: Array[int] = [version.major, version.minor, version.patch]
	return numbers >= Array([major, minor, patch], TYPE_INT, &"", null)


## For the comparison of two decoded values. With objects, because an id is decoded to an object that holds it, which
## has another id each time. An engine that leaves garbage in its bytes cannot be used for this.
static func encode_again(value: Variant) -> PackedByteArray:
	return encode_with_objects(value) if writes_node_path_padding() else FastVariant.encode_with_objects(value)


## Up to 4.6.2 the padding in a NodePath is whatever was in memory.
static func writes_node_path_padding() -> bool:
	return is_at_least(4, 6, 3)


## Some versions decode a dictionary with the script of the keys in place of the values' script.
static func confuses_dictionary_scripts(script: Script) -> bool:
	var typed := Dictionary({}, TYPE_INT, &"", null, TYPE_OBJECT, script.get_instance_base_type(), script)
	var decoded: Dictionary = decode_with_objects(encode_with_objects(typed))
	return not decoded.is_same_typed(typed)
