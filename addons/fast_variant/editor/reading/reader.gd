@tool
extends Window
## Shows the documentation of the addon and of its rules, page by page.

const _Addon := preload("../shared/addon.gd")
const _Block := preload("page_block.gd")
const _Page := preload("page.gd")
const _PageSearchBar := preload("page_search_bar.gd")
const _PageView := preload("page_view.gd")
const _WindowPlace := preload("../shared/window_place.gd")

const _WEB: PackedStringArray = ["http://", "https://", "mailto:"]
## The files shown here; the system opens other files.
const _TEXTS: PackedStringArray = ["", "md", "markdown", "txt", "toml", "cfg", "gd", "json", "yml"]

var view := _PageView.new()
var search_bar := _PageSearchBar.new()
var back := Button.new()
var forward := Button.new()
var contents := MenuButton.new()
var rules := Button.new()
var _background := PanelContainer.new()
## The pages in the order in which they were visited, and which of them is shown.
var _visited: Array[_Page] = []
var _at := -1
## How far down each page was left, by its key.
var _scrolls: Dictionary[String, float] = {}


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	visible = false
	close_requested.connect(_close)
	search_bar.view = view
	search_bar.closed.connect(view.grab_focus)
	view.meta_clicked.connect(_on_link_clicked)
	view.gui_input.connect(_on_view_input)
	var column := VBoxContainer.new()
	for control: Control in [_make_buttons(), search_bar, view]:
		column.add_child(control)
	_background.set_anchors_preset(Control.PRESET_FULL_RECT)
	_background.add_child(column)
	add_child(_background)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_background.add_theme_stylebox_override(&"panel", get_theme_stylebox(&"panel", &"AcceptDialog"))
		back.icon = get_theme_icon(&"Back", &"EditorIcons")
		forward.icon = get_theme_icon(&"Forward", &"EditorIcons")


func explain(code: String) -> void:
	open(code)


## At a heading, if its anchor is given.
func open_documentation(anchor := "") -> void:
	open(_Addon.folder().path_join("README.md"))
	if not anchor.is_empty():
		# A window that has just been opened has no layout yet.
		for frame: int in 2:
			await get_tree().process_frame
		view.go_to_heading(anchor)


## A path, the code of a rule, or `Page.RULES`.
func open(key: String) -> void:
	if not visible:
		_visited.clear()
		_at = -1
		_WindowPlace.show_centered(self, Vector2(900, 640))
	_visit(key)
	view.grab_focus()


func shown_text() -> String:
	return view.get_parsed_text()


func _visit(key: String) -> void:
	if _at >= 0 and _visited[_at].key == key:
		return
	_leave()
	_visited.resize(_at + 1)
	var page := _Page.of(key)
	page.scroll = _scrolls.get(key, 0.0)
	_visited.append(page)
	_show(_at + 1)


## Goes through the visited pages.
func _step(step: int) -> void:
	var index := _at + step
	if index >= 0 and index < _visited.size():
		_leave()
		_show(index)


func _leave() -> void:
	if _at >= 0:
		_visited[_at].scroll = view.get_v_scroll_bar().value
		_scrolls[_visited[_at].key] = _visited[_at].scroll


func _show(index: int) -> void:
	_at = index
	title = _visited[index].title
	view.show_page(_visited[index])
	if search_bar.visible:
		search_bar.open()
	back.disabled = index == 0
	forward.disabled = index == _visited.size() - 1
	rules.disabled = _visited[index].key == _Page.RULES
	_fill_contents()


func _fill_contents() -> void:
	var menu := contents.get_popup()
	menu.clear()
	for block: _Block in view.headings():
		menu.add_item(block.heading)
		menu.set_item_indent(menu.item_count - 1, block.level - 2)
	contents.disabled = menu.item_count == 0


func _make_buttons() -> Control:
	var row := HBoxContainer.new()
	back.tooltip_text = "Back (Alt+Left)"
	back.pressed.connect(_step.bind(-1))
	forward.tooltip_text = "Forward (Alt+Right)"
	forward.pressed.connect(_step.bind(1))
	contents.text = "Contents"
	contents.tooltip_text = "The headings of this page."
	contents.flat = false
	# Menus are passed over by the Tab key otherwise.
	contents.focus_mode = Control.FOCUS_ALL
	contents.get_popup().index_pressed.connect(_on_heading_chosen)
	rules.text = "All Rules"
	rules.pressed.connect(open.bind(_Page.RULES))
	var space := Control.new()
	space.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	var find := Button.new()
	find.text = "Find"
	find.tooltip_text = "Find in this page (Ctrl+F)"
	find.pressed.connect(search_bar.open)
	for control: Control in [back, forward, contents, rules, space, find]:
		row.add_child(control)
	return row


func _shortcut_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed:
		return
	var is_handled := true
	if event.is_action_pressed(&"ui_cancel"):
		_cancel()
	elif key.keycode == KEY_F and key.is_command_or_control_pressed():
		search_bar.open()
	elif key.keycode == KEY_F3 and search_bar.visible:
		search_bar.go(-1 if key.shift_pressed else 1)
	elif key.alt_pressed and key.keycode in [KEY_LEFT, KEY_RIGHT]:
		_step(-1 if key.keycode == KEY_LEFT else 1)
	else:
		is_handled = false
	if is_handled:
		set_input_as_handled()


func _cancel() -> void:
	if search_bar.visible:
		search_bar.close()
	else:
		_close()


func _close() -> void:
	_leave()
	search_bar.close()
	hide()


func _on_heading_chosen(index: int) -> void:
	view.go_to_heading(_PageView.anchor_of(view.headings()[index].heading))


## The buttons at the side of a mouse.
func _on_view_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click != null and click.pressed and click.button_index in [MOUSE_BUTTON_XBUTTON1, MOUSE_BUTTON_XBUTTON2]:
		_step(-1 if click.button_index == MOUSE_BUTTON_XBUTTON1 else 1)


## A rule, a heading of this page, a file of the addon, or an address.
func _on_link_clicked(meta: Variant) -> void:
	var target := str(meta)
	for scheme: String in _WEB:
		if target.begins_with(scheme):
			OS.shell_open(target)
			return
	if _Page.is_rule(target):
		_visit(target)
		return
	var anchor := target.get_slice("#", 1) if target.contains("#") else ""
	var file := target.get_slice("#", 0).uri_decode()
	if not file.is_empty():
		var path := _visited[_at].key.get_base_dir().path_join(file).simplify_path()
		if path.get_extension().to_lower() not in _TEXTS and FileAccess.file_exists(path):
			OS.shell_open(ProjectSettings.globalize_path(path))
			return
		_visit(path)
	if not anchor.is_empty():
		view.go_to_heading(anchor)
