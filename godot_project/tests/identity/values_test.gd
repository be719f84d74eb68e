extends "res://tests/test_suite.gd"
## Random values of all types: our bytes are the engine's, and so is what we decode from them.

const ContainerKinds := preload("res://tests/support/container_kinds.gd")
const Coverage := preload("res://tests/support/coverage.gd")
const DecodedObjects := preload("res://tests/support/decoded_objects.gd")
const Dictionaries := preload("res://tests/support/dictionaries.gd")
const Hex := preload("res://tests/support/hex.gd")
const Oracle := preload("res://tests/support/oracle.gd")
const SameValue := preload("res://tests/support/same_value.gd")
const ScriptedRef := preload("res://tests/fixtures/scripted_ref.gd")
const ValueGenerator := preload("res://tests/support/value_generator.gd")

const Kind := ContainerKinds.Kind
## How often each type is seen in each kind of container, at least; less often if few values are asked for.
const MINIMUM := 100
const MINIMUM_SHARE := 600

var _generator: ValueGenerator
var _coverage: Coverage
var _values: int = 0
var _unencodable: int = 0
var _decoded_with_objects: int = 0
var _confused_scripts := Oracle.confuses_dictionary_scripts(ScriptedRef)


func test_every_type_in_every_container() -> Outcome:
	_generator = ValueGenerator.new(options.rng_seed)
	_coverage = Coverage.new()
	for kind: int in Kind.size():
		for type: int in TYPE_MAX:
			_reach_minimum(kind, type)
	while _values < options.count and failure_count == 0:
		_compare(_any())
	_generator.free_objects()
	if failure_count == 0:
		_report()
	return DONE


func _reach_minimum(kind: int, type: int) -> void:
	if not ContainerKinds.can_hold(kind, type):
		return
	# A container may turn out empty, so there are more attempts than hits.
	for attempt: int in _minimum() * 3:
		if _coverage.count(kind, type) >= _minimum() or failure_count > 0:
			return
		Engine.print_error_messages = false
		var value: Variant = _generator.with(type, kind)
		Engine.print_error_messages = true
		_compare(value)


func _minimum() -> int:
	return clampi(options.count / MINIMUM_SHARE, 1, MINIMUM)


## Muted, because the engine prints what it thinks of odd node paths.
func _any() -> Variant:
	Engine.print_error_messages = false
	var value: Variant = _generator.any()
	Engine.print_error_messages = true
	return value


func _report() -> void:
	note("%d values; decoded with objects: %d; with an object that has no bytes: %d" % [
		_values, _decoded_with_objects, _unencodable])
	note(_coverage.table())
	for missing in _coverage.missing(_minimum()):
		fail("seen less than %d times: %s" % [_minimum(), missing])
	if _confused_scripts:
		note("This engine decodes typed dictionaries with the wrong script: those were not compared.")


func _compare(value: Variant) -> void:
	_values += 1
	_coverage.add(value)
	var bytes := Oracle.encode(value)
	check_bytes("encode", bytes, FastVariant.encode(value))
	check_equal(FastVariant.encoded_size(value), bytes.size(), "encoded_size")
	_compare_decoded(bytes)
	_compare_with_objects(value, bytes)
	if failure_count > 0:
		fail("seed %d, value number %d: %s" % [options.rng_seed, _values, describe(value)])


func check_bytes(what: String, expected: PackedByteArray, actual: PackedByteArray) -> void:
	if expected != actual:
		fail("%s: %s" % [what, Hex.difference(expected, actual)])


func _compare_decoded(bytes: PackedByteArray) -> void:
	var expected: Variant = Oracle.decode(bytes)
	var actual: Variant = FastVariant.decode(bytes)
	var difference := SameValue.difference(expected, actual)
	if not difference.is_empty():
		fail("decode: %s, from %s" % [difference, Hex.dump(bytes)])
	check_bytes("decoded and encoded again", Oracle.encode_again(expected), Oracle.encode_again(actual))


func _compare_with_objects(value: Variant, bytes_without: PackedByteArray) -> void:
	var bytes := Oracle.encode_with_objects(value)
	if bytes.is_empty():
		_unencodable += 1
		Engine.print_error_messages = false
	check_bytes("encode_with_objects", bytes, FastVariant.encode_with_objects(value))
	Engine.print_error_messages = true
	# Without an object in it, the bytes are the same and have been decoded already.
	if bytes.is_empty() or bytes == bytes_without or not _survives_with_objects(value):
		return
	_decoded_with_objects += 1
	_compare_decoded_with_objects(bytes)


func _compare_decoded_with_objects(bytes: PackedByteArray) -> void:
	var expected: Variant = Oracle.decode_with_objects(bytes)
	Engine.print_error_messages = false
	var actual: Variant = FastVariant.decode_with_objects(bytes)
	Engine.print_error_messages = true
	var difference := SameValue.difference(expected, actual)
	if not difference.is_empty():
		fail("decode_with_objects: %s, from %s" % [difference, Hex.dump(bytes)])
	check_bytes("decoded with objects and encoded again", Oracle.encode_again(expected), Oracle.encode_again(actual))
	DecodedObjects.free_all(expected)
	DecodedObjects.free_all(actual)


## Whether the engine gets back all of what it has encoded with objects.
func _survives_with_objects(value: Variant) -> bool:
	if _confused_scripts and Dictionaries.any_in(value, Dictionaries.is_typed_by_script):
		return false
	return not Dictionaries.any_in(value, Dictionaries.has_merging_keys)
