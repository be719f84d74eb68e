extends Node2D

@onready var shape: CollisionShape2D = $Player/Shape


func _on_player_area_entered(_area: Area2D) -> void:
	print($Player.position)
