@tool
extends Button
## A button in a toast of the editor, next to its text. Godot 4.6 has no such button for plugins.

const _Self := preload("toast_button.gd")


## To be called when the toast is there, in the frame after it was pushed. Without such a toast, there is no button either.
static func add(message: String, title: String, action: Callable) -> void:
	var label := _label_of(message)
	if label == null:
		return
	for other: Node in label.get_parent().get_children():
		# The editor shows the same text again in the toast that there is.
		if other is _Self:
			other.free()
	var button := _Self.new()
	button.text = title
	button.pressed.connect(func() -> void:
		button.disabled = true
		# The addon may be switched off by then.
		if action.is_valid():
			action.call())
	label.add_sibling(button)


static func _label_of(message: String) -> Label:
	for toaster: Node in EditorInterface.get_base_control().find_children("*", "EditorToaster", true, false):
		for node: Node in toaster.find_children("*", "Label", true, false):
			var label: Label = node
			if label.text == message:
				return label
	return null
