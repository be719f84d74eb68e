@tool
extends RefCounted
## The contents of files that must be unpacked before they are read. These are files of `FastVariant.save_file()`
## (rust/docs/wire-format.md) and of `FileAccess.open_compressed()` (core/io/file_access_compressed.cpp, Godot 4.6). The latter have
## the magic, the mode, the size of a block, the total size, the compressed sizes of all blocks, and the blocks.
##
## Nothing is unpacked before the sizes are known to be possible.

## Larger contents are not unpacked, in bytes.
const MAX_SIZE := 128 << 20

## A NUL follows.
const _SAVED := "FVSAVE"
const _SAVED_HEADER_SIZE := 32
const _COMPRESSED := "GCPF"
const _COMPRESSED_HEADER_SIZE := 16
const _MODES: PackedStringArray = ["FastLZ", "Deflate", "Zstandard", "GZip", "Brotli"]

var content: PackedByteArray
## The kind of the file; empty if it is read without unpacking.
var kind := ""
## Empty if it was unpacked.
var error := ""


func _init(bytes: PackedByteArray) -> void:
	if _begins_with(bytes, _SAVED, _SAVED_HEADER_SIZE):
		kind = "a file of save_file()"
		_read_saved(bytes)
	elif _begins_with(bytes, _COMPRESSED, _COMPRESSED_HEADER_SIZE):
		kind = "compressed (GCPF)"
		_read_compressed(bytes)
	else:
		content = bytes


func _begins_with(bytes: PackedByteArray, magic: String, header_size: int) -> bool:
	return bytes.size() >= header_size and bytes.slice(0, magic.length()) == magic.to_ascii_buffer()


## The checksum is not compared, so that broken content is visible.
func _read_saved(bytes: PackedByteArray) -> void:
	var compression := bytes.slice(8, 12).get_string_from_ascii()
	var size := bytes.decode_u64(16)
	var packed_size := bytes.decode_u64(24)
	if bytes[7] != 1 or compression not in ["none", "zstd"]:
		error = "version %d with the compression `%s` is unknown" % [bytes[7], compression]
	elif packed_size != bytes.size() - _SAVED_HEADER_SIZE:
		error = "the header says %d bytes of content, %d are there" % [packed_size, bytes.size() - _SAVED_HEADER_SIZE]
	elif size < 0 or size > MAX_SIZE:
		error = "the header says %s, which is too much to unpack" % String.humanize_size(size)
	var packed := bytes.slice(_SAVED_HEADER_SIZE)
	if compression != "zstd" or not error.is_empty():
		content = packed
		return
	kind += ", %s" % _MODES[FileAccess.COMPRESSION_ZSTD]
	content = packed.decompress(size, FileAccess.COMPRESSION_ZSTD) if size > 0 else PackedByteArray()
	if content.size() != size:
		error = "the content cannot be unpacked"


func _read_compressed(bytes: PackedByteArray) -> void:
	var mode := bytes.decode_u32(4)
	var block_size := bytes.decode_u32(8)
	var size := bytes.decode_u32(12)
	if mode >= _MODES.size():
		error = "unknown compression mode %d" % mode
		return
	kind += ", %s" % _MODES[mode]
	if block_size == 0 or size > MAX_SIZE:
		error = "the header says %s in blocks of %s" % [String.humanize_size(size), String.humanize_size(block_size)]
		return
	@warning_ignore("integer_division")
	var block_count := size / block_size + 1
	if _COMPRESSED_HEADER_SIZE + 4 * block_count > bytes.size():
		error = "the header says %d blocks, more than there is room for" % block_count
		return
	_unpack_blocks(bytes, mode, block_size, size, block_count)


func _unpack_blocks(bytes: PackedByteArray, mode: int, block_size: int, size: int, block_count: int) -> void:
	var at := _COMPRESSED_HEADER_SIZE + 4 * block_count
	for block: int in block_count:
		var packed_size := bytes.decode_u32(_COMPRESSED_HEADER_SIZE + 4 * block)
		var unpacked_size := mini(block_size, size - content.size())
		if unpacked_size == 0:
			break
		if packed_size == 0 or at + packed_size > bytes.size():
			error = "block %d of %d is cut off" % [block, block_count]
			return
		var unpacked := bytes.slice(at, at + packed_size).decompress(unpacked_size, mode)
		if unpacked.size() != unpacked_size:
			error = "block %d of %d cannot be unpacked" % [block, block_count]
			return
		content.append_array(unpacked)
		at += packed_size
