@tool
extends RefCounted
## The panel `Variant`: what it shows for bytes of all notations, of files, and for what is no bytes.

const ByteText := preload("res://addons/fast_variant/editor/bytes/byte_text.gd")
const Driver := preload("driver.gd")
const VariantInspector := preload("res://addons/fast_variant/editor/bytes/variant_inspector.gd")
const VariantTree := preload("res://addons/fast_variant/editor/bytes/variant_tree.gd")

const FILE := "res://value.bin"
## All bytes of a value, with what the engine itself makes of them.
const VALUE := {"name": "Ada", "places": [Vector2(1, 2), 7], 3: null}

var _driver: Driver
var _inspector: VariantInspector


func run(driver: Driver) -> void:
	_driver = driver
	_inspector = _find()
	if _inspector == null:
		driver.fail("there is no inspector in the editor")
		return
	_check_notations()
	_check_tree()
	_check_links()
	_check_copies()
	_check_errors()
	_check_framings()
	_check_saved()
	_check_hostile()
	_check_file()
	await _check_theme()
	await _check_focus()


func _find() -> VariantInspector:
	for node: Node in EditorInterface.get_base_control().get_tree().root.find_children("*", "HSplitContainer", true, false):
		if node is VariantInspector:
			return node
	return null


func _check_notations() -> void:
	var bytes := var_to_bytes(VALUE)
	var hex := bytes.hex_encode()
	var spaced: PackedStringArray = []
	for index: int in bytes.size():
		spaced.append("0x" + hex.substr(2 * index, 2))
	var texts: PackedStringArray = [
		hex, hex.to_upper(), ", ".join(spaced), "\n".join(spaced), Marshalls.raw_to_base64(bytes),
		Marshalls.raw_to_base64(bytes).rstrip("="), str(bytes), var_to_str(bytes), "PackedByteArray(%s)" % str(Array(bytes)).trim_prefix("[").trim_suffix("]"),
	]
	var read := ByteText.new()
	for text: String in texts:
		_driver.check(read.read(text), "`%s` is not read: %s" % [text.left(60), read.error])
		_driver.equal(read.bytes, bytes, "bytes of `%s`" % text.left(60))
	for number: int in 256:
		var one: PackedByteArray = [number, 255 - number, 0]
		_driver.check(read.read(str(one)) and read.bytes == one, "%s is not read" % one)
		_driver.check(read.read(one.hex_encode()) and read.bytes == one, "%s is not read" % one.hex_encode())


func _check_tree() -> void:
	_inspector.show_text(var_to_bytes(VALUE).hex_encode())
	var wanted: PackedStringArray = [
		"1 Dictionary, 3 entries", "2 [\"name\"] String \"Ada\"", "2 [\"places\"] Array, 2 elements",
		"3 [0] Vector2(1, 2)", "3 [1] int 7", "2 [3] Nil",
	]
	_driver.equal("\n".join(_listed()), "\n".join(wanted), "the tree")
	_driver.equal(_inspector.hex.bytes, var_to_bytes(VALUE), "the bytes beside it")
	_driver.check(_item(3).get_tooltip_text(0) == "[0] Vector2(1, 2)", "a tooltip: %s" % _item(3).get_tooltip_text(0))
	_driver.check(_item(5).get_tooltip_text(0).ends_with("Key: int 3"), "the tooltip of a key: %s" % _item(5).get_tooltip_text(0))
	var long := "a".repeat(400)
	_inspector.show_text(var_to_bytes([long, "error: none"]).hex_encode())
	_driver.equal(_item(1).get_tooltip_text(0), var_to_str(long), "the tooltip of a long text")
	_driver.check(not _inspector.status.text.contains("error"), "no error: %s" % _inspector.status.text)


