extends Node
## Prints what happens, so that two runs of the game can be compared.


func note(what: String) -> void:
	print("TRACE: ", what)
