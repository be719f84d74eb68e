@tool
extends ConfirmationDialog
## Lists the files that nothing uses, and lets the user choose which of them to remove.

signal remove_requested(removal: _Refactoring)
signal place_opened(path: String, line: int, column: int)

const _Refactoring := preload("refactoring.gd")
const _UnusedTree := preload("unused_tree.gd")
const _WindowPlace := preload("../shared/window_place.gd")
const _Words := preload("../shared/words.gd")

var tree := _UnusedTree.new()

## The running search; null before and after it.
var _search: _Refactoring
## The removal of the chosen files, while it is planned or shown; null otherwise.
var _removal: _Refactoring
var _subject := Label.new()
var _message := Label.new()
var _bar := ProgressBar.new()


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	title = "Find Unused"
	dialog_hide_on_ok = false
	_bar.indeterminate = true
	_bar.show_percentage = false
	_message.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_message.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	# While it is as narrow as a window is before its first layout, it would make the window high for good.
	_message.max_lines_visible = 3
	_message.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_message.mouse_filter = Control.MOUSE_FILTER_PASS
	_subject.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	tree.choice_changed.connect(_on_choice_changed)
	tree.file_opened.connect(_on_file_opened)
	var column := VBoxContainer.new()
	for control: Control in [_subject, _bar, _message, tree]:
		column.add_child(control)
	add_child(column)
	confirmed.connect(_on_confirmed)
	# The thread that is at work ends by itself; nothing waits for it.
	canceled.connect(_forget)


func _ready() -> void:
	set_process(false)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		tree.custom_minimum_size.y = 160 * EditorInterface.get_editor_scale()


## Looks in the background for the files in `folder` that no scene, script or setting of the project refers to.
func search(folder: String) -> void:
	_forget()
	_subject.text = "Files in %s that no scene, script or setting leads to" % folder
	_subject.tooltip_text = _subject.text
	_WindowPlace.show_centered(self, Vector2(900, 560))
	tree.grab_focus()
	_search = _Refactoring.new(&"find_unused", [folder])
	_wait("Reading the project.")


## Whether files are being looked at.
func is_working() -> bool:
	return _bar.modulate.a > 0.0


func message() -> String:
	return _message.text


## Why nothing was removed. The window stays, so that it can be tried again.
func refuse(reason: String) -> void:
	_removal = null
	_say(reason, true)


func done() -> void:
	_forget()
	hide()


func _process(_delta: float) -> void:
	var awaited := _search if _search != null else _removal
	if not awaited.is_ready():
		return
	set_process(false)
	_bar.modulate.a = 0.0
	var reason := awaited.error()
	if not reason.is_empty():
		_search = null
		refuse(reason)
	elif _search != null:
		_search = null
		tree.show_unused(awaited)
		_on_choice_changed()
	elif awaited.doubts.is_empty():
		remove_requested.emit(awaited)
	else:
		tree.warn(awaited.doubts)
		_say("Files that stay name what goes. Remove it anyway?", true)
		ok_button_text = "Remove Anyway"
		get_ok_button().disabled = false


func _on_choice_changed() -> void:
	_removal = null
	var count := tree.chosen().size()
	get_ok_button().disabled = count == 0
	ok_button_text = _Words.counted(count, "Remove %d File", "Remove %d Files") if count > 0 else "Remove"
	if not tree.has_unused():
		_say("Nothing here is unused, as far as that can be told.", false)
	elif count == 0:
		_say("Check what is to be removed.", false)
	else:
		_say("%s checked, %s. Undo brings back what is removed." % [
			_Words.counted(count, "%d file is", "%d files are"), String.humanize_size(tree.chosen_size())
		], false)


func _on_confirmed() -> void:
	if get_ok_button().disabled or is_working():
		return
	if _removal != null:
		remove_requested.emit(_removal)
		return
	# An empty list would stand for all files of the project.
	if not tree.chosen().is_empty():
		_removal = _Refactoring.new(&"prune", [tree.chosen()])
		_wait(_message.text)


func _wait(text: String) -> void:
	_say(text, false)
	_bar.modulate.a = 1.0
	get_ok_button().disabled = true
	set_process(true)


func _forget() -> void:
	set_process(false)
	_search = null
	_removal = null
	tree.forget()
	_bar.modulate.a = 0.0
	ok_button_text = "Remove"
	get_ok_button().disabled = true


func _say(text: String, is_error: bool) -> void:
	_message.text = text
	_message.tooltip_text = text
	_message.remove_theme_color_override(&"font_color")
	if is_error:
		_message.add_theme_color_override(&"font_color", get_theme_color(&"error_color", &"Editor"))


func _on_file_opened(path: String, line: int) -> void:
	place_opened.emit(path, maxi(line, 1), 1)
