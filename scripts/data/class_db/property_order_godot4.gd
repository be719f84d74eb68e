extends SceneTree
## Writes in which order a Godot 4 lists the properties that it saves: a line a class, with the class's own ones. A name with
## `*` stands for all that begin so, which objects have as they need them (`bones/*`). A line `Class:theme` has the overrides
## of theme items (`colors/font_color` for `theme_override_colors/font_color`), which each class lists in an order of its own.
##
##   godot --headless --path PROJECT -s property_order_godot4.gd -- OUTPUT

const SUCCESS := "class database: WRITTEN"
const THEME := "theme_override_"
## What is saved, always or when it is set.
const SAVED := PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_CHECKABLE

var _orders: Dictionary[String, PackedStringArray] = {}
## What objects list of a class.
var _lists: Array[Dictionary] = []
## A start that ends with `/` or in front of a number.
var _start := RegEx.create_from_string("^[^/0-9]*(/|(?=[0-9]+/))")


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
			if object is Node:
				(object as Node).free()
	# The longest lists tell most of how the others fit into them.
	_lists.sort_custom(func(one: Dictionary, other: Dictionary) -> bool: return one["keys"].size() > other["keys"].size())
	for list: Dictionary in _lists:
		_note(list["name"], list["keys"])
	var lines: PackedStringArray = []
	for name: String in _orders:
		lines.append("%s\t%s\n" % [name, " ".join(_orders[name])])
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


## What an object lists below the heading of each class.
func _note_object(object: Object) -> void:
	var heading := ""
	var listed: PackedStringArray = []
	for property: Dictionary in object.get_property_list():
		var key: String = property["name"]
		var usage: int = property["usage"]
		if usage & PROPERTY_USAGE_CATEGORY:
			_lists.append({"name": heading, "keys": listed})
			heading = key
			listed = []
		elif usage & SAVED and key != "script" and not key.begins_with("metadata/") and not key.begins_with(THEME):
			var is_registered: bool = _orders.has(heading) and _orders[heading].has(key)
			var start := _start.search(key)
			listed.append(key if is_registered or start == null else start.get_string() + "*")
	_lists.append({"name": heading, "keys": listed})


func _note_theme(name: String, object: Object) -> void:
	var listed: PackedStringArray = []
	for property: Dictionary in object.get_property_list():
		var key: String = property["name"]
		if key.begins_with(THEME):
			listed.append(key.trim_prefix(THEME))
	if not listed.is_empty():
		_orders[name + ":theme"] = listed


## Puts what is not known of a class yet behind what it follows.
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