## A click on a row marks its bytes, and one on a byte selects its row.
func _check_links() -> void:
	var bytes := var_to_bytes(VALUE)
	_inspector.show_text(bytes.hex_encode())
	var taken := PackedByteArray()
	for number: int in _items().size():
		_item(number).select(0)
		var marked := _inspector.hex.marked()
		var row := _inspector.tree.selected_row()
		_driver.equal(marked, Vector2i(row.start, row.end), "what is marked of row %d" % number)
		var end := marked.y
		if _item(number).get_child_count() > 0:
			_item(number).get_first_child().select(0)
			end = _inspector.hex.marked().x
		taken.append_array(bytes.slice(marked.x, end))
	_driver.equal(taken, bytes, "each byte is in one row")
	for offset: int in bytes.size():
		_inspector.hex.byte_pressed.emit(offset)
		var row := _inspector.tree.selected_row()
		_driver.check(row.start <= offset and offset < row.end, "byte %d is in %s" % [offset, row.text])
	var click := InputEventMouseButton.new()
	click.button_index = MOUSE_BUTTON_LEFT
	click.pressed = true
	for offset: int in [0, 15, 16]:
		click.position = _inspector.hex.rect_of(offset).get_center()
		var pressed: PackedInt32Array = []
		var listen := func(at: int) -> void: pressed.append(at)
		_inspector.hex.byte_pressed.connect(listen)
		_inspector.hex._gui_input(click)
		_inspector.hex.byte_pressed.disconnect(listen)
		_driver.equal(pressed, PackedInt32Array([offset]), "a click on byte %d" % offset)


func _check_copies() -> void:
	_inspector.show_text(var_to_bytes(VALUE).hex_encode())
	_item(0).select(0)
	var tree := _inspector.tree
	_driver.equal(var_to_str(str_to_var(tree.text_for(VariantTree._Action.COPY_GDSCRIPT))), var_to_str(VALUE), "as GDScript")
	var json: Variant = JSON.parse_string(tree.text_for(VariantTree._Action.COPY_JSON))
	_driver.equal(var_to_str(JSON.to_native(json)), var_to_str(VALUE), "as JSON")
	_driver.equal(tree.text_for(VariantTree._Action.COPY_HEX), var_to_bytes(VALUE).hex_encode(), "as hex")
	_item(2).select(0)
	_driver.equal(tree.text_for(VariantTree._Action.COPY_GDSCRIPT), var_to_str(VALUE["places"]), "an inner value")
	_inspector.show_text(var_to_bytes_with_objects(Resource.new()).hex_encode())
	_item(0).select(0)
	_driver.equal(tree.text_for(VariantTree._Action.COPY_GDSCRIPT), "", "an object is not copied")
	_driver.check(_inspector.status.text.begins_with("Not copied: "), "an object: %s" % _inspector.status.text)


## What the addon and the engine write into files, each guessed.
func _check_framings() -> void:
	var values: Array[Variant] = [VALUE, 7, "text", [], null]
	for compression: int in [-1, FileAccess.COMPRESSION_FASTLZ, FileAccess.COMPRESSION_DEFLATE, FileAccess.COMPRESSION_ZSTD, FileAccess.COMPRESSION_GZIP]:
		for big_endian: bool in [false, true]:
			var file := _file(compression)
			file.big_endian = big_endian
			for value: Variant in values:
				file.store_var(value)
			file.close()
			_inspector.open_file(FILE)
			var shown := "in mode %d, big_endian %s: %s" % [compression, big_endian, _inspector.status.text]
			_driver.equal(_inspector.tree.get_root().get_child_count(), values.size(), "values " + shown)
			_driver.check(_inspector.status.text.contains("5 values"), shown)
			_driver.equal(_listed()[-1], "1 [4] Nil", "the last value " + shown)
	var sequence := PackedByteArray()
	for value: Variant in values + [range(9000)] as Array[Variant]:
		sequence.append_array(var_to_bytes(value))
	_inspector.show_text(sequence.hex_encode())
	_driver.equal(_inspector.tree.get_root().get_child_count(), values.size() + 2, "values without lengths, and how much is left")
	_driver.check(_inspector.status.text.contains("without Lengths"), "without lengths: %s" % _inspector.status.text)
	_inspector.show_text((sequence.slice(0, var_to_bytes(VALUE).size()) + PackedByteArray([0xff, 1, 2])).hex_encode())
	_driver.check(_inspector.status.text.contains("3 bytes behind the value"), "broken at the end: %s" % _inspector.status.text)
	_check_stored(values)


