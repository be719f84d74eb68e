extends Node
## The exported game: uses the addon, and quits.

const Uses := preload("uses.gd")


func _ready() -> void:
	var reason := Uses.failure()
	print("package test in the game: %s" % ("SUCCESS" if reason.is_empty() else "FAILED, " + reason))
	get_tree().quit(0 if reason.is_empty() else 1)
