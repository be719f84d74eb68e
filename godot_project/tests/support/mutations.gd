extends RefCounted
## Turns good encodings into byte strings that are slightly or wholly wrong.

const RandomNumbers := preload("res://tests/support/random_numbers.gd")

## Lengths and counts as they are in small values, and as an attacker would have them.
const LENGTHS: Array[int] = [
	0, 1, 2, 3, 4, 5, 7, 8, 16, 255, 65535, 0x0100_0000, 0x2000_0000, 0x4000_0000, 0x7fff_fffc, 0x7fff_fffe, 0x7fff_ffff,
	0x8000_0000, 0x8000_0001, 0x8000_0002, 0xffff_fffc, 0xffff_ffff,
]
const FLAGS: Array[int] = [0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 0xffff]

var _numbers: RandomNumbers


func _init(numbers: RandomNumbers) -> void:
	_numbers = numbers


## A damaged copy of `good`, or its head on the tail of `other`, or something invented.
func next(good: PackedByteArray, other: PackedByteArray) -> PackedByteArray:
	match _numbers.below(10):
		0: return _random_bytes(_numbers.below(64))
		1, 2: return _plausible(3)
		3: return _splice(good, other)
	var bytes := good.duplicate()
	for change: int in 1 + _numbers.below(3):
		bytes = _mutate(bytes)
	return bytes


# Damage -----------------------------------------------------------------------------------------------------------

func _mutate(bytes: PackedByteArray) -> PackedByteArray:
	if bytes.is_empty():
		return _plausible(1)
	match _numbers.below(9):
		0: bytes[_numbers.below(bytes.size())] ^= 1 << _numbers.below(8)
		1: bytes[_numbers.below(bytes.size())] = _numbers.below(256)
		2: return bytes.slice(0, _numbers.below(bytes.size()))
		3: _put_word(bytes, LENGTHS[_numbers.below(LENGTHS.size())])
		4: _put_word(bytes, _header())
		5: _nudge_word(bytes)
		6: return _without(bytes, _word_offset(bytes), 4 * (1 + _numbers.below(3)))
		7: return _inserted(bytes, _word_offset(bytes), _plausible(1))
		8: bytes.append_array(_random_bytes(1 + _numbers.below(8)))
	return bytes


func _word_offset(bytes: PackedByteArray) -> int:
	return 4 * _numbers.below(maxi(1, bytes.size() / 4))


func _put_word(bytes: PackedByteArray, word: int) -> void:
	if bytes.size() >= 4:
		bytes.encode_u32(_word_offset(bytes), word)


## A length that is a little too long or too short.
func _nudge_word(bytes: PackedByteArray) -> void:
	if bytes.size() >= 4:
		var offset := _word_offset(bytes)
		bytes.encode_u32(offset, bytes.decode_u32(offset) + _numbers.rng.randi_range(-4, 4))


func _without(bytes: PackedByteArray, offset: int, count: int) -> PackedByteArray:
	return bytes.slice(0, offset) + bytes.slice(mini(offset + count, bytes.size()))


func _inserted(bytes: PackedByteArray, offset: int, inserted: PackedByteArray) -> PackedByteArray:
	return bytes.slice(0, offset) + inserted + bytes.slice(offset)


func _splice(head: PackedByteArray, tail: PackedByteArray) -> PackedByteArray:
	return head.slice(0, _word_offset(head)) + tail.slice(_word_offset(tail))


# Inventions -------------------------------------------------------------------------------------------------------

func _random_bytes(count: int) -> PackedByteArray:
	var bytes: PackedByteArray = []
	for index: int in count:
		bytes.append(_numbers.below(256))
	return bytes


## A header with any flags; byte 1 is one that the engine ignores.
func _header() -> int:
	var unused := _numbers.below(256) << 8 if _numbers.one_in(8) else 0
	return _numbers.below(TYPE_MAX + 1) | unused | FLAGS[_numbers.below(FLAGS.size())] << 16


## A value as it could have been meant: a header, words that may be types, counts and lengths, and inner values.
func _plausible(nesting: int) -> PackedByteArray:
	var bytes: PackedByteArray = []
	_append_word(bytes, _header())
	for index: int in _numbers.below(4):
		_append_word(bytes, _small_word())
	if nesting > 0:
		for index: int in _numbers.below(4):
			bytes.append_array(_plausible(nesting - 1))
	bytes.append_array(_random_bytes(4 * _numbers.below(5)))
	return bytes


func _small_word() -> int:
	match _numbers.below(4):
		0: return _numbers.below(TYPE_MAX + 1)
		1: return LENGTHS[_numbers.below(LENGTHS.size())]
	return _numbers.below(4)


func _append_word(bytes: PackedByteArray, word: int) -> void:
	bytes.resize(bytes.size() + 4)
	bytes.encode_u32(bytes.size() - 4, word)
