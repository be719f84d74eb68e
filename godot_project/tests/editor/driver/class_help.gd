@tool
extends RefCounted
## The help on a class as the library gives it to the editor, which writes it into this folder, too.

const Self := preload("class_help.gd")
const FOLDER := "FAST_VARIANT_HELP_FOLDER"
const SAMPLE_BEGIN := "[codeblock lang=gdscript]"
const SAMPLE_END := "[/codeblock]"

## The descriptions of the class and of all that it has.
var texts: PackedStringArray = []
## The code in them.
var samples: PackedStringArray = []


static func read(documented: String) -> Self:
	var help := Self.new()
	var parser := XMLParser.new()
	if parser.open(OS.get_environment(FOLDER).path_join(documented + ".xml")) != OK:
		return help
	while parser.read() == OK:
		if parser.get_node_type() == XMLParser.NODE_TEXT and not parser.get_node_data().strip_edges().is_empty():
			help._add(parser.get_node_data())
	return help


static func without_samples(text: String) -> String:
	var parts := text.split(SAMPLE_BEGIN)
	for index: int in range(1, parts.size()):
		parts[index] = parts[index].get_slice(SAMPLE_END, 1)
	return "".join(parts)


func _add(text: String) -> void:
	texts.append(text)
	for part in text.split(SAMPLE_BEGIN).slice(1):
		samples.append(part.get_slice(SAMPLE_END, 0))
