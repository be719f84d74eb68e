# Writes the numbers that the setters of Godot's nodes and resources take to the file that is its argument. A line has the class,
# the property, the least and the greatest number. `-` means no limit. `>` and `<` mean that the setter refuses the limit itself.
# `~` means that the setter changes numbers beyond the limit without an error in the log. Calls the setters of new objects with
# numbers until it finds the limits; a vector gets the number for each component. The script scripts/test/scenes/limits.sh tries the
# limits with files.
extends SceneTree


class Log extends Logger:
	var count := 0

	func _log_error(_function, _file, _line, _code, _rationale, _editor, _type, _backtraces) -> void:
		count += 1


# Properties that depend on other properties, on child nodes or on the text, which may come later in a file or be larger there.
const DEPENDENT: Array[String] = [
	"anchors_preset", "autowrap_trim_flags", "caret_column", "center_of_mass", "center_of_mass_mode", "current_tab", "frame", "initial_clip",
	"joint_count", "joint_rotation", "layout_mode", "max_space", "max_value", "min_space", "origin_offset", "page", "scroll_horizontal",
	"scroll_offset", "scroll_vertical", "selected", "value", "visible_instance_count", "visible_ratio", "volume_db", "wrap_t", "zoom",
	"zoom_max", "zoom_min",
]
const SMALLER: Array[float] = [0, -1, -2, -100, -5000, -1000000]
const LARGER: Array[float] = [1, 2, 3, 5, 10, 20, 50, 100, 200, 1000, 5000, 10000, 100000, 1000000]
# With large numbers, these take much memory.
const HEAVY: Array[String] = ["subdiv", "segments", "rings", "size", "count", "amount"]

var _log := Log.new()
var _class := ""
var _property := ""
var _type := TYPE_NIL
var _is_float := false
# The value of the property after a number was set.
var _found := 0.0


func _init() -> void:
	OS.add_logger(_log)
	var lines := PackedStringArray()
	var classes := Array(ClassDB.get_class_list())
	classes.sort()
	for name: String in classes:
		var is_meant := ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource")
		_class = _made_of(name)
		if not is_meant or name.begins_with("Editor") or name == "GDExtension" or _class == "":
			continue
		for property: Dictionary in ClassDB.class_get_property_list(name, true):
			_property = property.name
			_type = property.type
			_is_float = _type in [TYPE_FLOAT, TYPE_VECTOR2, TYPE_VECTOR3]
			if property.usage & PROPERTY_USAGE_STORAGE and (_is_float or _type in [TYPE_INT, TYPE_VECTOR2I, TYPE_VECTOR3I]):
				var limits := _limits()
				if limits != "":
					lines.append("%s %s %s" % [name, _property, limits])
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	file.store_string("\n".join(lines) + "\n")
	print("class database: WRITTEN")
	quit()


# A class that can be made and has the properties of this one.
func _made_of(name: String) -> String:
	if ClassDB.can_instantiate(name):
		return name
	for heir: String in ClassDB.get_inheriters_from_class(name):
		if ClassDB.can_instantiate(heir) and not heir.begins_with("Editor"):
			return heir
	return ""


func _limits() -> String:
	var object: Object = ClassDB.instantiate(_class)
	var usual: Variant = object.get(_property)
	if object is Node:
		object.free()
	if usual != null and _type not in [TYPE_INT, TYPE_FLOAT]:
		usual = usual.x
	if usual == null or "/" in _property or _property in DEPENDENT or _property.begins_with("_") or not _is_taken(usual):
		return ""
	var least := "-"
	for number in SMALLER:
		# Some setters refuse nothing but zero.
		if number < usual and not _is_taken(number) and (number < 0 or _type == TYPE_INT or not _is_taken(-1)):
			least = _limit(usual, number, ">")
			break
	var greatest := "-"
	var is_heavy := HEAVY.any(func(word: String) -> bool: return word in _property)
	for number in LARGER:
		if number > usual and number <= (10000.0 if is_heavy else INF) and not _is_taken(number):
			greatest = _limit(usual, number, "<")
			break
	return "" if least == "-" and greatest == "-" else least + " " + greatest


# The last number that is taken on the way from one that is to one that is not.
# The last number that the setter takes on the way to one that it does not take.
func _limit(taken: float, beyond: float, sign: String) -> String:
	var is_refused := _is_refused(beyond)
	if not _is_float:
		while absf(taken - beyond) > 1:
			var middle := floorf((taken + beyond) / 2)
			if _is_taken(middle):
				taken = middle
			else:
				beyond = middle
		return ("" if is_refused else "~") + str(int(taken))
	for step in 100:
		var middle := (taken + beyond) / 2
		if _is_taken(middle):
			taken = middle
		else:
			beyond = middle
	# The number that people would write, if it is the limit: the setter may compare with single precision.
	var digits := 5 - floori(log(maxf(absf(taken), 1)) / log(10))
	if is_refused:
		var plain := snappedf(taken, pow(10, -digits))
		return ("" if not _is_refused(plain) else sign) + String.num(plain)
	# A number that is near the limit counts as taken.
	var plain := snappedf(taken, pow(10, 2 - digits))
	if absf(plain - taken) > 0.0001 * maxf(1, absf(taken)):
		return "-"
	return "~" + ("" if _is_taken(plain) else sign) + String.num(plain)


# Whether the setter logs no error and the property has the number then, in single precision or as 32 bits without a sign.
func _is_taken(number: float) -> bool:
	if _is_refused(number):
		return false
	return is_equal_approx(_found, number) if _is_float else int(_found) == int(number) or int(_found) == int(number) & 0xffffffff


func _is_refused(number: float) -> bool:
	var object: Object = ClassDB.instantiate(_class)
	_log.count = 0
	object.set(_property, _value(number))
	var found: Variant = object.get(_property)
	_found = found if _type in [TYPE_INT, TYPE_FLOAT] else found.x
	if object is Node:
		object.free()
	return _log.count > 0


func _value(number: float) -> Variant:
	match _type:
		TYPE_INT:
			return int(number)
		TYPE_VECTOR2:
			return Vector2.ONE * number
		TYPE_VECTOR2I:
			return Vector2i.ONE * int(number)
		TYPE_VECTOR3:
			return Vector3.ONE * number
		TYPE_VECTOR3I:
			return Vector3i.ONE * int(number)
	return number
