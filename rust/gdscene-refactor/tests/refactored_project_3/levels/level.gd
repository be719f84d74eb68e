extends Node2D

const Foe = preload("res://actors/foe.tscn")

export(String, FILE) var next = "res://levels/level.tscn"

onready var foe = $Foes/First
onready var shape = $Foes/First/Body/Shape


func _on_fell(_who):
	Score.points += 1
