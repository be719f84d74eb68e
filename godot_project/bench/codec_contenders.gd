extends RefCounted
## What runs against each other. Each takes a number of repetitions and does nothing but the call in a loop, with the
## result kept in a typed variable, as in a game: that decides how GDScript calls. Both sides pay for the same loop.


static func encode(count: int, value: Variant) -> void:
	for index: int in count:
		var _bytes: PackedByteArray = FastVariant.encode(value)


static func engine_encode(count: int, value: Variant) -> void:
	for index: int in count:
		var _bytes: PackedByteArray = var_to_bytes(value)


static func decode(count: int, bytes: PackedByteArray) -> void:
	for index: int in count:
		var _value: Variant = FastVariant.decode(bytes)


static func engine_decode(count: int, bytes: PackedByteArray) -> void:
	for index: int in count:
		var _value: Variant = bytes_to_var(bytes)


static func encode_batch(count: int, values: Array) -> void:
	for index: int in count:
		var _batch: Array[PackedByteArray] = FastVariant.encode_batch(values)


static func engine_encode_each(count: int, values: Array) -> void:
	for index: int in count:
		var batch: Array[PackedByteArray] = []
		for value: Variant in values:
			batch.append(var_to_bytes(value))


static func decode_batch(count: int, batch: Array[PackedByteArray]) -> void:
	for index: int in count:
		var _values: Array = FastVariant.decode_batch(batch)


static func engine_decode_each(count: int, batch: Array[PackedByteArray]) -> void:
	for index: int in count:
		var values: Array = []
		for bytes in batch:
			values.append(bytes_to_var(bytes))


# Floors ---------------------------------------------------------------------------------------------------------------

## One copy of the encoded bytes. The array is copied when it is first written to.
static func copy(count: int, bytes: PackedByteArray) -> void:
	for index: int in count:
		var copied := bytes.duplicate()
		copied[0] = 1


## One copy of each array.
static func copy_each(count: int, batch: Array[PackedByteArray]) -> void:
	for index: int in count:
		var copies: Array[PackedByteArray] = []
		for bytes in batch:
			var copied := bytes.duplicate()
			copied[0] = 1
			copies.append(copied)


## The engine's making of the same containers, without any bytes: a decoder that fills them through the engine can
## hardly be faster.
static func duplicate_array(count: int, array: Array) -> void:
	for index: int in count:
		var _array: Array = array.duplicate(true)


static func duplicate_dictionary(count: int, dictionary: Dictionary) -> void:
	for index: int in count:
		var _dictionary: Dictionary = dictionary.duplicate(true)
