@tool
extends RefCounted
## The contents of encoded bytes: rows with their places, as [method FastVariant.inspect] lists them, for one value or for many that
## follow each other.

## How the values follow each other.
enum _Framing {
	GUESS,
	## One value, and nothing else.
	VALUE,
	## Each has its length in front, as [method FileAccess.store_var], [method FastVariant.store] and [VariantStream] write it.
	LENGTHS,
	## The same in a file or a stream with `big_endian` set.
	LENGTHS_BIG_ENDIAN,
	## One after the other, without a length.
	SEQUENCE,
}

class _Row:
	var start: int
	## Includes the contents of the value.
	var end: int
	## Where the value begins, behind its key or its length.
	var value_start: int
	## From 0.
	var level: int
	var text: String
	## The key, if there is one.
	var key: String
	var is_error: bool
	## Whether a value can be decoded there.
	var is_value := true

const _CODEC := &"FastVariant"
## The columns of a listing: offset, two spaces, bytes, content. Content is indented by two spaces for each level.
const _OFFSET_LENGTH := 8
const _CONTENT_COLUMN := 47
const _SPACES_PER_LEVEL := 2
const _LENGTH_SIZE := 4
## Begins the line that says how much is not listed.
const _REST := "… and "
const _ERROR := "error: "
## Behind the step to the value: an index, a key or a property. In a key or a text, the word does not count.
const _ERROR_ROW := "^(\\[[^\"\\]]*\\] |\\[[^\"]*\"([^\"\\\\]|\\\\.)*\"[^\\]]*\\] |\\.\\S* )?error: "
const _BEHIND := "behind the value"
## The part of a sequence that is listed at once, in bytes; four times as much if that is not the whole value.
const _PIECE := 1 << 14
## Rows that a guess looks at.
const _GUESS_ROWS := 200

var rows: Array[_Row] = []
## The first that is wrong, or empty.
var error := ""
## Where it is, or -1.
var error_offset := -1
## Which one was taken.
var framing := _Framing.VALUE
var value_count := 0
var _bytes: PackedByteArray
var _dialect := 0
var _max_rows := 0


func _init(bytes: PackedByteArray, wanted: _Framing, dialect: int, max_rows: int) -> void:
	_bytes = bytes
	_dialect = dialect
	_max_rows = max_rows
	framing = _guess() if wanted == _Framing.GUESS else wanted
	_list()


## The innermost row that has this byte, or -1.
func row_at(offset: int) -> int:
	var low := 0
	var high := rows.size()
	while low < high:
		@warning_ignore("integer_division")
		var middle := (low + high) / 2
		if rows[middle].start <= offset:
			low = middle + 1
		else:
			high = middle
	return low - 1


## The framing that reads the bytes without an error; if all have one, the framing that reads furthest.
func _guess() -> _Framing:
	var best := _Framing.VALUE
	var furthest := -1
	var script: GDScript = get_script()
	for candidate: _Framing in [_Framing.VALUE, _Framing.LENGTHS, _Framing.LENGTHS_BIG_ENDIAN, _Framing.SEQUENCE]:
		var listing: RefCounted = script.new(_bytes, candidate, _dialect, _GUESS_ROWS)
		var offset: int = listing.get(&"error_offset")
		if offset < 0:
			return candidate
		if offset > furthest:
			best = candidate
			furthest = offset
	return best


func _list() -> void:
	match framing:
		_Framing.VALUE:
			_add_value(0, 0, _bytes.size(), "")
			_note_rest_of_value()
		_Framing.SEQUENCE:
			_list_sequence()
		_:
			_list_frames(framing == _Framing.LENGTHS_BIG_ENDIAN)
	_close_rows()


## The bytes after a value that should be alone.
func _note_rest_of_value() -> void:
	if rows[-1].text.ends_with(_BEHIND):
		_note_error(rows[-1].text, rows[-1].start)


func _list_frames(is_big_endian: bool) -> void:
	var at := 0
	while at < _bytes.size() and rows.size() < _max_rows and not _is_cut():
		var left := _bytes.size() - at - _LENGTH_SIZE
		if left < 0:
			_add_error(at, "error: %d bytes are left, a length has 4 (at byte %d)" % [left + _LENGTH_SIZE, at])
			return
		var length := _bytes.decode_u32(at)
		if is_big_endian:
			length = (length & 0xff) << 24 | (length & 0xff00) << 8 | (length >> 8) & 0xff00 | length >> 24
		if length > left:
			_add_error(at, "error: the length says %d bytes, %d are left (at byte %d)" % [length, left, at])
			return
		var start := at + _LENGTH_SIZE
		_add_value(at, start, start + length, "[%d] " % value_count)
		at = start + length
		_note_rest_of_value()
	if at < _bytes.size():
		_add_rest(at)


