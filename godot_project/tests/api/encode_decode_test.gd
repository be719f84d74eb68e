extends "res://tests/test_suite.gd"
## `FastVariant.encode` and `decode` as a game uses them.

const ScriptedRef := preload("res://tests/fixtures/scripted_ref.gd")
const ScriptedResource := preload("res://tests/fixtures/scripted_resource.gd")

# Constants of GDScript are read-only, and so are the arrays in them: the engine keeps them differently.
const NUMBERS := [1, 2.5, "three", [4, [5]], {"six": 7}]
const TYPED_NUMBERS: Array[int] = [1, -1, 1 << 40]
const SETTINGS := {"volume": 0.5, "keys": ["w", "a"], 3: null}
const EMPTY := []


func test_known_bytes() -> Outcome:
	var typed: Array[int] = [1]
	check_equal(FastVariant.encode(null).hex_encode(), "00000000", "null")
	check_equal(FastVariant.encode(true).hex_encode(), "0100000001000000", "true")
	check_equal(FastVariant.encode("abc").hex_encode(), "040000000300000061626300", "a String")
	check_equal(FastVariant.encode(0.1).hex_encode(), "030001009a9999999999b93f", "a float that f32 cannot hold")
	check_equal(FastVariant.encode(typed).hex_encode(), "1c00010002000000010000000200000001000000", "an Array[int]")
	check_equal(FastVariant.decode("040000000300000061626300".hex_decode()), "abc", "decoded")
	return DONE


func test_null_is_a_value() -> Outcome:
	var bytes := FastVariant.encode(null)
	check_equal(bytes.size(), 4, "size")
	check_equal(FastVariant.decode(bytes), null, "decoded")
	check(FastVariant.try_decode(bytes).ok, "ok")
	return DONE


func test_constants_and_read_only_values() -> Outcome:
	var frozen: Array = [1, "two", [3]]
	frozen.make_read_only()
	var frozen_dictionary := {"a": frozen}
	frozen_dictionary.make_read_only()
	for value: Variant in [NUMBERS, TYPED_NUMBERS, SETTINGS, EMPTY, frozen, frozen_dictionary, [NUMBERS, SETTINGS]]:
		var bytes := FastVariant.encode(value)
		check_equal(bytes, var_to_bytes(value), "bytes of %s" % [value])
		check_equal(FastVariant.decode(bytes), value, "decoded %s" % [value])
	var decoded: Array = FastVariant.decode(FastVariant.encode(NUMBERS))
	check(not decoded.is_read_only(), "what is decoded can be changed")
	decoded.append(1)
	check(NUMBERS.is_read_only() and NUMBERS.size() == 5, "the constant is as it was")
	return DONE


func test_decoded_values_are_independent() -> Outcome:
	var inner: Array = [1]
	var value := {"first": inner, "second": inner, "bytes": PackedByteArray([1, 2, 3])}
	var bytes := FastVariant.encode(value)
	var first: Dictionary = FastVariant.decode(bytes)
	var second: Dictionary = FastVariant.decode(bytes)
	var first_inner: Array = first.first
	var first_packed: PackedByteArray = first.bytes
	first_inner.append(2)
	first_packed.append(4)
	check_equal(first.second, [1], "an array that stood there twice is two arrays")
	check_equal(second, value, "decoding again")
	check_equal(FastVariant.encode(value), bytes, "the value that was encoded")
	return DONE


func test_equal_texts_are_independent() -> Outcome:
	var decoded: Array = FastVariant.decode(FastVariant.encode(["same", "same", {"same": "same"}]))
	decoded[0] += "!"
	check_equal(decoded, ["same!", "same", {"same": "same"}], "after a change of one")
	return DONE


func test_objects_become_ids() -> Outcome:
	var object := ScriptedRef.new()
	var bytes := FastVariant.encode([object, null])
	check_equal(bytes, var_to_bytes([object, null]), "bytes")
	var decoded: Array = FastVariant.decode(bytes)
	var encoded: EncodedObjectAsID = decoded[0]
	check_equal(encoded.object_id, object.get_instance_id(), "object_id")
	check_equal(decoded[1], null, "null")
	return DONE


func test_objects_with_properties() -> Outcome:
	var resource := ScriptedResource.new()
	resource.title = "Grüße"
	resource.points = [Vector2(1, 2), Vector2(3, 4)]
	resource.value = {"nested": [1, ScriptedRef.new()]}
	var bytes := FastVariant.encode_with_objects(resource)
	check_equal(bytes, var_to_bytes_with_objects(resource), "bytes")
	var decoded: ScriptedResource = FastVariant.decode_with_objects(bytes)
	check_equal(decoded.title, resource.title, "title")
	check_equal(decoded.points, resource.points, "points")
	check(decoded.value.nested[1] is ScriptedRef, "a nested object has its script")
	return DONE


## The engine decodes this one wrongly up to 4.7.2.
func test_typed_dictionary_of_scripts() -> Outcome:
	var typed: Dictionary[String, ScriptedRef] = {"a": ScriptedRef.new()}
	var decoded: Dictionary = FastVariant.decode_with_objects(FastVariant.encode_with_objects(typed))
	check(decoded.is_same_typed(typed), "the type of the decoded dictionary")
	check(decoded.get("a") is ScriptedRef, "its value")
	return DONE


func test_freed_object() -> Outcome:
	var holder: Array = [Node.new()]
	var node: Node = holder[0]
	node.free()
	check_equal(FastVariant.encode(holder), var_to_bytes(holder), "in an array")
	check_equal(FastVariant.encode(holder[0]), var_to_bytes(null), "alone")
	check_equal(FastVariant.encode_with_objects(holder), var_to_bytes_with_objects(holder), "with objects")
	return DONE


func test_encoded_size() -> Outcome:
	for value: Variant in [null, 1, 1 << 40, "text", "日本", NUMBERS, SETTINGS, PackedStringArray(["", "a"]), ^"/a/b:c"]:
		check_equal(FastVariant.encoded_size(value), FastVariant.encode(value).size(), "of %s" % [value])
	return DONE


func test_bytes_after_the_value_do_not_matter() -> Outcome:
	var bytes := FastVariant.encode([1, 2])
	var size := bytes.size()
	bytes.append_array([1, 2, 3])
	check_equal(FastVariant.decode(bytes), [1, 2], "decoded")
	check_equal(FastVariant.try_decode(bytes).bytes_read, size, "bytes_read")
	return DONE
