extends RefCounted
## Bytes for the eye.

const BYTES_PER_LINE := 32
const SHOWN_LINES := 40


## Lines of an offset and bytes; long dumps show the part around `mark`.
static func dump(bytes: PackedByteArray, mark: int = 0) -> String:
	var first_line := maxi(0, mark / BYTES_PER_LINE - SHOWN_LINES / 2)
	var lines: PackedStringArray = []
	for line: int in range(first_line, first_line + SHOWN_LINES):
		var offset := line * BYTES_PER_LINE
		if offset >= bytes.size():
			break
		lines.append("%06x  %s" % [offset, bytes.slice(offset, offset + BYTES_PER_LINE).hex_encode()])
	return "%d bytes:\n%s" % [bytes.size(), "\n".join(lines)]


static func difference(expected: PackedByteArray, actual: PackedByteArray) -> String:
	var offset := 0
	while offset < mini(expected.size(), actual.size()) and expected[offset] == actual[offset]:
		offset += 1
	return "first difference at byte %d\nexpected %s\nactual   %s" % [
		offset, dump(expected, offset), dump(actual, offset)]
