extends Area2D

@export var damage := 1
@export var targets: Array[Node2D]
