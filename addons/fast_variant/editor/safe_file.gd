@tool
extends RefCounted
## Reads and writes whole files. A write leaves the new file or the old one, never a part.

const _WRITE_BITS := 0b010_010_010


## The bytes, or null if there is no such file.
static func content(path: String) -> Variant:
	if not FileAccess.file_exists(path):
		return null
	return FileAccess.get_file_as_bytes(path)


## Why the file cannot be written, as far as that can be known beforehand; empty if it can.
static func obstacle(path: String) -> String:
	if not FileAccess.file_exists(path):
		var folder := path.get_base_dir()
		return "" if DirAccess.dir_exists_absolute(folder) else "the folder %s is not there" % folder
	# The superuser may write what is marked as read-only; the mark was made for a reason. 0 is a system without such bits.
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
	# A link stays, and so does the file's place on its disk: only there it can be renamed in one step.
	var file := _without_link(path)
	var new_file := file.get_base_dir().path_join(_temporary_name())
	var reason := _write(new_file, content_of_file)
	if reason.is_empty():
		var permissions: int = FileAccess.get_unix_permissions(file) if FileAccess.file_exists(file) else 0
		if permissions != 0:
			FileAccess.set_unix_permissions(new_file, permissions)
		reason = _reason(DirAccess.rename_absolute(new_file, file), "it cannot be replaced")
	if not reason.is_empty():
		DirAccess.remove_absolute(new_file)
	return reason


static func _write(path: String, bytes: PackedByteArray) -> String:
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return _reason(FileAccess.get_open_error(), "a file beside it cannot be written")
	file.store_buffer(bytes)
	var error := file.get_error()
	file.close()
	if error == OK and FileAccess.get_file_as_bytes(path) != bytes:
		# What was in a buffer did not fit on the disk.
		error = ERR_FILE_CANT_WRITE
	return _reason(error, "it cannot be written; is the disk full?")


static func _without_link(path: String) -> String:
	var folder := DirAccess.open(path.get_base_dir())
	if folder == null or not folder.is_link(path.get_file()):
		return path
	var target := folder.read_link(path.get_file())
	return target if target.is_absolute_path() else path.get_base_dir().path_join(target)


## As those of `gdscene`, which removes what a crash left of them. Hidden, so that the editor does not take it for a scene.
static func _temporary_name() -> String:
	return ".gdscene-%010d.tmp" % (Time.get_ticks_usec() % 10_000_000_000)


static func _reason(error: Error, what: String) -> String:
	return "" if error == OK else "%s (%s)" % [what, error_string(error)]
