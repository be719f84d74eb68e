@tool
extends AcceptDialog
## The differences between a scene, resource or settings file and the last commit. It compares files, and mentions unsaved edits,
## which are not in them.

const _Change := preload("comparison_change.gd")
const _Comparison := preload("comparison.gd")
const _ComparisonMenu := preload("comparison_menu.gd")
const _ComparisonTree := preload("comparison_tree.gd")
const _Commands := preload("../menus/commands.gd")
const _FileChange := preload("../writing/file_change.gd")
const _FileRewriter := preload("../writing/file_rewriter.gd")
const _Native := preload("../shared/native.gd")
const _Navigator := preload("../places/navigator.gd")
const _Saves := preload("../saving/saves.gd")
const _Toasts := preload("../checking/toasts.gd")
const _UnsavedEdits := preload("../writing/unsaved_edits.gd")
const _WindowPlace := preload("../shared/window_place.gd")

var menu := _ComparisonMenu.new()
var tree := _ComparisonTree.new()

var _navigator: _Navigator
var _rewriter: _FileRewriter
var _toasts: _Toasts
var _unsaved: _UnsavedEdits
var _path := ""
## The node to select in the list.
var _node_path := ""
## The shown comparison, as the library gave it.
var _shown: Dictionary = {}
## The running job; null before and after it.
var _job: RefCounted
## The job that found the shown differences; null if none are shown.
var _compared: RefCounted
## While the tree is filled, its selection means nothing.
var _is_filling := false
var _subject := Label.new()
var _bar := ProgressBar.new()
var _message := Label.new()
var _noise := Label.new()
var _revert: Button


func _init(
	commands: _Commands, navigator: _Navigator, rewriter: _FileRewriter, saves: _Saves, toasts: _Toasts, unsaved: _UnsavedEdits
) -> void:
	_navigator = navigator
	_rewriter = rewriter
	_toasts = toasts
	_unsaved = unsaved
	commands.actions[_Commands._Command.COMPARE] = compare_scene
	rewriter.rewritten.connect(_on_rewritten)
	saves.saved.connect(_on_changed)
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	title = "Compare with Last Commit"
	ok_button_text = "Close"
	# So that one can look at the scene meanwhile.
	exclusive = false
	_bar.indeterminate = true
	_bar.show_percentage = false
	for label: Label in [_message, _noise]:
		label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
		# While it is as narrow as a window is before its first layout, it would make the window high for good.
		label.max_lines_visible = 3
	for label: Label in [_subject, _message, _noise]:
		label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
		label.mouse_filter = Control.MOUSE_FILTER_PASS
	tree.change_chosen.connect(_on_change_chosen)
	tree.change_opened.connect(_on_change_opened)
	tree.menu_asked.connect(_on_menu_asked)
	tree.item_selected.connect(_show_button)
	menu.open_pressed.connect(tree.item_activated.emit)
	menu.revert_pressed.connect(revert_selected)
	_revert = add_button("Revert This Change", false, "revert")
	_revert.tooltip_text = "Takes the change of the selected row back in the file. Undo brings it back."
	custom_action.connect(revert_selected.unbind(1))
	add_child(menu)
	var column := VBoxContainer.new()
	for control: Control in [_subject, _bar, _message, tree, _noise]:
		column.add_child(control)
	add_child(column)
	# The thread that is at work ends by itself; nothing waits for it.
	visibility_changed.connect(_on_visibility_changed)
	# Meanwhile there may be a new commit, or another program may have written the file.
	focus_entered.connect(_on_focus_entered)


func _ready() -> void:
	set_process(false)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		tree.custom_minimum_size.y = 120 * EditorInterface.get_editor_scale()
		_noise.add_theme_color_override(&"font_color", get_theme_color(&"font_disabled_color", &"Editor"))


## Compares in the background, and selects the row of a node in the end, if it differs.
func compare(path: String, node_path := "") -> void:
	_path = path
	_node_path = node_path
	_subject.text = path
	_subject.tooltip_text = path
	_clear()
	_say("Asking git.", false)
	_WindowPlace.show_centered(self, Vector2(900, 600))
	tree.grab_focus()
	_begin()


## The scene at the front, beginning with the node that is selected.
func compare_scene() -> void:
	var root := EditorInterface.get_edited_scene_root()
	if root == null or root.scene_file_path.is_empty():
		_toasts.push("There is no saved scene to compare.", EditorToaster.SEVERITY_INFO)
		return
	var nodes := EditorInterface.get_selection().get_selected_nodes()
	compare(root.scene_file_path, root.get_path_to(nodes[0]) if nodes.size() == 1 else ^"")


