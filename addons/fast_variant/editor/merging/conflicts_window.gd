@tool
extends ConfirmationDialog
## The conflicts that a merge left in a file, with the sides to choose from.

## `choices` has a side, or `Conflict.BY_HAND`, by the number of the conflict.
signal apply_requested(source: _ConflictText, choices: Dictionary[int, String])
signal show_requested(path: String, conflict: _Conflict)
signal text_requested(path: String, line: int)

const _Conflict := preload("conflict.gd")
const _ConflictSide := preload("conflict_side.gd")
const _ConflictText := preload("conflict_text.gd")
const _ConflictsTree := preload("conflicts_tree.gd")
const _Native := preload("../shared/native.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _WindowPlace := preload("../shared/window_place.gd")
const _Words := preload("../shared/words.gd")

enum _ForAll { BASE, OURS, THEIRS, LEAVE }

const _CHOICES_FOR_ALL: Dictionary[_ForAll, String] = {
	_ForAll.BASE: _Conflict.BASE, _ForAll.OURS: _Conflict.OURS, _ForAll.THEIRS: _Conflict.THEIRS, _ForAll.LEAVE: "",
}

var tree := _ConflictsTree.new()
var sides: Dictionary[String, _ConflictSide] = {}
var by_hand := Button.new()
var for_all := MenuButton.new()

var _path := ""
## Null while git is asked, and where it has no answer.
var _source: _ConflictText
## Merges git's versions of the file; null if git is not asked.
var _job: RefCounted
## The message for when git has answered.
var _refusal := ""
var _conflicts: Array[_Conflict] = []
var _choices: Dictionary[int, String] = {}
## The choices made in files that are not written, by path and `Conflict.key`.
var _kept: Dictionary[String, Dictionary] = {}
var _subject := Label.new()
var _message := Label.new()
var _advice := Label.new()
var _show := Button.new()
var _open_text := Button.new()


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	title = "Resolve Conflicts"
	ok_button_text = "Apply"
	cancel_button_text = "Close"
	dialog_hide_on_ok = false
	# So that one can look at the scene, and change it.
	exclusive = false
	_subject.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_subject.mouse_filter = Control.MOUSE_FILTER_PASS
	for label: Label in [_message, _advice]:
		label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
		# While it is as narrow as a window is before its first layout, it would make the window high for good.
		label.max_lines_visible = 2
		label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
		label.mouse_filter = Control.MOUSE_FILTER_PASS
	add_child(_make_column())
	tree.conflict_chosen.connect(_show_conflict)
	tree.conflict_opened.connect(_on_show)
	tree.choice_made.connect(choose)
	confirmed.connect(_on_confirmed)
	focus_entered.connect(look)
	# The thread that is at work ends by itself; nothing waits for it.
	visibility_changed.connect(_on_visibility_changed)


func _ready() -> void:
	set_process(false)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		tree.custom_minimum_size.y = 60 * EditorInterface.get_editor_scale()
		_advice.add_theme_color_override(&"font_color", get_theme_color(&"warning_color", &"Editor"))
		for_all.icon = get_theme_icon(&"GuiTabMenuHl", &"EditorIcons")


func _process(_delta: float) -> void:
	if _Native.is_done(_job):
		_take_answer()


## Shows the conflicts of a file. Earlier choices are kept.
func open(path: String) -> void:
	_keep_choices()
	_path = path
	_refusal = ""
	_conflicts.clear()
	_WindowPlace.show_centered(self, Vector2(1000, 620))
	_read()
	tree.grab_focus()


func file() -> String:
	return _path


func conflicts() -> Array[_Conflict]:
	return _conflicts


func choices() -> Dictionary[int, String]:
	return _choices


## Whether git is being asked.
func is_working() -> bool:
	return _job != null


func message() -> String:
	return _message.text


func advice() -> String:
	return _advice.text


## Reads the file again if it has changed; choices are kept.
func look() -> void:
	if visible and _source != null and _source.is_stale():
		_read()


## Takes a side for the selected conflict, or nothing.
func choose(choice: String) -> void:
	var conflict := tree.selected()
	if conflict == null or not (choice.is_empty() or conflict.can_take(choice)):
		return
	_set_choice(conflict, choice)
	_show_conflict(conflict)
	_show_summary()


## For all that can take the side.
func choose_for_all(choice: String) -> void:
	for conflict: _Conflict in _conflicts:
		if choice.is_empty() or conflict.can_take(choice):
			_set_choice(conflict, choice)
	_show_conflict(tree.selected())
	_show_summary()


## Why choices were not carried out, in words; of many the first ones.
func refusals() -> String:
	const MOST := 3
	var reasons: PackedStringArray = []
	for conflict: _Conflict in _conflicts:
		if _choices.has(conflict.number) and reasons.size() < MOST:
			reasons.append(_Words.in_a_row(conflict.refusal(_choices[conflict.number])))
	return "; ".join(reasons)


## Why nothing was written. The window stays, so that it can be tried again.
func refuse(reason: String) -> void:
	look()
	_refusal = "Nothing was written: %s." % reason
	warn(_refusal)


func warn(text: String) -> void:
	_say(text, true)


func _make_column() -> Control:
	var lower := VBoxContainer.new()
	lower.size_flags_vertical = Control.SIZE_EXPAND_FILL
	lower.size_flags_stretch_ratio = 1.6
	for control: Control in [_make_sides(), _advice, _make_buttons()]:
		lower.add_child(control)
	var split := VSplitContainer.new()
	split.size_flags_vertical = Control.SIZE_EXPAND_FILL
	split.add_child(tree)
	split.add_child(lower)
	var column := VBoxContainer.new()
	for control: Control in [_subject, split, _message]:
		column.add_child(control)
	return column


func _make_sides() -> Control:
	var row := HBoxContainer.new()
	row.size_flags_vertical = Control.SIZE_EXPAND_FILL
	for side: String in _Conflict.SIDES:
		sides[side] = _ConflictSide.new(side)
		sides[side].taken.connect(_on_taken.bind(side))
		sides[side].pictured.connect(_on_pictured)
		row.add_child(sides[side])
	return row


func _make_buttons() -> Control:
	_show.text = "Show in Scene"
	_show.tooltip_text = "Opens the scene, selects the node and shows it in the Inspector. Key: Enter, in the list."
	_show.pressed.connect(func() -> void: _on_show(tree.selected()))
	_open_text.text = "Open Text"
	_open_text.tooltip_text = "Shows the file's text, at the line of the conflict."
	_open_text.pressed.connect(_on_open_text)
	by_hand.text = "Settled by Hand"
	by_hand.tooltip_text = "What the file has now is right: you made it so, or it needs no change.\nKey: H, in the list."
	by_hand.toggle_mode = true
	by_hand.pressed.connect(_on_taken.bind(_Conflict.BY_HAND))
	_fill_for_all()
	var row := HFlowContainer.new()
	for control: Control in [_show, _open_text, by_hand, for_all]:
		row.add_child(control)
	return row


func _fill_for_all() -> void:
	for_all.text = "For All"
	for_all.focus_mode = Control.FOCUS_ALL
	var menu := for_all.get_popup()
	menu.add_item("Take Base", _ForAll.BASE)
	menu.add_item("Take Ours", _ForAll.OURS)
	menu.add_item("Take Theirs", _ForAll.THEIRS)
	menu.add_separator()
	menu.add_item("Decide Nothing", _ForAll.LEAVE)
	menu.id_pressed.connect(func(entry: _ForAll) -> void: choose_for_all(_CHOICES_FOR_ALL[entry]))


func _keep_choices() -> void:
	var kept: Dictionary[String, String] = {}
	for conflict: _Conflict in _conflicts:
		if _choices.has(conflict.number):
			kept[conflict.key()] = _choices[conflict.number]
	if not _path.is_empty():
		_kept[_path] = kept


## Where git has left its markers, both sides come from git.
func _read() -> void:
	if not _conflicts.is_empty():
		_keep_choices()
	var bytes := _SceneFiles.read(_path)
	if _Native.has_markers(_path, bytes):
		_fill(null)
		_source = _ConflictText.new(_path, bytes, bytes)
		_say("Asking git for both sides.", false)
		_job = _Native.merge_from_git(_path)
		set_process(true)
	else:
		_end_job()
		_fill(_ConflictText.new(_path, bytes, bytes))
		_show_summary()


func _take_answer() -> void:
	var reason := _Native.failure(_job)
	var answer := _Native.outcome(_job)
	_end_job()
	if reason.is_empty():
		var merged := _ConflictText.new(_path, _source.on_disk, answer["text"])
		merged.notes = answer["notes"]
		_fill(merged)
		_show_summary()
		if not _refusal.is_empty():
			warn(_refusal)
	else:
		_say("Resolve git's markers in the text: %s." % reason, true)
		_open_text.disabled = false


func _end_job() -> void:
	_job = null
	set_process(false)


## Nothing, while `source` is null.
func _fill(source: _ConflictText) -> void:
	var kept: Dictionary = _kept.get(_path, {})
	var selected := tree.selected().key() if tree.selected() != null else ""
	_source = source
	_conflicts = _Native.conflicts(source.text) if source != null else ([] as Array[_Conflict])
	_choices.clear()
	_subject.text = _path
	if source != null:
		_subject.text = "%s in %s" % [_Words.counted(_conflicts.size(), "%d conflict", "%d conflicts"), _path]
	_subject.tooltip_text = _path
	tree.show_conflicts(_conflicts)
	var at := 1
	for conflict: _Conflict in _conflicts:
		var choice: String = kept.get(conflict.key(), "")
		_set_choice(conflict, choice if conflict.can_take(choice) else "")
		if conflict.key() == selected:
			at = conflict.number
	tree.select_conflict(at)
	for side: String in sides:
		sides[side].show_markers(source != null and source.is_merged_now())
	_show_conflict(tree.selected())
	get_ok_button().disabled = true


func _set_choice(conflict: _Conflict, choice: String) -> void:
	if choice.is_empty():
		_choices.erase(conflict.number)
	else:
		_choices[conflict.number] = choice
	tree.show_choice(conflict.number, choice)


## `conflict` is null without a selection.
func _show_conflict(conflict: _Conflict) -> void:
	var choice: String = _choices.get(conflict.number, "") if conflict != null else ""
	for side: String in sides:
		sides[side].show_conflict(conflict, _source.text if _source != null else PackedByteArray())
		sides[side].show_choice(choice)
	by_hand.disabled = conflict == null
	by_hand.set_pressed_no_signal(choice == _Conflict.BY_HAND)
	_advice.text = conflict.advice() if conflict != null else ""
	_advice.tooltip_text = _advice.text
	_advice.visible = not _advice.text.is_empty()
	# Godot does not load a scene with git's markers.
	_show.disabled = conflict == null or not _SceneFiles.is_text(_path) or _source.is_merged_now()
	_open_text.disabled = conflict == null


func _show_summary() -> void:
	var decided := "%d of %d decided." % [_choices.size(), _conflicts.size()]
	get_ok_button().disabled = _choices.is_empty() and not _source.is_merged_now()
	if _source.is_merged_now():
		_say_of_merge(decided)
	elif _conflicts.is_empty():
		var is_there := FileAccess.file_exists(_path)
		_say("There are no conflicts in this file any more." if is_there else "There is no such file any more.", not is_there)
	elif _choices.size() == _conflicts.size():
		_say("All are decided. Apply writes the file; Undo brings it back.", false)
	else:
		_say("%s What is not decided stays, and can be settled later." % decided, false)


func _say_of_merge(decided: String) -> void:
	var summary := "Both sides merge by nodes without a conflict." if _conflicts.is_empty() else decided
	summary += " Apply replaces git's markers and all changes of the text since the merge; Undo brings it back."
	if _choices.size() < _conflicts.size():
		summary += " You can settle undecided conflicts later."
	for note: String in _source.notes:
		summary += "\nNote: %s." % note
	_say(summary, false)


func _say(text: String, is_error: bool) -> void:
	_message.text = text
	_message.tooltip_text = text
	_message.remove_theme_color_override(&"font_color")
	if is_error:
		_message.add_theme_color_override(&"font_color", get_theme_color(&"error_color", &"Editor"))


## A second press on a side that is taken lets go of it.
func _on_taken(choice: String) -> void:
	var conflict := tree.selected()
	if conflict != null:
		choose("" if _choices.get(conflict.number, "") == choice else choice)


## The rows of the sides stay level.
func _on_pictured() -> void:
	for side: String in sides:
		sides[side].picture.visible = true


func _on_show(conflict: _Conflict) -> void:
	if conflict != null and not _show.disabled:
		show_requested.emit(_path, conflict)


func _on_open_text() -> void:
	var conflict := tree.selected()
	if _source == null or _source.is_merged_now() or conflict == null:
		text_requested.emit(_path, _source.first_marker() if _source != null else 1)
		return
	var value: _Conflict._Value = conflict.values.get(_Conflict.OURS, conflict.values.get(_Conflict.THEIRS))
	text_requested.emit(_path, value.line if value != null else 1)


func _on_confirmed() -> void:
	if not get_ok_button().disabled:
		apply_requested.emit(_source, _choices.duplicate())


func _on_visibility_changed() -> void:
	if not visible:
		_end_job()
