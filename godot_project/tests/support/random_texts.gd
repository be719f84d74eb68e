extends RefCounted
## Random texts, names and paths: every UTF-8 length, every padding, and what a codec gets wrong.

const Oracle := preload("res://tests/support/oracle.gd")
const RandomNumbers := preload("res://tests/support/random_numbers.gd")

const TEXTS: Array[String] = [
	"", "a", "ab", "abc", "abcd", "position", "Hello, World!", "\n\t\r\"\\", "\u007f\u0080\u07ff\u0800\uffff",
	# A byte order mark: the engine encodes a leading one and drops it when it decodes.
	"\ufeff", "\ufeffabc", "\ufeff\ufeff", "a\ufeffb",
	"Grüße", "пример", "日本語のテキスト", "한국어", "ابجد", "e\u0301\u200d\u202e", "\ufffd\ufffe",
	"😀", "👩‍👩‍👧‍👦", "\U010ffff", "a😀日ü", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
]
const PATHS: Array[String] = [
	"", ".", "..", "/", "/root", "/root/Main/Player", "../Sibling", "a", "ab", "abc", "abcd", "Node2D:position:x",
	":position", ":position:x", ":", "a:", "/root:", "%Unique", "%Unique/Child:prop", "a/../b", "Ünï/日本:😀",
	"with space/and.dot", "A/B/C/D/E/F/G/H:i:j:k",
]
## Code points of each length in UTF-8, as first and last of a range.
const RANGES: Array[Vector2i] = [
	Vector2i(0x20, 0x7e), Vector2i(0x20, 0x7e), Vector2i(0x01, 0x7f), Vector2i(0x80, 0x7ff), Vector2i(0x800, 0xd7ff),
	Vector2i(0xe000, 0xffff), Vector2i(0x1_0000, 0x10_ffff),
]
## A path is cached by the engine as unique names, which stay unique for ever if there are too many of them.
const WORD_LEN := 12

var _numbers: RandomNumbers
var _pads_paths := Oracle.writes_node_path_padding()


func _init(numbers: RandomNumbers) -> void:
	_numbers = numbers


func text() -> String:
	match _numbers.below(8):
		0, 1, 2: return TEXTS[_numbers.below(TEXTS.size())]
		3, 4: return _letters(_numbers.below(40), RANGES[0])
		5: return _letters(_numbers.below(20), RANGES[_numbers.below(RANGES.size())])
		6: return _mixture(_numbers.below(40))
	# Long enough for every fast path, with something else than ASCII at a random place.
	var head := _letters(_numbers.below(300), RANGES[0])
	return head + _mixture(_numbers.below(3)) + _letters(_numbers.below(90), RANGES[0])


func name() -> StringName:
	return StringName(text().left(WORD_LEN))


## Some of these make the engine print that they are no valid paths: mute it.
func path() -> NodePath:
	if not _pads_paths:
		return NodePath(_letters(4, RANGES[0]).validate_node_name() + ":" + "size")
	if _numbers.one_in(2):
		return NodePath(PATHS[_numbers.below(PATHS.size())])
	var written := "/" if _numbers.one_in(3) else ""
	for index: int in _numbers.below(4):
		written += ("/" if index > 0 else "") + _word()
	for index: int in _numbers.below(3):
		written += ":" + _word()
	return NodePath(written)


func _word() -> String:
	return _letters(1 + _numbers.below(WORD_LEN), RANGES[0 if _numbers.one_in(2) else _numbers.below(RANGES.size())])


func _letters(count: int, span: Vector2i) -> String:
	var letters: PackedInt32Array = []
	letters.resize(count)
	for index: int in count:
		letters[index] = _numbers.rng.randi_range(span.x, span.y)
	return letters.to_byte_array().get_string_from_utf32()


func _mixture(count: int) -> String:
	var mixed := ""
	for index: int in count:
		mixed += _letters(1, RANGES[_numbers.below(RANGES.size())])
	return mixed