## Takes the change of the selected row back in the file, as a step of the editor's undo.
func revert_selected() -> void:
	var change := tree.selected_change()
	if change == null or _compared == null:
		return
	var reverted := _reverted(change, tree.selected_entry())
	var reason: String = reverted["error"]
	var step_title := "Revert %s in %s" % [change.called(maxi(tree.selected_entry(), _ComparisonTree.ALL)), _path.get_file()]
	if reason.is_empty():
		var step := _FileChange.new(_path, _Native.compared_text(_compared), reverted["text"])
		reason = _rewriter.write(step)
		if reason.is_empty():
			_rewriter.remember(step_title, [step])
	if reason.is_empty():
		_toasts.push("%s: done." % step_title, EditorToaster.SEVERITY_INFO)
	else:
		_say("Not reverted: %s." % reason, true)


## Whether git is being asked.
func is_working() -> bool:
	return _job != null


func message() -> String:
	return _message.text


func noise() -> String:
	return _noise.text


func _process(_delta: float) -> void:
	if not _Native.is_done(_job):
		return
	set_process(false)
	_bar.modulate.a = 0.0
	var reason := _Native.failure(_job)
	if reason.is_empty():
		_compared = _job
		_show(_Native.outcome(_job))
	else:
		_clear()
		_say("Cannot be compared: %s." % reason, true)
	_job = null
	_show_button()


func _begin() -> void:
	_job = _Native.compare(_path)
	_bar.modulate.a = 1.0
	set_process(true)


func _clear() -> void:
	_shown = {}
	_compared = null
	tree.clear()
	_noise.text = ""
	_show_button()


## Rows that are shown already stay as the user has folded them.
func _show(found: Dictionary) -> void:
	var comparison := _Comparison.new(found)
	if _shown != found:
		_shown = found
		_is_filling = true
		tree.show_comparison(comparison)
		if not _node_path.is_empty():
			tree.select_node(_node_path)
		_is_filling = false
	var hint := " Changes that are not saved are not compared: save to see them." if _unsaved.has(_path) else ""
	_say(comparison.summary() + hint, false)
	_noise.text = comparison.noise_told()
	_noise.tooltip_text = _noise.text
	_noise.visible = not _noise.text.is_empty()


func _say(text: String, is_error: bool) -> void:
	_message.text = text
	_message.tooltip_text = text
	_message.remove_theme_color_override(&"font_color")
	if is_error:
		_message.add_theme_color_override(&"font_color", get_theme_color(&"error_color", &"Editor"))


## The text without a change, or without an entry of it: `text`, or why not as `error`.
func _reverted(change: _Change, entry: int) -> Dictionary:
	if entry == _ComparisonTree.PART:
		return {"text": PackedByteArray(), "error": "a part of a value goes back with the whole value: choose the row above it"}
	if _unsaved.has(_path):
		return {"text": PackedByteArray(), "error": "%s has changes that are not saved; save it first" % _path.get_file()}
	return _Native.without_change(_compared, change.number, entry)


func _show_button() -> void:
	_revert.disabled = _compared == null or tree.selected_change() == null


func _on_menu_asked(at: Vector2) -> void:
	if _compared == null:
		return
	var reverted := _reverted(tree.selected_change(), tree.selected_entry())
	var reason: String = reverted["error"]
	menu.show_at(Vector2i(tree.get_screen_position() + at), reason.left(1).to_upper() + reason.substr(1))


func _on_changed(path: String) -> void:
	if visible and path == _path:
		_begin()


func _on_rewritten(paths: PackedStringArray) -> void:
	for path: String in paths:
		_on_changed(path)


func _on_change_chosen(change: _Change) -> void:
	if not _is_filling and change.kind == "node" and change.state != "removed":
		_node_path = change.name
		_navigator.select_node(_path, change.name)


func _on_change_opened(change: _Change, property: String) -> void:
	if change.kind == "node" and change.state != "removed":
		_navigator.open_node(_path, change.name, property)
	elif change.line > 0:
		_navigator.open_text(_path, change.line)


func _on_focus_entered() -> void:
	if visible and not is_working() and not _path.is_empty():
		_begin()


func _on_visibility_changed() -> void:
	if not visible:
		set_process(false)
		_job = null
		_compared = null
