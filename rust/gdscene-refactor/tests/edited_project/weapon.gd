class_name Weapon
extends Resource

@export var damage := 1
@export var label: String = "sword"
@export var icon: Texture2D
@export var next: Weapon
