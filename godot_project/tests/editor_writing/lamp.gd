@tool
class_name Lamp
extends Area2D
## A script that runs in the editor, as those do whose nodes a reload is hardest on.

@export var brightness := 1.0:
	set(value):
		brightness = value
		update_configuration_warnings()
@export var stats: LampStats


func _get_configuration_warnings() -> PackedStringArray:
	return ["too bright"] if brightness > 1e6 else []


func _draw() -> void:
	draw_circle(Vector2.ZERO, 20.0, Color.YELLOW)
