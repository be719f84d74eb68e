@tool
extends RefCounted
## Where the addon's windows come up.

## The maximum share of the editor's window that they fill, from side to side.
const _MAX_SHARE := 0.92
const _MAX_LINES := 3


## Lets a label have a few lines, and the rest in a tooltip. In a narrow row it would make the window high for good: the window
## asks for its height before its first layout.
static func limit_lines(label: Label) -> void:
	label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	label.max_lines_visible = _MAX_LINES
	label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	label.mouse_filter = Control.MOUSE_FILTER_PASS


## `size` is that at a display scale of 100 %. A window that does not fit is made smaller.
static func show_centered(window: Window, size: Vector2) -> void:
	window.popup_centered_clamped(Vector2i(size * EditorInterface.get_editor_scale()), _MAX_SHARE)


## As large a part of the editor's window as `share` says, but at least `least` in a small window, if it fits.
static func show_share(window: Window, share: float, least: Vector2) -> void:
	var editor := EditorInterface.get_base_control().get_window().size
	var size := (Vector2(editor) * share).max(least * EditorInterface.get_editor_scale())
	window.popup_centered_clamped(Vector2i(size), _MAX_SHARE)
