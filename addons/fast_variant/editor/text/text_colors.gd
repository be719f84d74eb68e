@tool
extends RefCounted
## The colours of a scene's text, as the script editor has them for a script.

const _TAGS: PackedStringArray = [
	"gd_scene", "gd_resource", "ext_resource", "sub_resource", "resource", "node", "connection", "editable"
]
## Fields of tags.
const _FIELDS: PackedStringArray = [
	"format", "load_steps", "uid", "script_class", "type", "path", "id", "name", "parent", "owner", "index", "unique_id",
	"node_paths", "groups", "instance", "instance_placeholder", "signal", "from", "to", "method", "flags", "unbinds",
	"binds"
]
const _LITERALS: PackedStringArray = ["true", "false", "null", "nil", "inf", "inf_neg", "nan"]
const _SETTING := "text_editor/theme/highlighting/%s_color"


## The names of properties keep the colour of the text.
static func highlighter() -> CodeHighlighter:
	var colors := CodeHighlighter.new()
	colors.number_color = _color("number")
	colors.symbol_color = _color("symbol")
	# `Vector2(…)`, `ExtResource(…)`
	colors.function_color = _color("base_type")
	colors.member_variable_color = _color("member_variable")
	for word: String in _TAGS:
		colors.add_keyword_color(word, _color("control_flow_keyword"))
	for word: String in _LITERALS:
		colors.add_keyword_color(word, _color("keyword"))
	for word: String in _FIELDS:
		colors.add_member_keyword_color(word, _color("member_variable"))
	colors.add_color_region("\"", "\"", _color("string"))
	colors.add_color_region(";", "", _color("comment"), true)
	return colors


static func _color(name: String) -> Color:
	return EditorInterface.get_editor_settings().get_setting(_SETTING % name)
