class_name O3deTestSword
extends O3deTestWeapon
## A weapon that derives from another, which a `$type` names.

@export var length: int = 3