## By the addon itself.
func _check_stored(values: Array[Variant]) -> void:
	var file := _file(-1)
	for value: Variant in values:
		ClassDB.class_call_static(&"FastVariant", &"store", file, value)
	file.close()
	_inspector.open_file(FILE)
	_driver.equal(_inspector.tree.get_root().get_child_count(), values.size(), "values of FastVariant.store()")
	DirAccess.remove_absolute(FILE)


## As rust/docs/wire-format.md specifies it.
func _check_saved() -> void:
	var value := var_to_bytes(VALUE)
	for is_packed: bool in [false, true]:
		var content := value.compress(FileAccess.COMPRESSION_ZSTD) if is_packed else value
		var file := "FVSAVE".to_ascii_buffer() + PackedByteArray([0, 1]) + ("zstd" if is_packed else "none").to_ascii_buffer()
		file.resize(32)
		file.encode_u64(16, value.size())
		file.encode_u64(24, content.size())
		file.append_array(content)
		_inspector.show_text(file.hex_encode())
		_driver.equal(_inspector.hex.bytes, value, "a saved file: %s" % _inspector.status.text)
		_driver.equal(_listed()[1], "2 [\"name\"] String \"Ada\"", "the value of a saved file")
		for place: int in [7, 8, 16, 23, 24, 31]:
			var broken := file.duplicate()
			broken[place] = 0xfe
			_inspector.show_text(broken.hex_encode())
			_driver.check(_inspector.status.text.contains("save_file()"), "byte %d: %s" % [place, _inspector.status.text])


func _file(compression: int) -> FileAccess:
	if compression < 0:
		return FileAccess.open(FILE, FileAccess.WRITE)
	return FileAccess.open_compressed(FILE, FileAccess.WRITE, compression as FileAccess.CompressionMode)


## Nothing is allocated for what a file only declares, and nothing ends the editor.
func _check_hostile() -> void:
	var file := _file(FileAccess.COMPRESSION_ZSTD)
	file.store_var(range(5000))
	file.close()
	var whole := FileAccess.get_file_as_bytes(FILE)
	var start := Time.get_ticks_msec()
	for header: PackedInt64Array in [[4, 9], [8, 0], [8, 0xffffffff], [12, 0xffffffff], [8, 1], [16, 0xffffffff], [16, 0]]:
		var broken := whole.duplicate()
		broken.encode_u32(header[0], header[1])
		_inspector.show_text(broken.hex_encode())
		_driver.check(_inspector.status.text.contains("GCPF"), "%s: %s" % [header, _inspector.status.text])
	for size: int in range(0, 64) + [whole.size() / 2]:
		_inspector.show_text(whole.slice(0, size).hex_encode())
		_driver.check(size == 0 or not _inspector.status.text.is_empty(), "the first %d bytes" % size)
	var random := RandomNumberGenerator.new()
	random.seed = 20
	for round_number: int in 200:
		var bytes := PackedByteArray()
		for index: int in random.randi_range(1, 120):
			bytes.append(random.randi_range(0, 255) if random.randi() % 3 == 0 else random.randi_range(0, 4))
		_inspector.show_text(bytes.hex_encode())
		_driver.check(not _inspector.status.text.is_empty(), "nothing is said of %s" % bytes.hex_encode())
	print("cost of hostile bytes: %d ms" % (Time.get_ticks_msec() - start))
	_check_large_file()


func _check_large_file() -> void:
	var file := _file(-1)
	var data := PackedByteArray()
	data.resize(100 << 20)
	file.store_var({"data": data})
	file.close()
	var start := Time.get_ticks_msec()
	_inspector.open_file(FILE)
	print("cost of a file of 100 MB: %d ms" % (Time.get_ticks_msec() - start))
	_driver.check(_inspector.status.text.contains("1 value"), "a large file: %s" % _inspector.status.text)
	file = _file(-1)
	file.seek(200 << 20)
	file.store_8(0)
	file.close()
	_inspector.open_file(FILE)
	_driver.check(_inspector.status.text.contains("files of up to"), "a larger file: %s" % _inspector.status.text)
	DirAccess.remove_absolute(FILE)


