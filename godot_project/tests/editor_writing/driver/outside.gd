@tool
extends RefCounted
## What other programs do with the files.

## So many versions of a file are kept.
const _MAX_VERSIONS := 20
const _FAULTS: PackedStringArray = ["unused", "untidy", "misspelt", "comment"]

var _versions: Dictionary[String, Array] = {}
## The time of the file that was written last: the editor looks at whole seconds.
var _time := 0


## The bytes, or null if there is no file.
func bytes(path: String) -> Variant:
	return FileAccess.get_file_as_bytes(path) if FileAccess.file_exists(path) else null


func write(path: String, text: String) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	_time = maxi(int(Time.get_unix_time_from_system()), _time) + 1
	OS.execute("touch", ["-d", "@%d" % _time, ProjectSettings.globalize_path(path)])
	keep_version(path)


func keep_version(path: String) -> void:
	if not FileAccess.file_exists(path):
		return
	var versions: Array = _versions.get_or_add(path, [])
	versions.append(FileAccess.get_file_as_string(path))
	if versions.size() > _MAX_VERSIONS:
		versions.remove_at(0)


## One that the file had before.
func any_version(path: String, random: RandomNumberGenerator) -> String:
	var versions := _versions[path]
	return versions[random.randi() % versions.size()]


## The text with another value of the user's.
func with_value(text: String, value: int) -> String:
	var key := "brightness" if text.begins_with("[gd_scene") else "hours"
	var line := RegEx.create_from_string("(?m)^%s *= .*$" % key)
	var new_line := "%s = %d%s" % [key, value, ".0" if key == "brightness" else ""]
	if line.search(text) != null:
		return line.sub(text, new_line)
	return RegEx.create_from_string("(?m)^script = .*$").sub(text, "$0\n" + new_line)


## The text with faults that the addon can mend.
func broken(text: String, random: RandomNumberGenerator) -> String:
	for fault: String in _FAULTS:
		if random.randi() % 2 == 0:
			text = _with_fault(text, fault, random)
	return text


func _with_fault(text: String, fault: String, random: RandomNumberGenerator) -> String:
	var script := RegEx.create_from_string("(?m)^script = .*$")
	match fault:
		"unused":
			if not "res://unused.tscn" in text:
				var tag := '[ext_resource type="PackedScene" path="res://unused.tscn" id="unused"]\n'
				return text.insert(text.find("[ext_resource"), tag)
		"untidy":
			return RegEx.create_from_string("(?m)^script = ").sub(text, "script  =   ")
		"misspelt":
			# Of properties that the user does not set here.
			var misspelt := "colision_mask = %d" if text.begins_with("[gd_scene") else 'noet = "%d"'
			if not misspelt.get_slice(" ", 0) in text:
				return script.sub(text, "$0\n" + misspelt % random.randi_range(1, 9))
		"comment":
			return script.sub(text, "$0\n; a note %d" % random.randi())
	return text
