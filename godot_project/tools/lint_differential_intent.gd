extends RefCounted
## What a case plainly says, and what the engine made of it so far.

## What stands in a value for `SubResource(…)` and `ExtResource(…)`.
const SUB := "<sub>"
const EXT := "<ext>"
## A value that cannot be read without the loader.
const UNCHECKED := &"<unchecked>"

const FIELDS: Dictionary[String, PackedStringArray] = {
	"ext_resource": ["path", "type", "id", "uid"],
	"sub_resource": ["type", "id"],
	"resource": [],
	"node": [
		"name", "type", "parent", "parent_id_path", "owner", "owner_uid_path", "index", "unique_id", "node_paths",
		"groups", "instance", "instance_placeholder",
	],
	"connection": [
		"signal", "from", "to", "method", "flags", "from_uid_path", "to_uid_path", "unbinds", "binds",
	],
	"editable": ["path"],
}

## A tag with its properties.
class Section:
	var name: String
	var fields: Dictionary = {}
	## Pairs of key and value.
	var properties: Array[Array] = []

	func text(field: String) -> String:
		return str(fields.get(field, ""))


var path: String
var sections: Array[Section] = []
## Why the text counts as refused or crippled.
var harms: PackedStringArray = []
## What keeps the engine from reading it but is not in the text.
var outside: PackedStringArray = []

static var _reference := RegEx.create_from_string('\\b(Sub|Ext)Resource\\s*\\(\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d+)\\s*\\)')
static var _typed_container := RegEx.create_from_string('\\b(Array|Dictionary)\\s*\\[')
static var _object := RegEx.create_from_string('\\bObject\\s*\\(\\s*(\\w+)')
static var _packed := RegEx.create_from_string('\\b(?:Packed|Pool)(Vector2|Vector3|Vector4|Color)Array\\s*\\(([^)]*)\\)')
static var _classes: Dictionary[String, String] = {}


func _init(p_path: String, items: Array) -> void:
	path = p_path
	for item: Dictionary in items:
		if item.has("junk"):
			harms.append("no plain meaning: %s" % item["junk"])
		elif item.has("tag"):
			_add_section(item)
		elif not sections.is_empty():
			var key: String = item["key"]
			# The class of a resource may have no such property, and then nothing shows that the key is misread:
			# byte by byte, unless it is quoted (`VariantParser::parse_tag_assign_eof`, 4.6.3).
			if not key.begins_with('"') and key.to_utf8_buffer().size() > key.length():
				harms.append("key %s" % key)
			var value: String = item["value"]
			_add_property(_key(key), _value(value))


func named(name: String) -> Array[Section]:
	return sections.filter(func(section: Section) -> bool: return section.name == name)


## Of a text that was refused: perhaps for a reason that is not in it.
func judge_refusal() -> void:
	for section in sections:
		if section.name in ["sub_resource", "gd_resource"]:
			_check_class(section.text("type"), &"Resource")
		elif section.name == "ext_resource":
			check_external(section)
	if outside.is_empty():
		harms.append("refused")


## The class that the engine makes for `type`, or an empty text.
static func class_made_for(type: String) -> String:
	if not _classes.has(type):
		var made := ""
		if not type.is_empty():
			var object: Object = ClassDB.instantiate(type)
			if object != null:
				made = object.get_class()
				if not object is RefCounted:
					object.free()
		_classes[type] = made
	return _classes[type]


## Of an `ext_resource` tag: whether there is such a file and such a class.
func check_external(section: Section) -> void:
	var type := section.text("type")
	var file := section.text("path")
	if not ResourceLoader.exists(file):
		outside.append("file %s" % file)
		return
	# The stand-in of most types is a plain resource, and nobody minds.
	var found := load(file).get_class()
	if not ClassDB.class_exists(type) or found != "Resource" and not ClassDB.is_parent_class(found, type):
		outside.append("class %s of %s" % [type, file])


func _check_class(type: String, base: StringName) -> void:
	var made := class_made_for(type)
	if made.is_empty() or not ClassDB.is_parent_class(made, base):
		outside.append("class %s" % type)


