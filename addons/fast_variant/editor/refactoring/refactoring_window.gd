@tool
extends ConfirmationDialog
## Asks for the new name, shows its changes in all files, and lets the user choose.

signal apply_requested(refactoring: _Refactoring)
signal place_opened(path: String, line: int, column: int)

const _Refactoring := preload("refactoring.gd")
const _RefactoringPlace := preload("refactoring_place.gd")
const _RefactoringTree := preload("refactoring_tree.gd")
const _WindowPlace := preload("../shared/window_place.gd")
const _Words := preload("../shared/words.gd")

## So long nothing is typed before the files are looked at.
const _PAUSE_SECONDS := 0.25
## The part of a line that is shown before the change in it.
const _LEAD := 40

var tree := _RefactoringTree.new()

## Takes the new name, and returns a `Refactoring`.
var _make: Callable
## Null while there is nothing to look at.
var _refactoring: _Refactoring
## Why the plan before this one could not be carried out.
var _refused := ""
var _old := ""
var _subject := Label.new()
var _row := HBoxContainer.new()
var _name_label := Label.new()
var _name := LineEdit.new()
var _message := Label.new()
var _bar := ProgressBar.new()
var _before := Label.new()
var _after := Label.new()
var _pause := Timer.new()


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	dialog_hide_on_ok = false
	_name.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_name.text_changed.connect(_on_name_changed)
	register_text_enter(_name)
	_bar.indeterminate = true
	_bar.show_percentage = false
	_message.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_message.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	# While it is as narrow as a window is before its first layout, it would make the window high for good.
	_message.max_lines_visible = 3
	_message.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_message.mouse_filter = Control.MOUSE_FILTER_PASS
	for label: Label in [_subject, _before, _after]:
		label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	tree.place_chosen.connect(_on_place_chosen)
	tree.place_opened.connect(_on_place_opened)
	tree.choice_changed.connect(_show_summary)
	_pause.wait_time = _PAUSE_SECONDS
	_pause.one_shot = true
	_pause.timeout.connect(_begin)
	add_child(_pause)
	add_child(_make_column())
	confirmed.connect(_on_confirmed)
	# The thread that is at work ends by itself; nothing waits for it.
	canceled.connect(_forget)


func _ready() -> void:
	set_process(false)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		var font := get_theme_font(&"source", &"EditorFonts")
		for label: Label in [_before, _after]:
			label.add_theme_font_override(&"font", font)
		_before.add_theme_color_override(&"font_color", get_theme_color(&"error_color", &"Editor"))
		_after.add_theme_color_override(&"font_color", get_theme_color(&"success_color", &"Editor"))
		tree.custom_minimum_size.y = 160 * EditorInterface.get_editor_scale()


## `subject` names the renamed thing, `action` is on the button; `make` takes the new name.
func ask(subject: String, action: String, label: String, old: String, make: Callable) -> void:
	_open(subject, action, make, label)
	_old = old
	_say("Type the new name.", false)
	_start_typing(old)


## As `ask`, but the name may be taken as it is.
func propose(subject: String, action: String, label: String, name_to_take: String, make: Callable) -> void:
	_open(subject, action, make, label)
	_old = ""
	_start_typing(name_to_take)
	_plan_at_once()


## As `ask`, where there is no name to type; `make` gets an empty one.
func show_plan(subject: String, action: String, make: Callable) -> void:
	_open(subject, action, make, "")
	tree.grab_focus()
	_plan_at_once()


## As if the user typed it.
func type(new_name: String) -> void:
	_name.text = new_name
	_on_name_changed(new_name)


## From the moment at which the user types until there is a plan, or a reason why not.
func is_planning() -> bool:
	return _bar.modulate.a > 0.0


func message() -> String:
	return _message.text


## Why it could not be done. The window stays and plans again, because the files may have changed.
func refuse(reason: String) -> void:
	_bar.modulate.a = 1.0
	get_ok_button().disabled = true
	_begin()
	_refused = reason
	_say(reason, true)


func done() -> void:
	_forget()
	hide()


