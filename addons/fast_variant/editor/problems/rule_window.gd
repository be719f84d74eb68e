@tool
extends AcceptDialog
## What is to be known about a rule.

const Markdown := preload("markdown.gd")
const Native := preload("../shared/native.gd")
const WindowPlace := preload("../shared/window_place.gd")

var _text := RichTextLabel.new()
var _back: Button
var _code := ""
## The rules that were shown before, the last one last.
var _earlier: PackedStringArray = []


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	_text.bbcode_enabled = true
	_text.selection_enabled = true
	_text.focus_mode = Control.FOCUS_ALL
	_text.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_text.meta_clicked.connect(_on_meta_clicked)
	add_child(_text)
	_back = add_button("Back", false, "back")
	custom_action.connect(_on_back_pressed)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_text.add_theme_font_override(&"mono_font", get_theme_font(&"source", &"EditorFonts"))


func explain(code: String) -> void:
	_earlier.clear()
	_show(code)
	WindowPlace.show_centered(self, Vector2(640, 480))
	_text.grab_focus()


func shown_text() -> String:
	return _text.get_parsed_text()


func _show(code: String) -> void:
	_code = code
	_back.visible = not _earlier.is_empty()
	var markdown := Native.explain(code)
	if markdown.is_empty():
		title = code
		_text.text = Markdown.to_bbcode("Nothing more is known about %s." % code)
		return
	# `# REF001 undefined-ext-id (error)`
	title = markdown.get_slice("\n", 0).lstrip("# ")
	var page := markdown + "\n\nOn the command line: `gdscene explain %s`. All rules: `gdscene rules`." % code
	_text.text = Markdown.to_bbcode(page, _is_other_rule)
	_text.scroll_to_line(0)


func _is_other_rule(code: String) -> bool:
	return code != _code and not Native.explain(code).is_empty()


func _on_meta_clicked(meta: Variant) -> void:
	_earlier.append(_code)
	_show(str(meta))


func _on_back_pressed(_action: StringName) -> void:
	if _earlier.is_empty():
		return
	var code := _earlier[-1]
	_earlier.remove_at(_earlier.size() - 1)
	_show(code)
