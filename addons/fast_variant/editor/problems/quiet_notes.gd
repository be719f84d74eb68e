@tool
extends VBoxContainer
## The line of the Problems panel for notes that can wait: one at a time, so that the list keeps its place.

const _QuietNote := preload("quiet_note.gd")


func add(note: _QuietNote) -> void:
	add_child(note)
	note.wanted_changed.connect(_show_first)
	_show_first()


func _show_first() -> void:
	var is_one_shown := false
	for note: _QuietNote in get_children():
		note.visible = note.is_wanted and not is_one_shown
		is_one_shown = is_one_shown or note.visible
	visible = is_one_shown
