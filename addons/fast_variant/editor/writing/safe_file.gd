@tool
extends RefCounted
## Reads and writes whole files. A write leaves the new file or the old one, never a part, also when the machine dies.

const _Native := preload("../shared/native.gd")

const _WRITE_BITS := 0b010_010_010


## The bytes, or null if there is no such file.
static func content(path: String) -> Variant:
	if not FileAccess.file_exists(path):
		return null
	return FileAccess.get_file_as_bytes(path)


## The reason why the file cannot be written, if it is known beforehand; else empty.
static func obstacle(path: String) -> String:
	if not FileAccess.file_exists(path):
		var folder := path.get_base_dir()
		return "" if DirAccess.dir_exists_absolute(folder) else "the folder %s is not there" % folder
	# The superuser may write files that are marked as read-only; the mark was made for a reason. 0 is a system without such bits.
	var permissions: int = FileAccess.get_unix_permissions(path)
	if FileAccess.get_read_only_attribute(path) or (permissions != 0 and permissions & _WRITE_BITS == 0):
		return "it is read-only"
	if FileAccess.open(path, FileAccess.READ_WRITE) == null:
		return "it cannot be opened for writing (%s)" % error_string(FileAccess.get_open_error())
	return ""


## Writes these bytes, or removes the file if they are null. Returns why not, or nothing.
static func put(path: String, bytes: Variant) -> String:
	if bytes == null:
		return _reason(DirAccess.remove_absolute(path), "it cannot be removed")
	var content_of_file: PackedByteArray = bytes
	var reason := _Native.write_file(path, content_of_file)
	return "" if reason.is_empty() else "it cannot be written (%s)" % reason


static func _reason(error: Error, what: String) -> String:
	return "" if error == OK else "%s (%s)" % [what, error_string(error)]
