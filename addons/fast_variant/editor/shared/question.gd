@tool
extends RefCounted
## Questions before something is lost.


## Shows a question with the focus on Cancel, so that Enter loses nothing.
static func ask(question: ConfirmationDialog, size := Vector2i.ZERO) -> void:
	question.popup_centered(size)
	# Godot gives the focus to OK when the window appears.
	question.get_cancel_button().grab_focus.call_deferred()
