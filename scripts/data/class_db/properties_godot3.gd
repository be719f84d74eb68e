extends SceneTree
# Writes the properties of Godot 3's classes, as properties_godot4.gd does.
#
#   godot3-server --path PROJECT -s properties_godot3.gd OUTPUT

const SUCCESS = "class database: WRITTEN"
const TYPES = ["Variant", "bool", "int", "float", "String", "Vector2", "Rect2", "Vector3", "Transform2D", "Plane", "Quat",
	"AABB", "Basis", "Transform", "Color", "NodePath", "RID", "Object", "Dictionary", "Array", "PoolByteArray",
	"PoolIntArray", "PoolRealArray", "PoolStringArray", "PoolVector2Array", "PoolVector3Array", "PoolColorArray"]

# Defaults by class, then by property.
var _defaults = {}


func _init():
	var classes = []
	for name in ClassDB.get_class_list():
		classes.append({"name": name, "inherits": ClassDB.get_parent_class(name), "properties": _properties(name)})
	var arguments = OS.get_cmdline_args()
	var file = File.new()
	file.open(arguments[arguments.size() - 1], File.WRITE)
	file.store_string(JSON.print(classes))
	file.close()
	print(SUCCESS)
	quit()


func _properties(name):
	var own = {}
	for property in ClassDB.class_get_property_list(name, true):
		own[property.name] = true
	var properties = []
	var defaults = _defaults_of(name)
	var inherited = _defaults_of(ClassDB.get_parent_class(name))
	for property in ClassDB.class_get_property_list(name):
		var key = property.name
		if property.usage & (PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP):
			continue
		var text = defaults.get(key, "")
		if not own.has(key) and text == inherited.get(key, ""):
			continue
		var entry = {"name": key, "own": own.has(key), "usage": property.usage, "type": _type(property)}
		if text != "":
			entry["default"] = text
		properties.append(entry)
	return properties


# Godot 3 has no function for the defaults: they are those of a new object.
func _defaults_of(name):
	if _defaults.has(name):
		return _defaults[name]
	var defaults = {}
	var is_stored = ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource")
	if is_stored and ClassDB.can_instance(name):
		var object = ClassDB.instance(name)
		for property in ClassDB.class_get_property_list(name):
			var value = object.get(property.name)
			var fits = typeof(value) == property.type or (value == null and property.type == TYPE_OBJECT)
			if property.usage & PROPERTY_USAGE_STORAGE and fits and (value == null or not value is Object):
				defaults[property.name] = var2str(value)
		if object is Node:
			object.free()
	_defaults[name] = defaults
	return defaults


func _type(property):
	if property.type == TYPE_OBJECT and property.hint == PROPERTY_HINT_RESOURCE_TYPE:
		return property.hint_string
	if property.type == TYPE_OBJECT:
		return property.get("class_name", "Object")
	return TYPES[property.type]
