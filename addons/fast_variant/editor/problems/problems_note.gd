@tool
extends CenterContainer
## Says why the Problems panel has no rows.

signal clear_filter_pressed
signal check_pressed

const _View := preload("problems_view.gd")
const _Words := preload("../shared/words.gd")

var _label := Label.new()
var _clear := Button.new()
var _check := Button.new()


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	_clear.text = "Clear Filter"
	_clear.pressed.connect(clear_filter_pressed.emit)
	_check.text = "Check Project"
	_check.pressed.connect(check_pressed.emit)
	# One line: with banners above it, the panel has no place for more.
	var row := HBoxContainer.new()
	for control: Control in [_label, _clear, _check]:
		row.add_child(control)
	add_child(row)


## `file_count` is -1 while the project was not checked.
func explain(view: _View, file_count: int, is_running: bool) -> void:
	visible = view.groups.is_empty()
	var hidden_count := view.hidden_count()
	_clear.visible = hidden_count > 0
	_check.visible = hidden_count == 0 and file_count < 0 and not is_running
	_label.text = _words(view, file_count, is_running)


func shown_text() -> String:
	return _label.text


func _words(view: _View, file_count: int, is_running: bool) -> String:
	var hidden_count := view.hidden_count()
	var query := view.query
	var files := _Words.counted(file_count, "%d file", "%d files")
	if hidden_count == 0 and file_count < 0:
		return "Checking the project..." if is_running else "Not checked yet."
	if hidden_count == 0:
		return "No problems in %s." % files
	if query.is_one_file and query.path.is_empty():
		return "No scene is open; %s." % _are_hidden(hidden_count)
	if query.is_one_file and query.words.is_empty() and _View.count_of(view.matching) == 0:
		return "No problems in %s; %s elsewhere." % [query.path.get_file(), _Words.counted(hidden_count, "%d is", "%d are")]
	if query.is_narrow() or hidden_count > view.totals["info"]:
		return "Nothing matches the filter; %s." % _are_hidden(hidden_count)
	return "No errors or warnings%s; %s." % [
		" in " + files if file_count >= 0 else "", _Words.counted(hidden_count, "%d info is hidden", "%d infos are hidden")
	]


func _are_hidden(count: int) -> String:
	return _Words.counted(count, "%d is hidden", "%d are hidden")
