@tool
extends RefCounted
## The colours and sizes of a page: those of the editor's help.

const _FONTS: Dictionary[StringName, StringName] = {
	&"normal_font": &"doc", &"bold_font": &"doc_bold", &"italics_font": &"doc_italic", &"mono_font": &"doc_source",
}
const _SIZES: Dictionary[StringName, StringName] = {
	&"normal_font_size": &"doc_size", &"bold_font_size": &"doc_size", &"italics_font_size": &"doc_size",
	&"mono_font_size": &"doc_source_size",
}
## How much larger headings are than the text, by level.
const _HEADINGS: PackedFloat64Array = [1.6, 1.3, 1.1]

## A table may be a little wider than the label has room for.
const _MARGIN := 20

# As in `Color.to_html()`.
var accent: String
var code: String
var code_background: String
var headline: String
var line: String
var text: String
## The matches of a search, and the current match.
var found: String
var found_here: String
var font_size: int


## Also gives the label its fonts and its margin.
func _init(label: RichTextLabel) -> void:
	for font: StringName in _FONTS:
		if label.has_theme_font(_FONTS[font], &"EditorFonts"):
			label.add_theme_font_override(font, label.get_theme_font(_FONTS[font], &"EditorFonts"))
	for size: StringName in _SIZES:
		if label.has_theme_font_size(_SIZES[size], &"EditorFonts"):
			label.add_theme_font_size_override(size, label.get_theme_font_size(_SIZES[size], &"EditorFonts"))
	label.remove_theme_stylebox_override(&"normal")
	var box := label.get_theme_stylebox(&"normal").duplicate() as StyleBox
	box.content_margin_right = _MARGIN * EditorInterface.get_editor_scale()
	label.add_theme_stylebox_override(&"normal", box)
	font_size = label.get_theme_font_size(&"normal_font_size")
	var plain := label.get_theme_color(&"default_color")
	var accented := label.get_theme_color(&"accent_color", &"Editor")
	text = plain.to_html()
	accent = accented.to_html()
	line = Color(plain, 0.15).to_html()
	found = Color(accented, 0.3).to_html()
	found_here = Color(accented, 0.7).to_html()
	headline = _of_help(label, &"headline_color", accented).to_html()
	code = _of_help(label, &"code_color", plain).to_html()
	code_background = _of_help(label, &"code_bg_color", Color(plain, 0.08)).to_html()


func size_of_heading(level: int) -> int:
	return roundi(font_size * _HEADINGS[mini(level, _HEADINGS.size()) - 1])


func _of_help(label: RichTextLabel, name: StringName, other: Color) -> Color:
	return label.get_theme_color(name, &"EditorHelp") if label.has_theme_color(name, &"EditorHelp") else other
