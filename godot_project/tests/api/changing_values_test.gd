extends "res://tests/test_suite.gd"
## Values that a script changes while they are encoded: the getter of a property is a script.
##
## The engine's own functions walk freed memory then, so there is nothing to compare with: what counts is that the value
## is encoded as it was.

const ChangingRef := preload("res://tests/fixtures/changing_ref.gd")

const FreedNode := preload("res://tests/fixtures/freed_node.gd")

## Few, and so many that the array is a large one.
const FILLER_COUNTS: Array[int] = [100, 5000]


func test_array() -> Outcome:
	for count in FILLER_COUNTS:
		var changing := ChangingRef.new()
		var array: Array = [changing]
		for index: int in count:
			array.append("element %d" % index)
		changing.change = array.clear
		var decoded: Array = FastVariant.decode_with_objects(FastVariant.encode_with_objects(array))
		check_equal(array.size(), 0, "size after the getter ran")
		check_equal(changing.get_count, 1, "how often the getter ran")
		check_equal(decoded.size(), 1 + count, "encoded elements")
		check_equal(decoded[count], "element %d" % (count - 1), "last element")
	return DONE


func test_dictionary() -> Outcome:
	for count in FILLER_COUNTS:
		var changing := ChangingRef.new()
		var dictionary: Dictionary = {"first": changing}
		for index: int in count:
			dictionary[index] = "value %d" % index
		changing.change = func() -> void: dictionary.clear()
		var decoded: Dictionary = FastVariant.decode_with_objects(FastVariant.encode_with_objects(dictionary))
		check_equal(dictionary.size(), 0, "size after the getter ran")
		check_equal(changing.get_count, 1, "how often the getter ran")
		check_equal(decoded.size(), 1 + count, "encoded entries")
		check_equal(decoded[count - 1], "value %d" % (count - 1), "last value")
	return DONE


## The engine's own functions write to freed memory then.
func test_an_object_that_frees_itself() -> Outcome:
	var node := FreedNode.new()
	var bytes := FastVariant.encode_with_objects(node)
	FreedNode.frees_itself = true
	var call_options := {allow_objects = true, classes = ["Node"], scripts = ["res://tests/*"]}
	var decoded := FastVariant.try_decode(bytes, call_options)
	check_equal(decoded.error, "engine_refused", "decoding")
	Engine.print_error_messages = false
	var encoded := FastVariant.encode_with_objects(node)
	Engine.print_error_messages = true
	FreedNode.frees_itself = false
	check_equal(encoded, PackedByteArray(), "encoding")
	check(not is_instance_valid(node), "it is gone")
	return DONE
