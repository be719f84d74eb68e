# Writes to the file that is its argument which numbers the setters of Godot's nodes and resources refuse with an error in the log: the
# property's class, its name, the least and the greatest number that are taken, `-` for none, `>` or `<` before one that is not
# taken itself. The setters of new objects are called with numbers until the limits are found. scripts/test/scenes/limits.sh tries them with files.
extends SceneTree


class Log extends Logger:
	var count := 0

	func _log_error(_function, _file, _line, _code, _rationale, _editor, _type, _backtraces) -> void:
		count += 1


# What depends on other properties, which may come later in a file or be larger there.
const DEPENDENT: Array[String] = [
	"frame", "current_tab", "initial_clip", "visible_instance_count", "zoom_min", "zoom_max", "selected",
]
const SMALLER: Array[float] = [0, -1, -2, -100, -5000, -1000000]
const LARGER: Array[float] = [1, 2, 3, 5, 10, 20, 50, 100, 200, 1000, 5000, 10000, 100000, 1000000]
# With large numbers, these take much memory.
const HEAVY: Array[String] = ["subdiv", "segments", "rings", "size", "count", "amount"]

var _log := Log.new()
var _class := ""
var _property := ""
var _is_float := false


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
			if property.usage & PROPERTY_USAGE_STORAGE and property.type in [TYPE_INT, TYPE_FLOAT]:
				_is_float = property.type == TYPE_FLOAT
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
	if usual == null or "/" in _property or _property in DEPENDENT or _property.begins_with("_") or _is_refused(usual):
		return ""
	var least := "-"
	for number in SMALLER:
		if number < usual and _is_refused(number):
			least = _limit(usual, number, ">")
			break
	var greatest := "-"
	var is_heavy := HEAVY.any(func(word: String) -> bool: return word in _property)
	for number in LARGER:
		if number > usual and number <= (10000.0 if is_heavy else INF) and _is_refused(number):
			greatest = _limit(usual, number, "<")
			break
	return "" if least == "-" and greatest == "-" else least + " " + greatest


# The last number that is taken on the way from one that is to one that is not.
func _limit(taken: float, refused: float, sign: String) -> String:
	if not _is_float:
		while absf(taken - refused) > 1:
			var middle := floorf((taken + refused) / 2)
			if _is_refused(middle):
				refused = middle
			else:
				taken = middle
		return str(int(taken))
	for step in 100:
		var middle := (taken + refused) / 2
		if _is_refused(middle):
			refused = middle
		else:
			taken = middle
	# The number that people would write, if it is the limit: the setter may compare with single precision.
	var digits := 5 - floori(log(maxf(absf(taken), 1)) / log(10))
	var plain := snappedf(taken, pow(10, -digits))
	return ("" if not _is_refused(plain) else sign) + String.num(plain)


func _is_refused(number: float) -> bool:
	var object: Object = ClassDB.instantiate(_class)
	_log.count = 0
	object.set(_property, number if _is_float else int(number))
	if object is Node:
		object.free()
	return _log.count > 0
