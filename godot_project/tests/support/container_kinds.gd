extends RefCounted
## The ways in which a value can stand in another one. A type has to be seen in each of them, because each has its own
## code path: in a header, in a validation, or in the memory of the engine.

enum Kind {
	ROOT,
	ARRAY,
	TYPED_ARRAY,
	CLASS_ARRAY,
	SCRIPT_ARRAY,
	DICTIONARY_KEY,
	DICTIONARY_VALUE,
	TYPED_DICTIONARY_KEY,
	TYPED_DICTIONARY_VALUE,
	CLASS_DICTIONARY_KEY,
	CLASS_DICTIONARY_VALUE,
	SCRIPT_DICTIONARY_KEY,
	SCRIPT_DICTIONARY_VALUE,
	PROPERTY,
}

## Column titles.
const TITLES: Array[String] = [
	"root", "array", "array[T]", "array[class]", "array[script]", "key", "value", "key[T]", "value[T]", "key[class]",
	"value[class]", "key[script]", "value[script]", "property",
]


static func can_hold(kind: int, type: int) -> bool:
	match kind:
		Kind.TYPED_ARRAY, Kind.TYPED_DICTIONARY_KEY, Kind.TYPED_DICTIONARY_VALUE:
			return type != TYPE_NIL and type != TYPE_OBJECT
		Kind.CLASS_ARRAY, Kind.SCRIPT_ARRAY, Kind.CLASS_DICTIONARY_KEY, Kind.CLASS_DICTIONARY_VALUE, \
		Kind.SCRIPT_DICTIONARY_KEY, Kind.SCRIPT_DICTIONARY_VALUE:
			return type == TYPE_OBJECT
	return true


static func of_array(array: Array) -> Kind:
	if array.get_typed_script() != null:
		return Kind.SCRIPT_ARRAY
	if array.get_typed_builtin() == TYPE_OBJECT:
		return Kind.CLASS_ARRAY
	return Kind.TYPED_ARRAY if array.is_typed() else Kind.ARRAY


static func of_keys(dictionary: Dictionary) -> Kind:
	if dictionary.get_typed_key_script() != null:
		return Kind.SCRIPT_DICTIONARY_KEY
	if dictionary.get_typed_key_builtin() == TYPE_OBJECT:
		return Kind.CLASS_DICTIONARY_KEY
	return Kind.TYPED_DICTIONARY_KEY if dictionary.is_typed_key() else Kind.DICTIONARY_KEY


static func of_values(dictionary: Dictionary) -> Kind:
	if dictionary.get_typed_value_script() != null:
		return Kind.SCRIPT_DICTIONARY_VALUE
	if dictionary.get_typed_value_builtin() == TYPE_OBJECT:
		return Kind.CLASS_DICTIONARY_VALUE
	return Kind.TYPED_DICTIONARY_VALUE if dictionary.is_typed_value() else Kind.DICTIONARY_VALUE
