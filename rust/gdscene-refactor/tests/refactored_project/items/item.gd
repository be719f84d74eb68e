class_name Item
extends Resource

@export var title := ""
@export var price := 1
@export var parts: Array[Item] = []
@export var icon: Texture2D


func worth() -> int:
	var sum := price
	for part in parts:
		sum += part.worth()
	return sum
