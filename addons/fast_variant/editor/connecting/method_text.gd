@tool
extends RefCounted
## Writes a new method into the text of a script, with the arguments that a signal calls it with, as the editor does.

const _SceneConnection := preload("scene_connection.gd")

const _TYPE_HINTS := "text_editor/completion/add_type_hints"
const _UNUSED_PARAMETER := "debug/gdscript/warnings/unused_parameter"
const _INDENT_TYPE := "text_editor/behavior/indent/type"
const _ERROR := 2
const _INDENT_SIZE := "text_editor/behavior/indent/size"


## The text with the method at its end.
static func added_to(text: String, method: String, declared: PackedStringArray) -> String:
	var lines: PackedStringArray = [
		"func %s(%s)%s:" % [method, ", ".join(declared), " -> void" if _has_types() else ""],
		_indent(text) + "pass # Replace with function body.",
	]
	var line_end := "\r\n" if text.contains("\r\n") else "\n"
	var begin := text.rstrip("\r\n \t")
	var gap := line_end.repeat(3) if not begin.is_empty() else ""
	return begin + gap + line_end.join(lines) + line_end


## The arguments that the method gets, each as it is declared.
static func arguments(source: Object, connection: _SceneConnection) -> PackedStringArray:
	var declared: PackedStringArray = []
	var of_signal := signal_arguments(source, connection.signal_name)
	var count := maxi(of_signal.size() - connection.unbind_count, 0)
	for index: int in count:
		declared.append(_declared(of_signal[index], "arg%d" % index))
	for index: int in connection.bind_count:
		declared.append(_declared({"name": "extra_arg_%d" % index, "type": TYPE_NIL}, ""))
	return declared


## As `get_signal_list` has them; none if there is no such signal.
static func signal_arguments(source: Object, signal_name: String) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for each: Dictionary in source.get_signal_list():
		if each["name"] == signal_name:
			found.assign(each["args"])
	return found


static func _declared(argument: Dictionary, other_name: String) -> String:
	var name: String = argument["name"]
	if not name.is_valid_ascii_identifier():
		name = other_name
	# As long as it is not used, the script would be refused.
	if ProjectSettings.get_setting(_UNUSED_PARAMETER, 0) == _ERROR and not name.begins_with("_"):
		name = "_" + name
	return "%s: %s" % [name, _type_of(argument)] if _has_types() else name


static func _has_types() -> bool:
	return EditorInterface.get_editor_settings().get_setting(_TYPE_HINTS) == true


static func _type_of(argument: Dictionary) -> String:
	var type: Variant.Type = argument["type"]
	var class_of := str(argument.get("class_name", ""))
	if type == TYPE_OBJECT:
		return class_of if not class_of.is_empty() else "Object"
	return "Variant" if type == TYPE_NIL else type_string(type)


## As the script is indented; as the editor would, if nothing is.
static func _indent(text: String) -> String:
	for line: String in text.split("\n"):
		var rest := line.lstrip(" \t")
		if rest.length() < line.length() and not rest.strip_edges().is_empty():
			return line.left(line.length() - rest.length())
	var settings := EditorInterface.get_editor_settings()
	var size: int = settings.get_setting(_INDENT_SIZE)
	return " ".repeat(size) if settings.get_setting(_INDENT_TYPE) == 1 else "\t"
