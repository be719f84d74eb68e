@tool
class_name LampStats
extends Resource

@export var hours := 1
@export var note := ""
