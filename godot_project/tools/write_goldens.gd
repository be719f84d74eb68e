extends SceneTree
## Writes the golden file of the crate `variant-codec`: what this engine encodes, accepts and decodes.
##
##   godot --headless -s res://tools/write_goldens.gd -- OUTPUT
##
## scripts/data/goldens.sh runs it in a project without our library: nothing here is our own codec's word. The file depends
## on nothing but the engine: ids of objects are fixed, and the seed is.

const GoldenValues := preload("res://tools/golden_values.gd")
const Mutations := preload("res://tests/support/mutations.gd")
const RandomNumbers := preload("res://tests/support/random_numbers.gd")

const SUCCESS := "goldens: WRITTEN"
const HOSTILE_COUNT := 1500
const MAX_HOSTILE_LEN := 200
const SEED := 4

const HEAD := """# What Godot %s encodes, accepts and decodes. Written by scripts/data/goldens.sh; do not edit.
#
# [values]: type, label, bytes, lengths of the prefixes that are accepted (objects not allowed), bytes of the decoded
# value. The label `crafted: ...` marks bytes that no value is encoded to. The last field is empty if the engine rejects
# the bytes.
#
# [hostile]: bytes, accepted (0 or 1), bytes that the decoder read or -1, bytes of the decoded value.
#
# Bytes are hexadecimal, fields are separated by tabs. In the bytes of a decoded value, an object that stands for an id
# (EncodedObjectAsID) is written as that id; the engine writes the id of the object itself, which is another each time.
"""

var _lines: PackedStringArray = []
var _encodings: Array[PackedByteArray] = []


func _init() -> void:
	var output := OS.get_cmdline_user_args()[0]
	var version := Engine.get_version_info()
	_lines.append(HEAD % "{major}.{minor}.{patch}-{status}".format(version))
	_write_values()
	_write_hostile()
	var file := FileAccess.open(output, FileAccess.WRITE)
	file.store_string("\n".join(_lines) + "\n")
	file.close()
	print(SUCCESS)
	quit()


func _write_values() -> void:
	_lines.append("[values]")
	for row in GoldenValues.values():
		var label: String = row[0]
		_write_value(label, var_to_bytes(row[1]))
	for row in GoldenValues.CRAFTED:
		var label: String = row[0]
		var hex: String = row[1]
		_write_value("crafted: " + label, hex.hex_decode())


func _write_value(label: String, bytes: PackedByteArray) -> void:
	_encodings.append(bytes)
	var accepted: PackedStringArray = []
	for length: int in bytes.size():
		if _accepted_size(bytes.slice(0, length)) > 0:
			accepted.append(str(length))
	_lines.append("\t".join([
		type_string(bytes[0]), label, bytes.hex_encode(), ",".join(accepted), _decoded_bytes(bytes).hex_encode()]))


func _write_hostile() -> void:
	_lines.append("\n[hostile]")
	var rng := RandomNumberGenerator.new()
	rng.seed = SEED
	var numbers := RandomNumbers.new(rng)
	var mutations := Mutations.new(numbers)
	var written := 0
	while written < HOSTILE_COUNT:
		var good := _encodings[numbers.below(_encodings.size())]
		var bytes := mutations.next(good, _encodings[numbers.below(_encodings.size())])
		if bytes.size() <= MAX_HOSTILE_LEN:
			written += 1
			_lines.append(_hostile_line(bytes))


func _hostile_line(bytes: PackedByteArray) -> String:
	var size := _accepted_size(bytes)
	return "\t".join([
		bytes.hex_encode(), "1" if size > 0 else "0", str(size if size > 0 else -1), _decoded_bytes(bytes).hex_encode()])


## 0 if rejected; more than there are bytes if the padding of a PackedByteArray is missing.
func _accepted_size(bytes: PackedByteArray) -> int:
	Engine.print_error_messages = false
	var size := bytes.decode_var_size(0)
	Engine.print_error_messages = true
	return size


func _decoded_bytes(bytes: PackedByteArray) -> PackedByteArray:
	if _accepted_size(bytes) == 0:
		return []
	Engine.print_error_messages = false
	var value: Variant = bytes_to_var(bytes)
	Engine.print_error_messages = true
	var encoded := var_to_bytes(value)
	for object in _objects_in(value):
		encoded = _replaced(encoded, object.get_instance_id(), object.object_id)
	return encoded


func _objects_in(value: Variant) -> Array[EncodedObjectAsID]:
	var found: Array[EncodedObjectAsID] = []
	var pending: Array = [value]
	while not pending.is_empty():
		var current: Variant = pending.pop_back()
		if current is EncodedObjectAsID:
			found.append(current)
		elif current is Array:
			var array: Array = current
			pending.append_array(array)
		elif current is Dictionary:
			var dictionary: Dictionary = current
			pending.append_array(dictionary.keys())
			pending.append_array(dictionary.values())
	return found


## With `to` in place of the id `from`, which is too odd to be there by chance.
func _replaced(bytes: PackedByteArray, from: int, to: int) -> PackedByteArray:
	for offset: int in range(0, bytes.size() - 7, 4):
		if bytes.decode_s64(offset) == from:
			bytes.encode_s64(offset, to)
	return bytes