func _list_sequence() -> void:
	var at := 0
	var piece := _PIECE
	while at < _bytes.size() and rows.size() < _max_rows:
		var count := rows.size()
		var end := mini(at + piece, _bytes.size())
		_add_value(at, at, end, "[%d] " % value_count)
		if _is_cut():
			return
		var is_whole := rows[-1].text.ends_with(_BEHIND)
		if not is_whole and end < _bytes.size():
			# It was cut off by us.
			rows.resize(count)
			_forget_error()
			value_count -= 1
			piece *= 4
			continue
		if not error.is_empty() or not is_whole:
			return
		piece = _PIECE
		at = rows[-1].start
		rows.remove_at(rows.size() - 1)
	if at < _bytes.size():
		_add_rest(at)


## Whether there is more than the rows that were asked for.
func _is_cut() -> bool:
	return not rows.is_empty() and rows[-1].text.begins_with(_REST)


func _add_rest(at: int) -> void:
	var row := _Row.new()
	row.start = at
	row.value_start = at
	row.text = "%s%d bytes more" % [_REST, _bytes.size() - at]
	row.is_value = false
	rows.append(row)


func _forget_error() -> void:
	error = ""
	error_offset = -1


## `start` is that of its length, if it has one.
func _add_value(start: int, value_start: int, end: int, name: String) -> void:
	value_count += 1
	var room := maxi(_max_rows - rows.size(), 1)
	var bytes := _bytes.slice(value_start, end) if end - value_start < _bytes.size() else _bytes
	var listing: String = ClassDB.class_call_static(_CODEC, &"inspect", bytes, room, _dialect)
	var first := rows.size()
	for line: String in listing.split("\n", false):
		var content := line.substr(_CONTENT_COLUMN)
		# A value of many bytes has more lines, which have nothing but bytes.
		if not content.is_empty() or rows.size() == first or line.contains(_REST):
			_add_row(line, content, value_start)
	if first < rows.size():
		rows[first].start = start
		rows[first].text = name + rows[first].text


func _add_row(line: String, content: String, base: int) -> void:
	var row := _Row.new()
	var text := content.strip_edges(true, false)
	row.start = base + line.left(_OFFSET_LENGTH).hex_to_int()
	row.value_start = row.start
	@warning_ignore("integer_division")
	row.level = (content.length() - text.length()) / _SPACES_PER_LEVEL
	row.text = text if not text.is_empty() else line.substr(_OFFSET_LENGTH).strip_edges()
	row.is_value = not text.is_empty() and not text.ends_with(_BEHIND) and not text.begins_with("name ")
	if text.contains(_ERROR) and RegEx.create_from_string(_ERROR_ROW).search(text) != null:
		row.is_error = true
		row.is_value = false
		row.text = _moved(text, base)
		_note_error(row.text.substr(row.text.find(_ERROR)), row.start)
	_take_key(row)
	rows.append(row)


## A key and its value are one row.
func _take_key(row: _Row) -> void:
	if rows.is_empty() or rows[-1].level != row.level or row.text.begins_with("[key "):
		return
	var before := rows[-1]
	if before.text.begins_with("[key "):
		row.key = before.text.substr(before.text.find("] ") + 2)
	elif before.text.begins_with("name "):
		row.key = before.text.trim_prefix("name ")
	else:
		return
	row.start = before.start
	rows.remove_at(rows.size() - 1)


func _add_error(at: int, text: String) -> void:
	var row := _Row.new()
	row.start = at
	row.value_start = at
	row.text = text
	row.is_error = true
	row.is_value = false
	rows.append(row)
	_note_error(text, at)


func _note_error(text: String, at: int) -> void:
	if error.is_empty():
		error = text
		var place := text.get_slice("(at byte ", 1)
		error_offset = place.to_int() if place != text else at


## "(at byte 24)" is counted from the start of the value.
func _moved(text: String, base: int) -> String:
	var place := text.rfind("(at byte ")
	if place < 0:
		return text
	return "%s(at byte %d)" % [text.left(place), base + text.substr(place + "(at byte ".length()).to_int()]


## A row ends where the next one of its level, or above it, begins.
func _close_rows() -> void:
	var open: Array[_Row] = []
	for row: _Row in rows:
		while not open.is_empty() and open[-1].level >= row.level:
			var closed: _Row = open.pop_back()
			closed.end = row.start
		open.append(row)
	for row: _Row in open:
		row.end = _bytes.size()
