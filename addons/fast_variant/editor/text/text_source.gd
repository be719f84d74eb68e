@tool
extends RefCounted
## A file's text as a text editor can take it: it makes all line ends `\n`. A megabyte takes it half a second and 180 MB of memory
## (measured in Godot 4.6), so that a large file has an excerpt.

const _SceneFiles := preload("../shared/scene_files.gd")

## Files above this are shown in part, in bytes.
const MAX_WHOLE := 4 << 20
## Files above this are not read, in bytes.
const MAX_READ := 128 << 20
## Lines of an excerpt on each side, and characters in each.
const _EXCERPT_LINES := 1000
const _EXCERPT_WIDTH := 2000
const _NEWLINE := 10

## The bytes of the file when it was read.
var bytes: PackedByteArray
var text := ""
## The number of the first line of `text`.
var first_line := 1
## Why the text cannot be edited, or empty.
var refusal := ""
var _line_end := "\n"


func _init(path: String, line: int) -> void:
	if not FileAccess.file_exists(path):
		refusal = "%s does not exist." % path
		return
	var length := _length_of(path)
	if length > MAX_READ:
		refusal = "The file has %s, which is too much to show here. Open it in an external program." % String.humanize_size(length)
		return
	bytes = _SceneFiles.read(path)
	var is_large := bytes.size() > MAX_WHOLE
	var shown := _around(line) if is_large else bytes
	var decoded: Variant = _SceneFiles.as_text(shown)
	if decoded == null:
		refusal = "The file is not plain UTF-8 and cannot be edited here. Open it in an external program."
		return
	text = decoded
	if is_large:
		_shorten_lines()
	else:
		_read_line_ends()


## The content of a file that has this text.
func as_saved(edited: String) -> String:
	return edited.replace("\n", _line_end) if _line_end != "\n" else edited


func _length_of(path: String) -> int:
	var file := FileAccess.open(path, FileAccess.READ)
	return file.get_length() if file != null else 0


func _read_line_ends() -> void:
	if not text.contains("\r"):
		return
	var plain := text.replace("\r\n", "\n")
	_line_end = "\r\n"
	if plain.contains("\r") or as_saved(plain) != text:
		refusal = "The file has line ends of several kinds, which an edit here would change. Format it first, or open it in an external program."
	text = plain


## The bytes of the lines around one; sets `first_line`.
func _around(line: int) -> PackedByteArray:
	var number := 1
	var start := 0
	while number < line - _EXCERPT_LINES:
		var end := bytes.find(_NEWLINE, start)
		if end < 0:
			break
		start = end + 1
		number += 1
	first_line = number
	var stop := start
	while number <= line + _EXCERPT_LINES and stop < bytes.size():
		var end := bytes.find(_NEWLINE, stop)
		stop = end + 1 if end >= 0 else bytes.size()
		number += 1
	return bytes.slice(start, stop)


func _shorten_lines() -> void:
	var lines := text.split("\n")
	for index: int in lines.size():
		if lines[index].length() > _EXCERPT_WIDTH:
			lines[index] = lines[index].left(_EXCERPT_WIDTH) + "…"
	text = "\n".join(lines).trim_suffix("\n")
	refusal = "The file has %s. Lines %d to %d are shown, and cannot be edited here." % [
		String.humanize_size(bytes.size()), first_line, first_line + text.count("\n")
	]
