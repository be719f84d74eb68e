extends CharacterBody2D
## The player of the demo's scenes.

@export var speed: float = 200.0


func _on_hurt_area_entered(area: Area2D) -> void:
	print("%s was hurt by %s at speed %.0f" % [name, area.name, speed])
