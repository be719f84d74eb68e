@tool
extends RefCounted
## A file that nothing uses, or that may be used. A copy of what `SceneRefactoring` tells.

var path: String
## E.g. `image`.
var kind: String
## In bytes, with that of the files beside it.
var size: int
## Why it may be used; empty for a file that nothing uses.
var reason: String


func _init(native: Dictionary) -> void:
	path = native["path"]
	kind = native["kind"]
	size = native["size"]
	reason = native.get("reason", "")
