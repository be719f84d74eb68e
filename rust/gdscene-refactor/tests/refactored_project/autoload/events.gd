extends Node

signal fell(actor: Actor)
signal picked(item: Item, by: Actor)

var fallen := 0


func tell_fall(actor: Actor) -> void:
	fallen += 1
	fell.emit(actor)
