@tool
extends RefCounted
## Where the addon's windows come up.

## So much of the editor's window they fill at most, from side to side.
const _MAX_SHARE := 0.92


## `size` is that at a display scale of 100 %. What does not fit is made smaller.
static func show_centered(window: Window, size: Vector2) -> void:
	window.popup_centered_clamped(Vector2i(size * EditorInterface.get_editor_scale()), _MAX_SHARE)


## As large a part of the editor's window as `share` says, but where that is small not less than `least`, as far as it fits.
static func show_share(window: Window, share: float, least: Vector2) -> void:
	var editor := EditorInterface.get_base_control().get_window().size
	var size := (Vector2(editor) * share).max(least * EditorInterface.get_editor_scale())
	window.popup_centered_clamped(Vector2i(size), _MAX_SHARE)
