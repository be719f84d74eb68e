class_name Player
extends CharacterBody2D

@export var speed := 120.0

@onready var _animations: AnimationPlayer = $Animations


func _physics_process(_delta: float) -> void:
	velocity.x = Input.get_axis("left", "right") * speed
	_animations.play("idle" if velocity.x == 0 else "walk")
	move_and_slide()


func step() -> void:
	Score.add(1)
