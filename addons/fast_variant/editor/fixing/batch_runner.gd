@tool
extends Node
## Lets a batch of many files work while the editor goes on: shows how far it is, can be cancelled, and asks before it writes.

signal finished(batch: _Batch)

const _Batch := preload("batch.gd")
const _Question := preload("../shared/question.gd")

## Changes of more files than this need a confirmation.
const ASKED_ABOVE := 10

## The work of one frame.
const _FRAME_BUDGET_USEC := 12_000
## Shorter work shows no window.
const _PATIENCE_USEC := 300_000

enum _State { IDLE, PLANNING, ASKING, WRITING }

var _state := _State.IDLE
var _batch: _Batch
var _began := 0
var _question := ConfirmationDialog.new()
var _message := Label.new()
var _list := ItemList.new()
var _progress := AcceptDialog.new()
var _bar := ProgressBar.new()


func _init() -> void:
	# The rules speak English, so all of it does.
	for dialog: AcceptDialog in [_question, _progress]:
		dialog.auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
		add_child(dialog)
	_list.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_list.focus_mode = Control.FOCUS_NONE
	var column := VBoxContainer.new()
	column.add_child(_message)
	column.add_child(_list)
	_question.add_child(column)
	_question.confirmed.connect(_write)
	_question.canceled.connect(_cancel)
	_progress.ok_button_text = "Cancel"
	_progress.dialog_hide_on_ok = false
	_progress.add_child(_bar)
	_bar.max_value = 1.0
	_bar.custom_minimum_size.x = 400
	_progress.confirmed.connect(_cancel)
	_progress.canceled.connect(_cancel)


func _ready() -> void:
	set_process(false)


func is_busy() -> bool:
	return _state != _State.IDLE


func start(batch: _Batch) -> void:
	_batch = batch
	_begin(_State.PLANNING)


func _process(_delta: float) -> void:
	var now := Time.get_ticks_usec()
	var is_left := true
	while is_left and Time.get_ticks_usec() - now < _FRAME_BUDGET_USEC:
		is_left = _batch.plan_next() if _state == _State.PLANNING else _batch.write_next()
	_bar.value = _batch.progress()
	if is_left:
		if not _progress.visible and now - _began > _PATIENCE_USEC:
			_progress.title = _batch.title
			_progress.popup_centered()
	elif _state == _State.PLANNING and _batch.changes.size() > ASKED_ABOVE:
		_ask()
	elif _state == _State.PLANNING:
		_begin(_State.WRITING)
	else:
		_end()


func _begin(state: _State) -> void:
	_state = state
	_began = Time.get_ticks_usec()
	set_process(true)


func _ask() -> void:
	_state = _State.ASKING
	set_process(false)
	_progress.hide()
	_question.title = _batch.title
	_message.text = "%s. Godot loads the same afterwards. Undo: Ctrl+Z." % _batch.plan()
	_question.ok_button_text = "Rewrite %d Files" % _batch.changes.size()
	_list.clear()
	for path: String in _batch.fix_counts:
		var count := _batch.fix_counts[path]
		_list.add_item(path if count < 2 else "%s (%d)" % [path, count], null, false)
	_Question.ask(_question, Vector2i(Vector2(600, 400) * EditorInterface.get_editor_scale()))


func _write() -> void:
	if _state == _State.ASKING:
		_question.hide()
		_begin(_State.WRITING)


func _cancel() -> void:
	if _state != _State.IDLE:
		_end()


func _end() -> void:
	_state = _State.IDLE
	set_process(false)
	_progress.hide()
	_question.hide()
	var batch := _batch
	_batch = null
	batch.finish()
	finished.emit(batch)