func _open(subject: String, action: String, make: Callable, label: String) -> void:
	_forget()
	_make = make
	title = action
	ok_button_text = action
	_subject.text = subject
	_subject.tooltip_text = subject
	_row.visible = not label.is_empty()
	_name_label.text = label
	_name.text = ""
	_WindowPlace.show_centered(self, Vector2(900, 560))


func _start_typing(old: String) -> void:
	_name.text = old
	_name.grab_focus()
	var file := old.get_file()
	# In a path, the part that is changed most often: the name without the folder and the extension.
	var begin := old.length() - file.length()
	_name.select(begin, begin + file.get_basename().length() if "/" in old else -1)


func _make_column() -> Control:
	_row.add_child(_name_label)
	_row.add_child(_name)
	var column := VBoxContainer.new()
	for control: Control in [_subject, _row, _bar, _message, tree, _before, _after]:
		column.add_child(control)
	return column


func _on_name_changed(new_name: String) -> void:
	_forget()
	if new_name == _old or new_name.strip_edges().is_empty():
		_say("Type the new name.", false)
		return
	_say("", false)
	_bar.modulate.a = 1.0
	_pause.start()


func _plan_at_once() -> void:
	_say("Reading the project.", false)
	_bar.modulate.a = 1.0
	_begin()


## The earlier request is released, and ends by itself.
func _begin() -> void:
	_refactoring = _make.call(_name.text.strip_edges())
	set_process(true)


func _process(_delta: float) -> void:
	if _refactoring == null or not _refactoring.is_ready():
		return
	set_process(false)
	_bar.modulate.a = 0.0
	var reason := _refactoring.error()
	if not reason.is_empty():
		_say(reason, true)
		return
	tree.show_refactoring(_refactoring)
	_show_summary()
	if not _refused.is_empty():
		_say("%s. The list is new; try again." % _refused, true)
		_refused = ""


func _show_summary() -> void:
	var left_out := tree.left_out()
	_refactoring.leave_out(left_out)
	var taken_in := tree.taken_in()
	_refactoring.take_in(taken_in)
	var count := _refactoring.places.size() - left_out.size() + taken_in.size()
	var parts: PackedStringArray = []
	parts.append("%s in %s" % [
		_Words.counted(count, "%d place", "%d places"),
		_Words.counted(_refactoring.touched().size(), "%d file", "%d files"),
	])
	if not left_out.is_empty():
		parts.append("%d unchecked, which keep what they have and may lead nowhere then" % left_out.size())
	if _refactoring.doubts.size() > taken_in.size():
		parts.append("%d to look at" % (_refactoring.doubts.size() - taken_in.size()))
	_say(", ".join(parts) + ".", false)
	get_ok_button().disabled = _refactoring.is_empty() or (count == 0 and _refactoring.moves.is_empty())


func _forget() -> void:
	_pause.stop()
	set_process(false)
	_refactoring = null
	_refused = ""
	tree.clear()
	_before.text = ""
	_after.text = ""
	_bar.modulate.a = 0.0
	get_ok_button().disabled = true


func _say(text: String, is_error: bool) -> void:
	_message.text = text
	_message.tooltip_text = text
	_message.remove_theme_color_override(&"font_color")
	if is_error:
		_message.add_theme_color_override(&"font_color", get_theme_color(&"error_color", &"Editor"))


func _on_place_chosen(place: _RefactoringPlace) -> void:
	_show_line(_before, "- " if place != null and not place.after.is_empty() else "", place.before if place != null else "", place)
	_show_line(_after, "+ ", place.after if place != null else "", place)


func _show_line(label: Label, mark: String, line: String, place: _RefactoringPlace) -> void:
	label.text = mark + place.shortened(line, _LEAD) if not line.is_empty() else ""
	label.tooltip_text = line


func _on_place_opened(place: _RefactoringPlace) -> void:
	place_opened.emit(place.path, maxi(place.line, 1), maxi(place.column, 1))


func _on_confirmed() -> void:
	if _refactoring != null and not get_ok_button().disabled:
		apply_requested.emit(_refactoring)
