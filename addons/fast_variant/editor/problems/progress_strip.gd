@tool
extends Control
## How far a check is: a thin line that always has its place, so that nothing moves when one begins.

## From 0 to 1; none is shown at 0.
var value := 0.0:
	set(new_value):
		value = clampf(new_value, 0.0, 1.0)
		queue_redraw()


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		custom_minimum_size.y = maxf(2.0, 2.0 * EditorInterface.get_editor_scale())


func _draw() -> void:
	draw_rect(Rect2(Vector2.ZERO, Vector2(size.x * value, size.y)), get_theme_color(&"accent_color", &"Editor"))
