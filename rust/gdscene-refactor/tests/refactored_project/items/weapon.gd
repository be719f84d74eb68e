class_name Weapon
extends Item

@export_range(0, 100) var damage := 5
@export var ammo: Dictionary[String, Item] = {}


func worth() -> int:
	return super() + damage


func strike(target: Actor) -> void:
	target.take_hit(damage)
