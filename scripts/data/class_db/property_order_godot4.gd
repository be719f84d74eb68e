extends SceneTree
## Writes in which order a Godot 4 lists the properties that it saves: a line for each class, with the class's own properties.
## Objects have some properties for each element that they hold. Those are patterns with their type behind `=`, in which `*`
## is a number or a name: `bones/*/rotation=Quaternion`. A line `Class:theme` has the overrides of theme items
## (`colors/font_color` for `theme_override_colors/font_color`), which each class lists in an order of its own.
##
##   godot --headless --path PROJECT -s property_order_godot4.gd -- OUTPUT

const SUCCESS := "class database: WRITTEN"
const THEME := "theme_override_"
## Headings in the list of properties, which are not properties.
const HEADINGS := PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP
## Properties that are saved, always or when they are set.
const SAVED := PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_CHECKABLE

## Where the list names the class of the element that is there.
const CORRECTED: Dictionary[String, String] = {
	"AudioBusLayout.bus/*/effect/*/effect": "AudioEffect",
	"TileSet.sources/*": "TileSetSource",
	"TileSetScenesCollectionSource.scenes/*/scene": "PackedScene",
}
## Each element has a value of a type of its own.
const OF_ANY_TYPE: PackedStringArray = ["instance_shader_parameters/*", "shader_parameter/*"]
const THEME_ITEMS := "theme_override_colors/*=Color theme_override_constants/*=int theme_override_font_sizes/*=int " \
		+ "theme_override_fonts/*=Font theme_override_icons/*=Texture2D theme_override_styles/*=StyleBox"

var _elements: RefCounted = load("res://elements_godot4.gd").new()
## By class and pattern.
var _types: Dictionary[String, String] = {}
var _orders: Dictionary[String, PackedStringArray] = {}
## The lists of a class's properties, as objects give them.
var _lists: Array[Dictionary] = []
## The number or name of an element.
var _element := RegEx.create_from_string("(?<=^|[/_:])([0-9]+|ELEMENT2?)(?=$|[/_:])|(?<=/)(Start|End|output)(?=/)")


func _init() -> void:
	var names := ClassDB.get_class_list()
	var is_saved := func(name: String) -> bool:
		return (ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource")) \
				and ClassDB.class_get_api_type(name) == ClassDB.API_CORE
	var saved: Array = Array(names).filter(is_saved)
	for name: String in saved:
		_note(name, _registered(name))
	for name: String in saved:
		if ClassDB.can_instantiate(name):
			var object: Object = ClassDB.instantiate(name)
			_note_object(object)
			_note_theme(name, object)
			for kind: int in _elements.kinds(object):
				_elements.fill(object, kind)
				_note_object(object)
			if object is Node:
				(object as Node).free()
	# The longest lists show most about the order of the others.
	_lists.sort_custom(func(one: Dictionary, other: Dictionary) -> bool: return one["keys"].size() > other["keys"].size())
	for list: Dictionary in _lists:
		_note(list["name"], list["keys"])
	var lines: PackedStringArray = []
	for name: String in _orders:
		var words: PackedStringArray = []
		for key: String in _orders[name]:
			var type: String = _types.get("%s.%s" % [name, key], "")
			words.append(key if type.is_empty() else key + "=" + type)
		if name in ["Control", "Window"]:
			words.append(THEME_ITEMS)
		lines.append("%s\t%s\n" % [name, " ".join(words)])
	lines.sort()
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	file.store_string("".join(lines))
	file.close()
	print(SUCCESS)
	quit()


func _registered(name: String) -> PackedStringArray:
	var registered: PackedStringArray = []
	for property: Dictionary in ClassDB.class_get_property_list(name, true):
		if property["usage"] & SAVED:
			registered.append(property["name"])
	return registered


## The properties that an object lists below the heading of each class.
func _note_object(object: Object) -> void:
	var heading := ""
	var listed: PackedStringArray = []
	for property: Dictionary in object.get_property_list():
		var key: String = property["name"]
		var usage: int = property["usage"]
		if usage & PROPERTY_USAGE_CATEGORY and not key.contains("/"):
			_lists.append({"name": heading, "keys": listed})
			heading = key
			listed = []
			continue
		if key == "script" or key.begins_with("metadata/") or key.begins_with(THEME):
			continue
		var is_registered: bool = _orders.has(heading) and _orders[heading].has(key)
		var pattern := key if is_registered else _element.sub(key, "*", true)
		if pattern == key and not usage & SAVED or usage & HEADINGS:
			continue
		if not listed.has(pattern):
			listed.append(pattern)
		if not is_registered:
			_note_type(heading, pattern, _type(object, property))
	_lists.append({"name": heading, "keys": listed})


func _note_theme(name: String, object: Object) -> void:
	var listed: PackedStringArray = []
	for property: Dictionary in object.get_property_list():
		var key: String = property["name"]
		if key.begins_with(THEME):
			listed.append(key.trim_prefix(THEME))
	if not listed.is_empty():
		_orders[name + ":theme"] = listed


## The type of an element's property. The list of an object is wrong for some: an audio bus sends to a float there.
func _type(object: Object, property: Dictionary) -> String:
	var hint: PropertyHint = property["hint"]
	var value: Variant = object.get(property["name"])
	if property["type"] == TYPE_OBJECT:
		return property["hint_string"] if hint in [PROPERTY_HINT_RESOURCE_TYPE, PROPERTY_HINT_NODE_TYPE] else "Object"
	if property["type"] == TYPE_NIL:
		return "Variant"
	return type_string(property["type"] if value == null else typeof(value))


## Elements of different kinds may hold values of different types.
func _note_type(of_class: String, pattern: String, type: String) -> void:
	var key := of_class + "." + pattern
	if _types.get(key, type) != type or OF_ANY_TYPE.has(pattern):
		type = "Variant"
	_types[key] = CORRECTED.get(key, type)


## Puts properties that are new for a class behind the property that they follow.
func _note(name: String, listed: PackedStringArray) -> void:
	if not ClassDB.class_exists(name) or listed.is_empty():
		return
	var order: PackedStringArray = _orders.get(name, PackedStringArray())
	var at := 0
	for key: String in listed:
		if not order.has(key):
			order.insert(at, key)
		at = order.find(key) + 1
	_orders[name] = order
