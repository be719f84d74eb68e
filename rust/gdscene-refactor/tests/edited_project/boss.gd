class_name Boss
extends Hero

@export var phase: int
@export var minions: Array[NodePath] = []
