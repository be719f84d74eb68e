extends RefCounted
## Random values of all types, nested in containers of all kinds. The same seed makes the same values, apart from the
## ids of objects.

const ContainerKinds := preload("res://tests/support/container_kinds.gd")
const ObjectPool := preload("res://tests/support/object_pool.gd")
const RandomNumbers := preload("res://tests/support/random_numbers.gd")
const RandomValues := preload("res://tests/support/random_values.gd")
const ScriptedRef := preload("res://tests/fixtures/scripted_ref.gd")

const Kind := ContainerKinds.Kind
const MAX_NESTING := 4

var numbers: RandomNumbers
var objects: ObjectPool
var _leaves: RandomValues


func _init(rng_seed: int, with_nodes: bool = true) -> void:
	var rng := RandomNumberGenerator.new()
	rng.seed = rng_seed
	numbers = RandomNumbers.new(rng)
	objects = ObjectPool.new(numbers, with_nodes)
	_leaves = RandomValues.new(numbers, objects)


## Must be called when no value is needed any more.
func free_objects() -> void:
	objects.free_nodes()


func any() -> Variant:
	return _any(0)


## A value with a `type` in a container of `kind`, and other values around it.
func with(type: int, kind: int) -> Variant:
	var holder: Variant = _container(kind, type, 1)
	# Not always outermost: its own header and the count before it move.
	return holder if numbers.one_in(2) else [_any(MAX_NESTING - 1), holder, _any(MAX_NESTING - 1)]


func _any(nesting: int) -> Variant:
	if nesting < MAX_NESTING and numbers.one_in(3):
		var kind := numbers.below(Kind.size())
		var type := _type_for(kind)
		return _container(kind, type, nesting + 1)
	return _of_type(numbers.below(TYPE_MAX), nesting)


func _type_for(kind: int) -> int:
	var type := numbers.below(TYPE_MAX)
	while not ContainerKinds.can_hold(kind, type):
		type = TYPE_OBJECT if type == TYPE_NIL or ContainerKinds.can_hold(kind, TYPE_OBJECT) else numbers.below(TYPE_MAX)
	return type


func _of_type(type: int, nesting: int) -> Variant:
	match type:
		TYPE_ARRAY:
			return [] if nesting >= MAX_NESTING else _array(_any_key_type(), nesting + 1)
		TYPE_DICTIONARY:
			return {} if nesting >= MAX_NESTING else _dictionary(_any_key_type(), _any_key_type(), nesting + 1)
	return _leaves.of_type(type)


func _container(kind: int, type: int, nesting: int) -> Variant:
	match kind:
		Kind.ROOT: return _of_type(type, nesting)
		Kind.ARRAY, Kind.TYPED_ARRAY, Kind.CLASS_ARRAY, Kind.SCRIPT_ARRAY:
			return _array(_element_type(kind, type), nesting)
		Kind.PROPERTY:
			var holder := ScriptedRef.new()
			holder.value = _of_type(type, nesting)
			return holder
		Kind.DICTIONARY_KEY, Kind.TYPED_DICTIONARY_KEY, Kind.CLASS_DICTIONARY_KEY, Kind.SCRIPT_DICTIONARY_KEY:
			return _dictionary(_element_type(kind, type), _any_key_type(), nesting)
	return _dictionary(_any_key_type(), _element_type(kind, type), nesting)


# Element types ----------------------------------------------------------------------------------------------------

## What a container holds, and whether it says so.
class ElementType:
	extends RefCounted
	var type: int
	var typed: bool
	var of_class: StringName
	var of_script: GDScript

	func declared() -> int:
		return type if typed else TYPE_NIL


func _element_type(kind: int, type: int) -> ElementType:
	var element := ElementType.new()
	element.type = type
	match kind:
		Kind.TYPED_ARRAY, Kind.TYPED_DICTIONARY_KEY, Kind.TYPED_DICTIONARY_VALUE:
			element.typed = true
		Kind.CLASS_ARRAY, Kind.CLASS_DICTIONARY_KEY, Kind.CLASS_DICTIONARY_VALUE:
			element.typed = true
			element.of_class = objects.classes[numbers.below(objects.classes.size())]
		Kind.SCRIPT_ARRAY, Kind.SCRIPT_DICTIONARY_KEY, Kind.SCRIPT_DICTIONARY_VALUE:
			element.typed = true
			element.of_script = objects.scripts[numbers.below(objects.scripts.size())]
			element.of_class = element.of_script.get_instance_base_type()
	return element


## Mostly untyped and mixed.
func _any_key_type() -> ElementType:
	if numbers.one_in(3):
		return _element_type(Kind.TYPED_ARRAY, _type_for(Kind.TYPED_ARRAY))
	return _element_type(Kind.ARRAY, numbers.below(TYPE_MAX))


func _element(element_type: ElementType, nesting: int) -> Variant:
	if element_type.of_script != null:
		return null if numbers.one_in(5) else objects.instance_of_script(element_type.of_script)
	if element_type.of_class != &"":
		return null if numbers.one_in(5) else objects.instance_of(element_type.of_class)
	return _of_type(element_type.type, nesting)


# Containers -------------------------------------------------------------------------------------------------------

func _array(element_type: ElementType, nesting: int) -> Array:
	var elements: Array = []
	for index: int in _count():
		elements.append(_element(element_type, nesting))
	if element_type.typed:
		elements = Array(elements, element_type.declared(), element_type.of_class, element_type.of_script)
	elif numbers.one_in(2):
		elements.insert(numbers.below(elements.size() + 1), _any(nesting))
	if numbers.one_in(10):
		elements.make_read_only()
	return elements


func _dictionary(keys: ElementType, values: ElementType, nesting: int) -> Dictionary:
	var entries := {}
	for index: int in _count():
		entries[_element(keys, nesting)] = _element(values, nesting)
	if keys.typed or values.typed:
		entries = Dictionary(entries, keys.declared(), keys.of_class, keys.of_script, values.declared(),
				values.of_class, values.of_script)
	elif numbers.one_in(2):
		entries[_any(nesting)] = _any(nesting)
	# Deleted entries leave marks in the engine's hash table.
	if numbers.one_in(8):
		entries.erase(entries.keys().front())
	if numbers.one_in(10):
		entries.make_read_only()
	return entries


## Seldom none, seldom many.
func _count() -> int:
	match numbers.below(12):
		0: return 0
		1: return numbers.below(20)
	return 1 + numbers.below(3)
