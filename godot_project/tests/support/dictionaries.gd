extends RefCounted
## Finds dictionaries in a value that the engine, or the format, does not carry faithfully.

const Oracle := preload("res://tests/support/oracle.gd")
const ScriptedRef := preload("res://tests/fixtures/scripted_ref.gd")


static func any_in(value: Variant, condition: Callable) -> bool:
	var pending: Array = [value]
	while not pending.is_empty():
		var current: Variant = pending.pop_back()
		match typeof(current):
			TYPE_ARRAY:
				var array: Array = current
				pending.append_array(array)
			TYPE_DICTIONARY:
				var dictionary: Dictionary = current
				if condition.call(dictionary):
					return true
				pending.append_array(dictionary.keys())
				pending.append_array(dictionary.values())
			TYPE_OBJECT:
				# Validity before `is`, which stops at a freed object.
				if is_instance_valid(current) and current is ScriptedRef:
					var holder: ScriptedRef = current
					pending.append(holder.value)
	return false


## Up to 4.7.2 the engine takes the script of the keys for that of the values, too (`Dictionary::set_typed`), so what it
## decodes is not what was encoded.
static func is_typed_by_script(dictionary: Dictionary) -> bool:
	return dictionary.get_typed_key_script() != null or dictionary.get_typed_value_script() != null


## Different keys can be the same when decoded: texts with and without byte order mark, all callables, null and freed
## objects. A node under such a key is lost, and nobody can free it.
static func has_merging_keys(dictionary: Dictionary) -> bool:
	var decoded: Array = Oracle.decode(Oracle.encode(dictionary.keys()))
	var merged := {}
	for key: Variant in decoded:
		merged[key] = true
	return merged.size() < decoded.size()
