extends Node

signal changed

var points := 0


func add(amount: int) -> void:
	points += amount
	changed.emit()
