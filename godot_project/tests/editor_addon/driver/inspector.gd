@tool
extends RefCounted
## The panel `Variant`: what it shows for bytes of all notations, of files, and for what is no bytes.

const ByteText := preload("res://addons/fast_variant/editor/byte_text.gd")
const Driver := preload("driver.gd")
const VariantInspector := preload("res://addons/fast_variant/editor/variant_inspector.gd")

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
	_check_errors()
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
	var listed := _rows(_inspector.tree.get_root(), 0)
	var wanted: PackedStringArray = [
		"1 Dictionary, 3 entries",
		"2 [key 0] String \"name\"", "2 [\"name\"] String \"Ada\"",
		"2 [key 1] String \"places\"", "2 [\"places\"] Array, 2 elements", "3 [0] Vector2(1, 2)", "3 [1] int 7",
		"2 [key 2] int 3", "2 [3] Nil",
	]
	_driver.equal("\n".join(listed), "\n".join(wanted), "the tree")
	# All bytes are shown, each once.
	_driver.equal(_bytes(_inspector.tree.get_root()), var_to_bytes(VALUE).hex_encode(), "the bytes in the tree")
	var long := var_to_bytes("a".repeat(40))
	_inspector.show_text(long.hex_encode())
	_driver.equal(_bytes(_inspector.tree.get_root()), long.hex_encode(), "the bytes of a long text")


func _check_errors() -> void:
	for text: String in ["zz zz", "123", "[1, 256]", "[1, a]", "[-1]", "1c0000000200000002"]:
		_inspector.show_text(text)
		_driver.check(_inspector.status.visible and not _inspector.status.text.is_empty(), "no word on `%s`" % text)
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
	for control: Control in [_inspector.input, _inspector.notation, _inspector.dialect, _inspector.tree]:
		_driver.equal(control.focus_mode, Control.FOCUS_ALL, "focus of %s" % control.get_class())
		_driver.check(control.is_visible_in_tree(), "%s is not visible" % control.get_class())


func _rows(item: TreeItem, level: int) -> PackedStringArray:
	var found: PackedStringArray = []
	for child: TreeItem in item.get_children():
		found.append("%d %s" % [level + 1, child.get_text(VariantInspector.Column.CONTENT)])
		found.append_array(_rows(child, level + 1))
	return found


func _bytes(item: TreeItem) -> String:
	var found := ""
	for child: TreeItem in item.get_children():
		found += child.get_text(VariantInspector.Column.BYTES).replace(" ", "") + _bytes(child)
	return found
