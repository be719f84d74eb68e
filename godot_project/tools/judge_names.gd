extends SceneTree
## Says of many names whether a script of a node may give them to a variable, signal, method or class.
##
##   godot --headless --path PROJECT -s res://tools/judge_names.gd -- FILE
##
## Writes a line to FILE for each kind and name: `KIND VERDICT NAME`, where the verdict is
## - `refused`: Godot does not read the script;
## - `called`: Godot calls the method by itself;
## - `free`.
## A name that Godot takes but that hides a class, a type or a member of `Node` has no line: both answers are right.

const SUCCESS := "names: JUDGED"
const SCRIPTS: Dictionary[String, String] = {
	"property": "extends Node\n@export var %s := 3\n",
	"signal": "extends Node\nsignal %s\n",
	"method": "extends Node\nstatic var calls := 0\nfunc %s() -> void:\n\tcalls += 1\n",
	"class": "class_name %s\nextends Node\n",
}
## Of each kind that the words of a script are: statements, operators, constants, types, global functions and enums.
const WORDS: PackedStringArray = [
	"and", "as", "assert", "await", "break", "breakpoint", "class", "class_name", "const", "continue", "elif", "else", "enum",
	"extends", "false", "for", "func", "if", "in", "is", "match", "namespace", "not", "null", "or", "pass", "preload", "return",
	"self", "signal", "static", "super", "trait", "true", "var", "void", "when", "while", "yield", "INF", "NAN", "PI", "TAU",
	"get", "set", "print", "load", "Variant", "Error", "OK", "KEY_A", "Side", "health", "Hero", "_hero", "größe", "a1", "1a", "a-b", "a b",
]
## Methods that only the editor calls, with arguments; Godot's API does not contain them.
const INTERNAL: PackedStringArray = ["_set_property_pinned"]

var _taken: Dictionary[String, bool] = {}


func _initialize() -> void:
	var file := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	_find_taken()
	# Before the first frame, no node is ready.
	await process_frame
	for name: String in PackedStringArray(_taken.keys()) + WORDS:
		for kind in SCRIPTS:
			var verdict := _verdict(kind, name)
			if not verdict.is_empty():
				file.store_line("%s %s %s" % [kind, verdict, name])
	file.close()
	print(SUCCESS)
	quit()


func _find_taken() -> void:
	for name in ClassDB.get_class_list() + ClassDB.class_get_integer_constant_list("Node") + ClassDB.class_get_enum_list("Node"):
		_taken[name] = true
	for type in TYPE_MAX:
		_taken[type_string(type)] = true
	for list: Array[Dictionary] in [
		ClassDB.class_get_property_list("Node"), ClassDB.class_get_method_list("Node"), ClassDB.class_get_signal_list("Node"),
	]:
		for member in list:
			var name: String = member["name"]
			_taken[name] = true
	# No list has them.
	for name: String in ["script", "_init", "_static_init", "_notification", "_get", "_set", "_to_string", "_validate_property"]:
		_taken[name] = true
	# Words that mean something else where a script uses them: `PI` is the constant even in a script that has a variable `PI`.
	for name: String in ["match", "when", "INF", "NAN", "PI", "TAU"]:
		_taken[name] = true


func _verdict(kind: String, name: String) -> String:
	var script := GDScript.new()
	script.source_code = SCRIPTS[kind] % name
	if script.reload() != OK or not script.can_instantiate():
		return "" if name in INTERNAL else "refused"
	if kind == "method":
		var node: Node = script.new()
		root.add_child(node)
		node.free()
		var calls: int = script.get("calls")
		if calls != 0:
			return "called"
	return "" if _taken.has(name) else "free"
