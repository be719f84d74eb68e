@tool
extends RefCounted
## Finds lines that a save has overwritten: they were changed on the disk after the editor had read the file.

const _Loss := preload("loss.gd")
const _Native := preload("../shared/native.gd")


## `held` is the text that the editor had read, `before` the text on the disk, `after` the text that the editor has written. Lines
## that belong together are one loss.
static func find(held: PackedByteArray, before: PackedByteArray, after: PackedByteArray) -> Array[_Loss]:
	var found: Array[_Loss] = []
	if held == before or before == after:
		return found
	var lines: Array[PackedStringArray] = [_lines_of(held), _lines_of(before), _lines_of(after)]
	var is_kept := _equal_lines(_Native.side_by_side(before, after), lines[1], lines[2])
	var is_back := _equal_lines(_Native.side_by_side(held, after), lines[0], lines[2])
	var new_lines: PackedInt32Array = []
	var old_lines: PackedInt32Array = []
	var at := 0
	# A last equal row ends the differences.
	var rows := _Native.side_by_side(held, before)
	rows.append_array([0, 0])
	for row: int in range(0, rows.size(), 2):
		var old := rows[row]
		var new := rows[row + 1]
		var is_end := old == new and old == 0
		if not is_end and not (old > 0 and new > 0 and lines[0][old - 1] == lines[1][new - 1]):
			if new > 0 and not is_kept.has(new) and not lines[1][new - 1].strip_edges().is_empty():
				new_lines.append(new)
			if old > 0 and is_back.has(old) and not lines[0][old - 1].strip_edges().is_empty():
				old_lines.append(old)
			continue
		if not new_lines.is_empty():
			found.append(_overwritten(new_lines, lines[1], new_lines[0], "new"))
		elif not old_lines.is_empty():
			found.append(_overwritten(old_lines, lines[0], at + 1, "gone"))
		new_lines.clear()
		old_lines.clear()
		at = new
	return found


static func _overwritten(numbers: PackedInt32Array, lines: PackedStringArray, line: int, cause: String) -> _Loss:
	var texts: PackedStringArray = []
	for number: int in numbers:
		texts.append(lines[number - 1])
	var loss := _Loss.new()
	loss.kind = _Loss.OVERWRITTEN
	loss.cause = cause
	loss.value = "\n".join(texts)
	loss.line = line
	loss.last_line = numbers[-1] if cause == "new" else line
	loss.reason = "this was %s on the disk when the editor saved" % cause
	return loss


## The lines of the first text that have an equal line in the second text.
static func _equal_lines(rows: PackedInt32Array, one: PackedStringArray, other: PackedStringArray) -> Dictionary[int, bool]:
	var equal: Dictionary[int, bool] = {}
	for row: int in range(0, rows.size(), 2):
		if rows[row] > 0 and rows[row + 1] > 0 and one[rows[row] - 1] == other[rows[row + 1] - 1]:
			equal[rows[row]] = true
	return equal


static func _lines_of(text: PackedByteArray) -> PackedStringArray:
	return text.get_string_from_utf8().replace("\r\n", "\n").split("\n")