## Whether `loaded` is what `intended` says.
func is_same_value(intended: Variant, loaded: Variant) -> bool:
	if intended is StringName and intended == UNCHECKED:
		return true
	if intended is Array:
		var array: Array = intended
		if array.size() == 2 and array[0] is String and array[0] in [SUB, EXT]:
			return _is_reference_to(array, loaded)
		return loaded is Array and _is_same_array(array, loaded)
	if intended is Dictionary:
		return loaded is Dictionary and _is_same_dictionary(intended, loaded)
	if intended is Object:
		return loaded is Object
	return typeof(intended) == typeof(loaded) and var_to_str(intended) == var_to_str(loaded)


## The path of the external resource with this id: of the last one, which is the one that counts.
func external_path(id: String) -> String:
	var found := ""
	for section in named("ext_resource"):
		if section.text("id") == id:
			found = section.text("path")
	return found


func _is_reference_to(reference: Array, loaded: Variant) -> bool:
	var id := str(reference[1])
	if reference[0] == SUB:
		return loaded is Resource and loaded == ResourceLoader.get_cached_ref(path + "::" + id)
	var wanted := external_path(id)
	if not ResourceLoader.exists(wanted):
		outside.append("file %s" % wanted)
		return true
	var resource := loaded as Resource
	# As long as it is the file that is meant, it may be written in more ways than one.
	return resource != null and resource.resource_path.trim_suffix("/") == wanted.trim_suffix("/")


func _is_same_array(intended: Array, loaded: Array) -> bool:
	if intended.size() != loaded.size():
		return false
	for index in intended.size():
		if not is_same_value(intended[index], loaded[index]):
			return false
	return true


func _is_same_dictionary(intended: Dictionary, loaded: Dictionary) -> bool:
	return _is_same_array(intended.keys(), loaded.keys()) and _is_same_array(intended.values(), loaded.values())


func _add_section(item: Dictionary) -> void:
	var section := Section.new()
	section.name = item["tag"]
	var known: Variant = FIELDS.get(section.name)
	for pair: Array in item["fields"]:
		var field: String = pair[0]
		var text: String = pair[1]
		var value: Variant = _value(text)
		if known is PackedStringArray and field not in known:
			harms.append("field lost: %s" % field)
		if section.fields.has(field) and not is_same(section.fields[field], value) \
				and var_to_str(section.fields[field]) != var_to_str(value):
			harms.append("two fields: %s" % field)
		section.fields[field] = value
	sections.append(section)


func _add_property(key: String, value: Variant) -> void:
	for pair in sections[-1].properties:
		if pair[0] == key and not is_same(pair[1], value) and var_to_str(pair[1]) != var_to_str(value):
			harms.append("two values: %s" % key)
	sections[-1].properties.append([key, value])


func _key(text: String) -> String:
	if not text.begins_with('"'):
		return text
	var key: Variant = _value(text)
	return key if key is String else text


## The value that `text` alone says.
func _value(text: String) -> Variant:
	if text.contains("Resource"):
		if _reference.search(text) != null and _typed_container.search(text) != null:
			return UNCHECKED
		text = _reference.sub(text, '["<$1>", $2]', true).replace('"<Sub>"', '"<sub>"').replace('"<Ext>"', '"<ext>"')
	for object in _object.search_all(text):
		if class_made_for(object.get_string(1)).is_empty():
			outside.append("class %s" % object.get_string(1))
	for packed in _packed.search_all(text):
		if not _has_whole_elements(packed.get_string(1), packed.get_string(2)):
			harms.append("incomplete element: %s" % text.left(40))
	var list: Variant = str_to_var("[%s\n]" % text)
	if list is Array:
		var array: Array = list
		if array.size() == 1:
			return array[0]
	harms.append("no plain value: %s" % text.left(40))
	return UNCHECKED


func _has_whole_elements(element: String, numbers: String) -> bool:
	var size: int = {"Vector2": 2, "Vector3": 3, "Vector4": 4, "Color": 4}[element]
	return numbers.strip_edges().is_empty() or (numbers.count(",") + 1) % size == 0
