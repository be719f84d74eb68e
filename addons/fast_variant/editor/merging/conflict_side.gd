@tool
extends VBoxContainer
## One side of a conflict, and a button to take it.

signal taken
## There is a picture to be shown.
signal pictured

const _Conflict := preload("conflict.gd")
const _LiveValues := preload("../saving/live_values.gd")
const _Native := preload("../shared/native.gd")

const TITLES: Dictionary[String, String] = {
	_Conflict.BASE: "Base: before both", _Conflict.OURS: "Ours: in the file now", _Conflict.THEIRS: "Theirs: the other side",
}
## Where the file has git's markers.
const _TITLES_OF_MARKERS: Dictionary[String, String] = {
	_Conflict.BASE: "Base: before both", _Conflict.OURS: "Ours: above git's =======", _Conflict.THEIRS: "Theirs: below git's =======",
}
const _TOOLTIPS: Dictionary[String, String] = {
	_Conflict.BASE: "What there was before the two branches went apart.",
	_Conflict.OURS: "What the file has now.\nAfter a merge, a cherry-pick or a stash pop: your branch.\n"
		+ "After a rebase: the branch that your commits were put on.",
	_Conflict.THEIRS: "What the file does not have now.\nAfter a merge: the branch that was merged in.\n"
		+ "After a cherry-pick or a stash pop: the commit that was picked, or what was stashed.\n"
		+ "After a rebase: your own commit.",
}
const _KEYS: Dictionary[String, String] = {_Conflict.BASE: "B", _Conflict.OURS: "O", _Conflict.THEIRS: "T"}
const _PREVIEW_HEIGHT := 64
## Resources that are larger are not loaded to be seen.
const _MAX_RESOURCE := 1 << 20
const _MAX_MARKS := 400

var button := Button.new()
var text := RichTextLabel.new()
var swatch := ColorRect.new()
var picture := TextureRect.new()
var _side: String
var _title := Label.new()
## Counts the shown values: a preview may come when something else is shown.
var _shown_count := 0


func _init(side: String) -> void:
	_side = side
	size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_title.text = TITLES[side]
	_title.tooltip_text = _TOOLTIPS[side]
	_title.mouse_filter = Control.MOUSE_FILTER_PASS
	_title.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	picture.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	picture.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	text.selection_enabled = true
	text.context_menu_enabled = true
	text.focus_mode = Control.FOCUS_ALL
	text.size_flags_vertical = Control.SIZE_EXPAND_FILL
	text.autowrap_mode = TextServer.AUTOWRAP_ARBITRARY
	button.text = "Take %s" % side.capitalize()
	button.tooltip_text = "%s\n\nKey: %s, in the list." % [_TOOLTIPS[side], _KEYS[side]]
	button.toggle_mode = true
	button.clip_text = true
	button.pressed.connect(taken.emit)
	for control: Control in [_title, swatch, picture, text, button]:
		add_child(control)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		var scale_of_editor := EditorInterface.get_editor_scale()
		text.add_theme_font_override(&"normal_font", get_theme_font(&"source", &"EditorFonts"))
		text.custom_minimum_size.y = 40 * scale_of_editor
		swatch.custom_minimum_size.y = 20 * scale_of_editor
		picture.custom_minimum_size.y = _PREVIEW_HEIGHT * scale_of_editor


func show_markers(has_markers: bool) -> void:
	_title.text = (_TITLES_OF_MARKERS if has_markers else TITLES)[_side]


## `bytes` are the file's, for resources inside it.
func show_conflict(conflict: _Conflict, bytes: PackedByteArray) -> void:
	_shown_count += 1
	var value: _Conflict._Value = conflict.values.get(_side) if conflict != null else null
	button.disabled = conflict == null or not conflict.can_take(_side)
	var color: Variant = value.color() if value != null else null
	swatch.visible = color is Color
	if color is Color:
		swatch.color = color
	picture.visible = false
	picture.texture = null
	if value != null:
		_show_text(value, conflict.measure(_side))
		_ask_for_picture(conflict, value, bytes)
	else:
		_show_remark(conflict.without_value(_side) if conflict != null else "")


func show_choice(choice: String) -> void:
	button.set_pressed_no_signal(choice == _side)
	button.icon = get_theme_icon(&"ImportCheck", &"EditorIcons") if choice == _side else null


func shown_text() -> String:
	return text.get_parsed_text()


## The differences from `measure`, if there is one, are marked.
func _show_text(value: _Conflict._Value, measure: _Conflict._Value) -> void:
	text.clear()
	var marks := _Native.marks(measure.shown, value.shown) if measure != null else PackedInt32Array()
	var color := get_theme_color(&"accent_color", &"Editor")
	color.a = 0.35
	var done := 0
	for index: int in range(0, mini(marks.size() - 1, _MAX_MARKS), 2):
		text.add_text(value.shown.substr(done, marks[index] - done))
		text.push_bgcolor(color)
		text.add_text(value.shown.substr(marks[index], marks[index + 1] - marks[index]))
		text.pop()
		done = marks[index + 1]
	text.add_text(value.shown.substr(done))
	if not value.path.is_empty() and not ResourceLoader.exists(value.path):
		text.push_color(get_theme_color(&"error_color", &"Editor"))
		text.add_text("\nThere is no such file.")
		text.pop()
	text.scroll_to_line(0)


func _show_remark(remark: String) -> void:
	text.clear()
	text.push_color(get_theme_color(&"font_disabled_color", &"Editor"))
	text.add_text(remark)
	text.pop()


## It comes when the editor has made it, or not at all.
func _ask_for_picture(conflict: _Conflict, value: _Conflict._Value, bytes: PackedByteArray) -> void:
	if value.resource_class.is_empty():
		return
	var previews := EditorInterface.get_resource_previewer()
	if not value.path.is_empty():
		if ResourceLoader.exists(value.path):
			previews.queue_resource_preview(value.path, self, &"_on_preview", _shown_count)
		return
	var resource_file := _Native.conflict_resource(bytes, conflict.number, _side)
	if resource_file.is_empty() or resource_file.size() > _MAX_RESOURCE:
		return
	var resource := _LiveValues.load_value(resource_file)
	if not resource.is_empty() and resource[0] is Resource:
		previews.queue_edited_resource_preview(resource[0], self, &"_on_preview", _shown_count)


func _on_preview(_path: String, preview: Texture2D, _thumbnail: Texture2D, shown: int) -> void:
	if shown == _shown_count and preview != null:
		picture.texture = preview
		pictured.emit()
