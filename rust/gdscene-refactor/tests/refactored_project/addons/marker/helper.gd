@tool
extends RefCounted


static func note(_text: String) -> void:
	pass
