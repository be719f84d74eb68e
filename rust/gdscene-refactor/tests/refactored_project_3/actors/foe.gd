extends "res://actors/actor.gd"

export var anger = 1


func fall():
	.fall()
	$Body.hide()
