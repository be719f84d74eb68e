@tool
extends HSplitContainer
## A tab at the bottom of the editor that shows the contents of encoded bytes, pasted or from a file: the values in a tree, and the
## bytes next to it.

const _ByteText := preload("byte_text.gd")
const _FileContent := preload("file_content.gd")
const _HexView := preload("hex_view.gd")
const _VariantListing := preload("variant_listing.gd")
const _VariantTree := preload("variant_tree.gd")
const _Words := preload("../shared/words.gd")

const _CODEC := &"FastVariant"
## Rows of a listing; more make a tree slow, and no one reads them.
const _MAX_ROWS := 5000
## The limits for bytes of a file that are read, and for bytes that the field shows.
const _MAX_FILE := 128 << 20
const _MAX_SHOWN_BYTES := 4096
## In the order of `FastVariant.DIALECT_*`; the values are looked up by these names.
const _DIALECTS: Array[StringName] = [&"DIALECT_GODOT_4", &"DIALECT_GODOT_4_3", &"DIALECT_GODOT_4_0", &"DIALECT_GODOT_3", &"DIALECT_GODOT_2"]
const _FRAMINGS: Dictionary[_VariantListing._Framing, String] = {
	_VariantListing._Framing.GUESS: "Guess Framing",
	_VariantListing._Framing.VALUE: "One Value",
	_VariantListing._Framing.LENGTHS: "Values with Lengths (store_var)",
	_VariantListing._Framing.LENGTHS_BIG_ENDIAN: "Values with Big-Endian Lengths",
	_VariantListing._Framing.SEQUENCE: "Values without Lengths",
}
const _FOLDERS: Dictionary[String, String] = {"In User Data": "user://", "In Project": "res://"}

var input := TextEdit.new()
var notation := OptionButton.new()
var framing := OptionButton.new()
var dialect := OptionButton.new()
var tree := _VariantTree.new()
var hex := _HexView.new()
var status := Label.new()
var _open := MenuButton.new()
var _dialog := EditorFileDialog.new()
## The listed bytes.
var _listing: _VariantListing
## The bytes of a file, until the user types.
var _file_bytes: PackedByteArray
var _has_file := false


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	name = "Variant"
	var editor_scale := EditorInterface.get_editor_scale()
	custom_minimum_size.y = 230 * editor_scale
	_set_up_input()
	_set_up_choices()
	var bar := HFlowContainer.new()
	for control: Control in [_open, notation, framing, dialect]:
		bar.add_child(control)
	var left := VBoxContainer.new()
	left.custom_minimum_size.x = 260 * editor_scale
	for control: Control in [bar, input, status]:
		left.add_child(control)
	var right := HSplitContainer.new()
	right.add_child(tree)
	right.add_child(hex)
	add_child(left)
	add_child(right)
	_dialog.file_mode = EditorFileDialog.FILE_MODE_OPEN_FILE
	_dialog.access = EditorFileDialog.ACCESS_FILESYSTEM
	add_child(_dialog)


func _ready() -> void:
	input.text_changed.connect(_on_text_changed)
	for choice: OptionButton in [notation, framing, dialect]:
		choice.item_selected.connect(_on_choice_changed)
	_open.get_popup().index_pressed.connect(_on_folder_chosen)
	_dialog.file_selected.connect(open_file)
	tree.row_selected.connect(_on_row_selected)
	tree.said.connect(_say)
	hex.byte_pressed.connect(_on_byte_pressed)
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
		_say("%s has %s; files of up to %s can be shown." % [
			path, String.humanize_size(file.get_length()), String.humanize_size(_MAX_FILE)
		], true)
		return
	_file_bytes = file.get_buffer(file.get_length())
	_has_file = true
	input.text = _file_bytes.slice(0, _MAX_SHOWN_BYTES).hex_encode()
	refresh()


## Shows the current bytes.
func refresh() -> void:
	if _has_file:
		_show_bytes(_file_bytes)
		return
	var read := _ByteText.new()
	var is_empty := input.text.strip_edges().is_empty()
	if not is_empty and read.read(input.text, notation.selected as _ByteText._Notation):
		_show_bytes(read.bytes)
		return
	_listing = null
	tree.clear()
	hex.show_bytes(PackedByteArray())
	_say("" if is_empty else read.error, not is_empty)


