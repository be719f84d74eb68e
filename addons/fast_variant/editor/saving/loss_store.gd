@tool
extends RefCounted
## Keeps dropped data on the disk, for later sessions of the editor: a file for each save. A folder behind a link is not ours:
## nothing is read or written there.

const _Native := preload("../shared/native.gd")
const _SaveLosses := preload("save_losses.gd")

const FOLDER := "res://.godot/gdscene/losses"
const _EXTENSION := "dropped"
## The limit for one save. A larger one is kept for this session only.
const _MAX_BYTES := 64 << 20

## The file of each save that has one.
var _files: Dictionary[_SaveLosses, String] = {}


## Those of earlier sessions. Removes files that are not whole, or of more saves than `max_count`.
func read_all(max_count: int) -> Array[_SaveLosses]:
	var found: Array[_SaveLosses] = []
	if not _is_usable() or not DirAccess.dir_exists_absolute(FOLDER):
		return found
	# The names begin with the time.
	var names := DirAccess.get_files_at(FOLDER)
	names.sort()
	names.reverse()
	for name: String in names:
		if name.get_extension() != _EXTENSION:
			continue
		var file := FOLDER.path_join(name)
		var losses := _read(file) if found.size() < max_count else null
		if losses == null:
			DirAccess.remove_absolute(file)
		else:
			_files[losses] = file
			found.append(losses)
	found.reverse()
	return found


func put(losses: _SaveLosses) -> void:
	if not _is_usable() or losses.size() > _MAX_BYTES:
		return
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var file: String = _files.get(losses, _new_file(losses))
	if _Native.save_value(file, losses.to_data()):
		_files[losses] = file


func remove(losses: _SaveLosses) -> void:
	if _files.has(losses) and _is_usable():
		DirAccess.remove_absolute(_files[losses])
	_files.erase(losses)


func _read(file: String) -> _SaveLosses:
	return _SaveLosses.from_data(_Native.load_value(file, 2 * _MAX_BYTES)) as _SaveLosses


func _new_file(losses: _SaveLosses) -> String:
	return FOLDER.path_join("%016d-%08x.%s" % [int(losses.time * 1000.0), randi(), _EXTENSION])


func _is_usable() -> bool:
	var folder := FOLDER
	while folder != "res://":
		var parent := DirAccess.open(folder.get_base_dir())
		if parent != null and parent.is_link(folder.get_file()):
			return false
		folder = folder.get_base_dir()
	return true
