@tool
extends RefCounted
## The texts of scripts in the editor, next to the texts on the disk: open scripts, and loaded scripts, which a save can write
## too.

const _OpenScripts := preload("../writing/open_scripts.gd")
const _SceneFiles := preload("../shared/scene_files.gd")

const _MARK := "\ufeff"
## A file that was looked at so soon after it was written may have been written again since, in seconds.
const _COARSE := 2

## For each open script, the text that the editor has read or written last, without later typing.
var _held: Dictionary[String, String] = {}
## The version of the text in the script editor that was the held one.
var _versions: Dictionary[String, int] = {}
## The text on the disk when the editor began to save, and the editor's text, if they differ.
var _newer: Dictionary[String, PackedByteArray] = {}
var _held_then: Dictionary[String, String] = {}
## For each file with the same text as the editor: when it was written, and when that was seen.
var _same: Dictionary[String, Vector2i] = {}
## All scripts of the project; which of them are loaded is asked each time.
var _scripts: PackedStringArray = []
var _is_list_due := true
var _started := int(Time.get_unix_time_from_system())


## The project's files are others than before.
func list_again() -> void:
	_is_list_due = true


## Call this from time to time: until the user types, the script editor shows the text that it has read or written.
func look() -> void:
	var open: Dictionary[String, bool] = {}
	for path: String in _OpenScripts.paths():
		open[path] = true
		var edit := _OpenScripts.edit_of(path)
		if edit == null or edit.get_version() != edit.get_saved_version() or _versions.get(path, -1) == edit.get_version():
			continue
		_held[path] = edit.text
		_versions[path] = edit.get_version()
	for path: String in _held.keys():
		if path not in open:
			_held.erase(path)
			_versions.erase(path)


## To be called before the editor saves.
func keep_all() -> void:
	look()
	_newer.clear()
	_held_then.clear()
	for path: String in _loaded():
		var text := newer(path)
		if not text.is_empty():
			_newer[path] = text
			_held_then[path] = _text_held(path)


## The editor has just read or written the script.
func hold(path: String) -> void:
	_newer.erase(path)
	_held_then.erase(path)
	if _held.has(path):
		_held[path] = _plain(_SceneFiles.read(path))


## The text on the disk, if it differs from the text that the editor has read or written last; else nothing.
func newer(path: String) -> PackedByteArray:
	if not FileAccess.file_exists(path) or not (_held.has(path) or ResourceLoader.has_cached(path)):
		return PackedByteArray()
	var time := FileAccess.get_modified_time(path)
	# A script that was not looked at yet was read since the editor started.
	var same: Vector2i = _same.get(path, Vector2i(mini(time, _started), _started))
	if time == same.x and same.y - time >= _COARSE:
		return PackedByteArray()
	var text := _SceneFiles.read(path)
	if _plain(text) != _text_held(path):
		return text
	_same[path] = Vector2i(time, int(Time.get_unix_time_from_system()))
	return PackedByteArray()


## The scripts that the editor has written since `keep_all`, where that was newer.
func overwritten() -> PackedStringArray:
	var found: PackedStringArray = []
	for path: String in _newer:
		var now := _SceneFiles.read(path)
		# If the editor's text differs, another program has written it.
		if now != _newer[path] and _plain(now) == _plain(_memory_of(path).to_utf8_buffer()):
			found.append(path)
	return found


## The text of such a script on the disk.
func newer_text_of(path: String) -> PackedByteArray:
	return _newer.get(path, PackedByteArray())


## The editor's text at that time, or now.
func held_of(path: String) -> PackedByteArray:
	var text: String = _held_then[path] if _held_then.has(path) else _text_held(path)
	return text.to_utf8_buffer()


func _text_held(path: String) -> String:
	if _held.has(path):
		return _held[path]
	# For an open script that was edited before the first look, the text that the editor has read is unknown.
	if _OpenScripts.is_edited(path):
		return _plain(_SceneFiles.read(path))
	return _memory_of(path).replace("\r\n", "\n")


## The text that the editor would write.
func _memory_of(path: String) -> String:
	var edit := _OpenScripts.edit_of(path)
	if edit != null:
		return edit.text
	var script := ResourceLoader.get_cached_ref(path) as GDScript if ResourceLoader.has_cached(path) else null
	return script.source_code if script != null else ""


func _loaded() -> PackedStringArray:
	if _is_list_due:
		_is_list_due = false
		_scripts = _SceneFiles.scripts_in("res://")
	var loaded: PackedStringArray = []
	for path: String in _scripts:
		if ResourceLoader.has_cached(path):
			loaded.append(path)
	for path: String in _held:
		if path not in loaded:
			loaded.append(path)
	return loaded


## As the script editor shows it.
func _plain(text: PackedByteArray) -> String:
	return text.get_string_from_utf8().trim_prefix(_MARK).replace("\r\n", "\n")