func _check_errors() -> void:
	for text: String in ["zz zz", "123", "[1, 256]", "[1, a]", "[-1]", "1c0000000200000002"]:
		_inspector.show_text(text)
		_driver.check(_inspector.status.visible and not _inspector.status.text.is_empty(), "no word on `%s`" % text)
	var broken := var_to_bytes(range(3000)).slice(0, 20_001)
	_inspector.show_text(broken.hex_encode())
	_driver.check(_inspector.tree.selected_row().is_error, "the broken row is selected")
	var marked := _inspector.hex.marked()
	_driver.check(marked.x >= 20_000 - 8 and marked.y <= broken.size() and marked.y > marked.x, "the broken bytes are marked: %s" % marked)
	_inspector.show_text("")
	_driver.check(not _inspector.status.visible, "a word on nothing: %s" % _inspector.status.text)
	_inspector.open_file("res://nowhere.bin")
	_driver.check(_inspector.status.text.contains("nowhere.bin"), "no word on a missing file")


func _check_file() -> void:
	var bytes := var_to_bytes(range(3000))
	var file := FileAccess.open(FILE, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()
	_inspector.open_file(FILE)
	_driver.equal(_rows(_inspector.tree.get_root(), 0).size(), 3001, "rows of a file")
	DirAccess.remove_absolute(FILE)
	_inspector.show_text("00000000")
	_driver.equal(_rows(_inspector.tree.get_root(), 0), PackedStringArray(["1 Nil"]), "text after a file")


func _check_theme() -> void:
	_inspector.propagate_notification(Control.NOTIFICATION_THEME_CHANGED)
	await _driver.get_tree().process_frame
	_driver.equal(_rows(_inspector.tree.get_root(), 0), PackedStringArray(["1 Nil"]), "after a change of the theme")


## All parts are reached with the Tab key.
func _check_focus() -> void:
	var dock: Node = _inspector
	while dock != null and not dock.get_parent() is TabContainer:
		dock = dock.get_parent()
	if dock != null:
		var tabs: TabContainer = dock.get_parent()
		tabs.current_tab = tabs.get_tab_idx_from_control(dock)
	await _driver.get_tree().process_frame
	for control: Control in [_inspector.input, _inspector.notation, _inspector.framing, _inspector.dialect, _inspector.tree, _inspector.hex]:
		_driver.equal(control.focus_mode, Control.FOCUS_ALL, "focus of %s" % control.get_class())
		_driver.check(control.is_visible_in_tree(), "%s is not visible" % control.get_class())
	# Beside the docks, on a small screen.
	var room := Vector2(700, 230) * EditorInterface.get_editor_scale()
	_driver.check(_inspector.get_combined_minimum_size().x <= room.x, "the panel needs %s" % _inspector.get_combined_minimum_size())
	_inspector.size = room
	for frame: int in 3:
		await _driver.get_tree().process_frame
	_driver.check(_inspector.tree.size.x >= 100 and _inspector.hex.size.x >= 100, "widths %s, %s" % [_inspector.tree.size, _inspector.hex.size])


func _rows(item: TreeItem, level: int) -> PackedStringArray:
	var found: PackedStringArray = []
	for child: TreeItem in item.get_children():
		found.append("%d %s" % [level + 1, child.get_text(VariantTree._Column.CONTENT)])
		found.append_array(_rows(child, level + 1))
	return found


func _listed() -> PackedStringArray:
	return _rows(_inspector.tree.get_root(), 0)


func _items() -> Array[TreeItem]:
	var items: Array[TreeItem] = []
	var item := _inspector.tree.get_root().get_next_in_tree()
	while item != null:
		items.append(item)
		item = item.get_next_in_tree()
	return items


func _item(number: int) -> TreeItem:
	return _items()[number]
