class_name O3deTestWeapon
extends Resource
## What a hero carries.

@export var damage: float = 1.0
