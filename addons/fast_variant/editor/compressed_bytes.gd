@tool
extends RefCounted
## The content of a file of `FileAccess.open_compressed()`: its magic, the mode, the size of a block, the size of all, the
## compressed sizes of all blocks, the blocks, and the magic once more. (core/io/file_access_compressed.cpp, Godot 4.6)

## Larger contents are not unpacked, in bytes.
const MAX_SIZE := 128 << 20

const _MAGIC := "GCPF"
const _HEADER_SIZE := 16
const _MODES: PackedStringArray = ["FastLZ", "Deflate", "Zstandard", "GZip", "Brotli"]

var content: PackedByteArray
## Empty if it was unpacked.
var error := ""
## Its name.
var mode := ""


static func is_compressed(bytes: PackedByteArray) -> bool:
	return bytes.size() >= _HEADER_SIZE and bytes.slice(0, _MAGIC.length()).get_string_from_ascii() == _MAGIC


## Nothing is unpacked before the sizes are known to be possible.
func _init(bytes: PackedByteArray) -> void:
	var mode_number := bytes.decode_u32(4)
	var block_size := bytes.decode_u32(8)
	var size := bytes.decode_u32(12)
	if mode_number >= _MODES.size():
		error = "unknown compression mode %d" % mode_number
		return
	mode = _MODES[mode_number]
	if block_size == 0 or mini(block_size, size) > MAX_SIZE or size > MAX_SIZE:
		error = "the file declares %s in blocks of %s, which is too much to unpack" % [
			String.humanize_size(size), String.humanize_size(block_size)
		]
		return
	@warning_ignore("integer_division")
	var block_count := size / block_size + 1
	if _HEADER_SIZE + 4 * block_count > bytes.size():
		error = "the file declares %d blocks, more than it has room for" % block_count
		return
	_unpack(bytes, mode_number, block_size, size, block_count)


func _unpack(bytes: PackedByteArray, mode_number: int, block_size: int, size: int, block_count: int) -> void:
	var at := _HEADER_SIZE + 4 * block_count
	for block: int in block_count:
		var packed_size := bytes.decode_u32(_HEADER_SIZE + 4 * block)
		var unpacked_size := mini(block_size, size - content.size())
		if unpacked_size == 0:
			break
		if packed_size == 0 or at + packed_size > bytes.size():
			error = "block %d of %d is cut off" % [block, block_count]
			return
		var unpacked := bytes.slice(at, at + packed_size).decompress(unpacked_size, mode_number)
		if unpacked.size() != unpacked_size:
			error = "block %d of %d cannot be unpacked" % [block, block_count]
			return
		content.append_array(unpacked)
		at += packed_size
