extends RefCounted
## Byte strings that a decoder might meet: damaged encodings, and inventions that begin plausibly.

const Mutations := preload("res://tests/support/mutations.gd")
const Oracle := preload("res://tests/support/oracle.gd")
const RandomNumbers := preload("res://tests/support/random_numbers.gd")
const ValueGenerator := preload("res://tests/support/value_generator.gd")

## Short, so that a random change often hits something that matters.
const MAX_SEED_LEN := 400
const SEED_COUNT := 64

var _generator: ValueGenerator
var _numbers: RandomNumbers
var _mutations: Mutations
var _with_objects: bool
## Encodings to start from; one is replaced at each use.
var _seeds: Array[PackedByteArray] = []


func _init(rng_seed: int, with_objects: bool) -> void:
	# Decoders drop objects that do not fit where they stand, and a dropped node is never freed.
	_generator = ValueGenerator.new(rng_seed, false)
	_numbers = _generator.numbers
	_mutations = Mutations.new(_numbers)
	_with_objects = with_objects
	for index: int in SEED_COUNT:
		_seeds.append(_encoding())


## Must be called when no byte string is needed any more.
func free_objects() -> void:
	_generator.free_objects()


func next() -> PackedByteArray:
	var fresh := _numbers.below(SEED_COUNT)
	_seeds[fresh] = _encoding()
	return _mutations.next(_seeds[fresh], _seeds[_numbers.below(SEED_COUNT)])


func _encoding() -> PackedByteArray:
	var bytes: PackedByteArray = []
	while bytes.is_empty() or bytes.size() > MAX_SEED_LEN:
		Engine.print_error_messages = false
		var value: Variant = _generator.any()
		Engine.print_error_messages = true
		bytes = Oracle.encode_with_objects(value) if _with_objects else Oracle.encode(value)
	return bytes
