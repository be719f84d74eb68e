extends RefCounted
## What runs against each other. Each takes a number of repetitions and does nothing but the call in a loop, with the
## result kept in a typed variable, as in a game: that decides how GDScript calls. Both sides pay for the same loop.
## Returns the last result, so that whoever measures can free it.


static func encode(count: int, value: Variant) -> PackedByteArray:
	var bytes: PackedByteArray
	for index: int in count:
		bytes = FastVariant.encode(value)
	return bytes


static func engine_encode(count: int, value: Variant) -> PackedByteArray:
	var bytes: PackedByteArray
	for index: int in count:
		bytes = var_to_bytes(value)
	return bytes


static func decode(count: int, bytes: PackedByteArray) -> Variant:
	var value: Variant
	for index: int in count:
		value = FastVariant.decode(bytes)
	return value


static func engine_decode(count: int, bytes: PackedByteArray) -> Variant:
	var value: Variant
	for index: int in count:
		value = bytes_to_var(bytes)
	return value


static func encode_batch(count: int, values: Array) -> Array[PackedByteArray]:
	var batch: Array[PackedByteArray]
	for index: int in count:
		batch = FastVariant.encode_batch(values)
	return batch


static func engine_encode_each(count: int, values: Array) -> Array[PackedByteArray]:
	var batch: Array[PackedByteArray]
	for index: int in count:
		batch = []
		for value: Variant in values:
			batch.append(var_to_bytes(value))
	return batch


static func decode_batch(count: int, batch: Array[PackedByteArray]) -> Array:
	var values: Array
	for index: int in count:
		values = FastVariant.decode_batch(batch)
	return values


static func engine_decode_each(count: int, batch: Array[PackedByteArray]) -> Array:
	var values: Array
	for index: int in count:
		values = []
		for bytes in batch:
			values.append(bytes_to_var(bytes))
	return values


# Floors ---------------------------------------------------------------------------------------------------------------

## One copy of the encoded bytes. The array is copied when it is first written to.
static func copy(count: int, bytes: PackedByteArray) -> PackedByteArray:
	var copied: PackedByteArray
	for index: int in count:
		copied = bytes.duplicate()
		copied[0] = 1
	return copied


## One copy of each array.
static func copy_each(count: int, batch: Array[PackedByteArray]) -> Array[PackedByteArray]:
	var copies: Array[PackedByteArray]
	for index: int in count:
		copies = []
		for bytes in batch:
			var copied := bytes.duplicate()
			copied[0] = 1
			copies.append(copied)
	return copies


## The engine's making of the same containers, without any bytes: a decoder that fills them through the engine can
## hardly be faster.
static func duplicate_array(count: int, array: Array) -> Array:
	var duplicated: Array
	for index: int in count:
		duplicated = array.duplicate(true)
	return duplicated


static func duplicate_dictionary(count: int, dictionary: Dictionary) -> Dictionary:
	var duplicated: Dictionary
	for index: int in count:
		duplicated = dictionary.duplicate(true)
	return duplicated
