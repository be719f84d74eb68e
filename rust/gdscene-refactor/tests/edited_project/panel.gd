extends Control

@export var caption: StringName = &"caption"
@export var is_open := true
@export var gradient: Gradient


func _on_pressed() -> void:
	pass
