@tool
extends HSplitContainer
## A tab at the bottom of the editor that shows what is in encoded bytes: pasted ones, or those of a file. The listing is that of
## [method FastVariant.inspect], as a tree.

enum Column { CONTENT, OFFSET, BYTES }

const ByteText := preload("byte_text.gd")

const _CODEC := &"FastVariant"
## Rows of a listing; more make a tree slow, and no one reads them.
const _MAX_ROWS := 5000
## Bytes of a file that are read, and characters that are shown.
const _MAX_FILE := 16 << 20
const _MAX_SHOWN_BYTES := 4096
## The columns of a listing: offset, two spaces, bytes, content. Content is indented by two spaces for each level.
const _OFFSET_LENGTH := 8
const _CONTENT_COLUMN := 47
const _SPACES_PER_LEVEL := 2
## Begins the line that says how much is not listed.
const _REST := "… and "

## In the order of `FastVariant.DIALECT_*`, whose names are asked for.
const _DIALECTS: Array[StringName] = [&"DIALECT_GODOT_4", &"DIALECT_GODOT_4_3", &"DIALECT_GODOT_4_0", &"DIALECT_GODOT_3", &"DIALECT_GODOT_2"]

var input := TextEdit.new()
var notation := OptionButton.new()
var dialect := OptionButton.new()
var tree := Tree.new()
var status := Label.new()
var _open := Button.new()
var _dialog := EditorFileDialog.new()
## What a file gave, until the user types.
var _file_bytes: PackedByteArray
var _has_file := false


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	name = "Variant"
	var editor_scale := EditorInterface.get_editor_scale()
	_open.text = "Open File"
	_open.tooltip_text = "Shows the bytes of a file, such as one of FileAccess.store_buffer()."
	input.placeholder_text = "Paste bytes: hex, Base64 or a PackedByteArray"
	custom_minimum_size.y = 230 * editor_scale
	input.size_flags_vertical = Control.SIZE_EXPAND_FILL
	input.wrap_mode = TextEdit.LINE_WRAPPING_BOUNDARY
	# Since Godot 4.5.
	input.set(&"accessibility_name", input.placeholder_text)
	for text: String in ["Guess Notation", "Hex", "Base64", "PackedByteArray"]:
		notation.add_item(text)
	status.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_fill_dialects()
	_set_up_tree()
	var bar := HFlowContainer.new()
	for control: Control in [_open, notation, dialect]:
		bar.add_child(control)
	var left := VBoxContainer.new()
	left.custom_minimum_size.x = 360 * editor_scale
	for control: Control in [bar, input, status]:
		left.add_child(control)
	add_child(left)
	add_child(tree)
	_dialog.file_mode = EditorFileDialog.FILE_MODE_OPEN_FILE
	_dialog.access = EditorFileDialog.ACCESS_FILESYSTEM
	add_child(_dialog)


func _ready() -> void:
	input.text_changed.connect(_on_text_changed)
	notation.item_selected.connect(_on_choice_changed)
	dialect.item_selected.connect(_on_choice_changed)
	_open.pressed.connect(_dialog.popup_file_dialog)
	_dialog.file_selected.connect(open_file)
	tree.gui_input.connect(_on_tree_input)
	refresh()


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED and is_node_ready():
		_use_theme()


func show_text(text: String) -> void:
	input.text = text
	_on_text_changed()


func open_file(path: String) -> void:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		_say("%s cannot be read: %s" % [path, error_string(FileAccess.get_open_error())], true)
		return
	if file.get_length() > _MAX_FILE:
		_say("%s has more than %s, which is too much to show." % [path, String.humanize_size(_MAX_FILE)], true)
		return
	_file_bytes = file.get_buffer(file.get_length())
	_has_file = true
	input.text = _file_bytes.slice(0, _MAX_SHOWN_BYTES).hex_encode()
	refresh()


## Shows what is in the bytes by now.
func refresh() -> void:
	tree.clear()
	if _has_file:
		_show_bytes(_file_bytes)
		return
	if input.text.strip_edges().is_empty():
		_say("", false)
		return
	var read := ByteText.new()
	if read.read(input.text, notation.selected as ByteText.Notation):
		_show_bytes(read.bytes)
	else:
		_say(read.error, true)


