@tool
extends AcceptDialog
## What is to be known about a rule.

const Markdown := preload("markdown.gd")
const Native := preload("native.gd")

var _text := RichTextLabel.new()


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	_text.bbcode_enabled = true
	_text.selection_enabled = true
	_text.focus_mode = Control.FOCUS_ALL
	_text.size_flags_vertical = Control.SIZE_EXPAND_FILL
	add_child(_text)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_text.add_theme_font_override(&"mono_font", get_theme_font(&"source", &"EditorFonts"))


func explain(code: String) -> void:
	title = code
	var markdown := Native.explain(code)
	if markdown.is_empty():
		markdown = "Nothing more is known about %s." % code
	_text.text = Markdown.to_bbcode(markdown)
	_text.scroll_to_line(0)
	popup_centered(Vector2i(Vector2(640, 480) * EditorInterface.get_editor_scale()))
	_text.grab_focus()


func shown_text() -> String:
	return _text.get_parsed_text()
