extends "res://tests/test_suite.gd"
## `encode_batch` and `decode_batch`: one result for each input, in order, whatever runs in parallel.

const Oracle := preload("res://tests/support/oracle.gd")
const ValueGenerator := preload("res://tests/support/value_generator.gd")


func test_empty() -> Outcome:
	check_equal(FastVariant.encode_batch([]).size(), 0, "encoded")
	check_equal(FastVariant.decode_batch([]).size(), 0, "decoded")
	return DONE


func test_types_of_the_results() -> Outcome:
	var batch: Variant = FastVariant.encode_batch([1])
	var expected: Array[PackedByteArray] = []
	check(expected.is_same_typed(batch), "encode_batch returns an Array[PackedByteArray]")
	var values: Variant = FastVariant.decode_batch(FastVariant.encode_batch([1, null]))
	check_equal(values, [1, null], "decoded")
	return DONE


func test_order() -> Outcome:
	var values: Array = []
	for index: int in 2500:
		values.append(index)
		values.append([index, "value %d" % index])
	var batch := FastVariant.encode_batch(values)
	check_equal(batch.size(), values.size(), "size")
	for index: int in values.size():
		if batch[index] != var_to_bytes(values[index]):
			fail("value %d has other bytes than alone" % index)
	check_equal(FastVariant.decode_batch(batch), values, "decoded")
	return DONE


func test_random_values() -> Outcome:
	var generator := ValueGenerator.new(options.rng_seed + 1)
	var values: Array = []
	Engine.print_error_messages = false
	for index: int in 3000:
		values.append(generator.any())
	Engine.print_error_messages = true
	var batch := FastVariant.encode_batch(values)
	var decoded := FastVariant.decode_batch(batch)
	for index: int in values.size():
		check_equal(batch[index], Oracle.encode(values[index]), "bytes of value %d" % index)
		check_equal(Oracle.encode_again(decoded[index]), Oracle.encode_again(Oracle.decode(batch[index])),
				"decoded value %d" % index)
	generator.free_objects()
	return DONE


func test_large_parts() -> Outcome:
	var values: Array = []
	for index: int in 24:
		var floats: PackedFloat32Array = []
		floats.resize(100_000)
		floats.fill(index)
		values.append(floats)
	var batch := FastVariant.encode_batch(values)
	for index: int in values.size():
		check(batch[index] == var_to_bytes(values[index]), "bytes of part %d" % index)
	check(FastVariant.decode_batch(batch) == values, "decoded")
	return DONE


func test_typed_values() -> Outcome:
	var values: Array[int] = [1, 2]
	var expected: Array[PackedByteArray] = [var_to_bytes(1), var_to_bytes(2)]
	check_equal(FastVariant.encode_batch(values), expected, "called with types")
	check_equal(ClassDB.class_call_static(&"FastVariant", &"encode_batch", values), expected, "called by name")
	return DONE


## A failure is at its place, and the others are not disturbed.
func test_failures() -> Outcome:
	var cyclic: Array = []
	cyclic.append(cyclic)
	Engine.print_error_messages = false
	var batch := FastVariant.encode_batch([1, cyclic, "three"])
	var good: Array[PackedByteArray] = [var_to_bytes(1), PackedByteArray([99, 0, 0, 0]), var_to_bytes("three"), []]
	var decoded := FastVariant.decode_batch(good)
	Engine.print_error_messages = true
	var expected: Array[PackedByteArray] = [var_to_bytes(1), PackedByteArray(), var_to_bytes("three")]
	check_equal(batch, expected, "encoded")
	check_equal(decoded, [1, null, "three", null], "decoded")
	cyclic.clear()
	return DONE