func _show_bytes(bytes: PackedByteArray) -> void:
	var listing: String = ClassDB.class_call_static(_CODEC, &"inspect", bytes, _MAX_ROWS, dialect.get_selected_id())
	var parents: Array[TreeItem] = [tree.create_item()]
	var problem := ""
	for line: String in listing.split("\n", false):
		var content := line.substr(_CONTENT_COLUMN)
		if content.contains("error: "):
			problem = content.strip_edges()
		if content.is_empty() and parents.size() > 1 and not line.contains(_REST):
			_add_bytes(line, parents[-1])
		else:
			_add_row(line, content, parents)
	var length := String.humanize_size(bytes.size())
	_say(length if problem.is_empty() else "%s: %s" % [length, problem], not problem.is_empty())


## `parents` has the last item of each level.
func _add_row(line: String, content: String, parents: Array[TreeItem]) -> void:
	var text := content.strip_edges(true, false)
	@warning_ignore("integer_division")
	var level := clampi((content.length() - text.length()) / _SPACES_PER_LEVEL + 1, 1, parents.size())
	parents.resize(level)
	var item := tree.create_item(parents[level - 1])
	parents.append(item)
	item.set_text(Column.CONTENT, text if not text.is_empty() else line.substr(_OFFSET_LENGTH).strip_edges())
	item.set_text(Column.OFFSET, line.left(_OFFSET_LENGTH))
	if not text.is_empty():
		item.set_text(Column.BYTES, _bytes_in(line))
	if text.contains("error: "):
		item.set_custom_color(Column.CONTENT, get_theme_color(&"error_color", &"Editor"))


## A value of many bytes has more lines, which have nothing but bytes.
func _add_bytes(line: String, item: TreeItem) -> void:
	item.set_text(Column.BYTES, "%s %s" % [item.get_text(Column.BYTES), _bytes_in(line)])


func _bytes_in(line: String) -> String:
	return line.substr(_OFFSET_LENGTH, _CONTENT_COLUMN - _OFFSET_LENGTH).strip_edges()


func _say(text: String, is_error: bool) -> void:
	status.text = text
	status.visible = not text.is_empty()
	var color := get_theme_color(&"error_color" if is_error else &"font_color", &"Editor" if is_error else &"Label")
	status.add_theme_color_override(&"font_color", color)


func _fill_dialects() -> void:
	dialect.tooltip_text = "Which Godot has written the bytes"
	for constant: StringName in _DIALECTS:
		var words := String(constant).trim_prefix("DIALECT_GODOT_").replace("_", ".")
		dialect.add_item("Godot %s" % words, ClassDB.class_get_integer_constant(_CODEC, constant))


func _set_up_tree() -> void:
	tree.columns = Column.size()
	tree.column_titles_visible = true
	tree.hide_root = true
	tree.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	tree.allow_search = true
	for column: int in tree.columns:
		tree.set_column_clip_content(column, true)
		tree.set_column_title_alignment(column, HORIZONTAL_ALIGNMENT_LEFT)
	tree.set_column_title(Column.CONTENT, "Value")
	tree.set_column_title(Column.OFFSET, "Offset")
	tree.set_column_title(Column.BYTES, "Bytes")
	tree.set_column_expand_ratio(Column.CONTENT, 3)
	tree.set_column_expand(Column.OFFSET, false)
	tree.set_column_custom_minimum_width(Column.OFFSET, int(100 * EditorInterface.get_editor_scale()))
	tree.set_column_expand_ratio(Column.BYTES, 2)


func _use_theme() -> void:
	_open.icon = get_theme_icon(&"Load", &"EditorIcons")
	input.add_theme_font_override(&"font", get_theme_font(&"source", &"EditorFonts"))
	refresh()


func _on_text_changed() -> void:
	_has_file = false
	_file_bytes.clear()
	refresh()


func _on_choice_changed(_index: int) -> void:
	refresh()


func _on_tree_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_copy") and tree.get_selected() != null:
		DisplayServer.clipboard_set(tree.get_selected().get_text(Column.CONTENT))
		tree.accept_event()
