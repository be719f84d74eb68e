extends Resource

export var damage = 3