func _show_bytes(bytes: PackedByteArray) -> void:
	var content := _FileContent.new(bytes)
	var shown := content.content
	_listing = _VariantListing.new(shown, framing.get_selected_id() as _VariantListing._Framing, dialect.get_selected_id(), _MAX_ROWS)
	tree.dialect = dialect.get_selected_id()
	tree.show_listing(_listing, shown)
	hex.show_bytes(shown)
	_say_what_is_shown(bytes.size(), content)
	if not _listing.error.is_empty():
		_show_error()


func _say_what_is_shown(size_of_file: int, content: _FileContent) -> void:
	var parts: PackedStringArray = [String.humanize_size(content.content.size())]
	if not content.kind.is_empty():
		parts[0] += ", %s in the file: %s" % [String.humanize_size(size_of_file), content.kind]
	if _listing.framing != _VariantListing._Framing.VALUE:
		parts.append("%s: %s" % [_FRAMINGS[_listing.framing], _Words.counted(_listing.value_count, "%d value", "%d values")])
	for error: String in [content.error, _listing.error]:
		if not error.is_empty():
			parts.append(error)
	_say("; ".join(parts), not content.error.is_empty() or not _listing.error.is_empty())


## The broken place, in both.
func _show_error() -> void:
	var number := _listing.row_at(_listing.error_offset)
	for index: int in _listing.rows.size():
		if _listing.rows[index].is_error:
			number = index
	tree.select_row(number)
	var end := _listing.rows[number].end if number >= 0 else 0
	hex.mark(_listing.error_offset, maxi(end, _listing.error_offset + 1), true)


func _say(text: String, is_error: bool) -> void:
	status.text = text
	status.visible = not text.is_empty()
	var color := get_theme_color(&"error_color" if is_error else &"font_color", &"Editor" if is_error else &"Label")
	status.add_theme_color_override(&"font_color", color)


func _set_up_input() -> void:
	input.placeholder_text = "Paste bytes: hex, Base64 or a PackedByteArray"
	input.size_flags_vertical = Control.SIZE_EXPAND_FILL
	input.wrap_mode = TextEdit.LINE_WRAPPING_BOUNDARY
	# Since Godot 4.5.
	input.set(&"accessibility_name", input.placeholder_text)
	status.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART


func _set_up_choices() -> void:
	_open.text = "Open File"
	_open.flat = false
	# Menus are passed over by the Tab key otherwise.
	_open.focus_mode = Control.FOCUS_ALL
	_open.tooltip_text = "Shows what is in a file, such as one of FastVariant.store(), FileAccess.store_var() or store_buffer(), compressed or not."
	for folder: String in _FOLDERS:
		_open.get_popup().add_item(folder)
	for text: String in ["Guess Notation", "Hex", "Base64", "PackedByteArray"]:
		notation.add_item(text)
	framing.fit_to_longest_item = false
	framing.tooltip_text = "How the values follow each other"
	for id: _VariantListing._Framing in _FRAMINGS:
		framing.add_item(_FRAMINGS[id], id)
	dialect.tooltip_text = "Which Godot has written the bytes"
	for constant: StringName in _DIALECTS:
		var words := String(constant).trim_prefix("DIALECT_GODOT_").replace("_", ".")
		dialect.add_item("Godot %s" % words, ClassDB.class_get_integer_constant(_CODEC, constant))


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


func _on_folder_chosen(index: int) -> void:
	var folder := ProjectSettings.globalize_path(_FOLDERS.values()[index])
	if DirAccess.dir_exists_absolute(folder):
		_dialog.current_dir = folder
	_dialog.popup_file_dialog()


func _on_row_selected(row: _VariantListing._Row) -> void:
	hex.mark(row.start, row.end, row.is_error)


func _on_byte_pressed(offset: int) -> void:
	if _listing != null:
		tree.select_row(_listing.row_at(offset))
