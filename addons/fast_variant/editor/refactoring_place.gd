@tool
extends RefCounted
## A place that a refactoring changes or doubts. A copy of `ScenePlace`.

var path: String
var line: int
var column: int
## What is there, or why it is doubtful.
var what: String
## The line as it is, and as it will be; empty for a doubt.
var before: String
var after: String
## Whether the others may be changed without this one.
var is_optional: bool


func _init(native: RefCounted) -> void:
	path = native.get(&"path")
	line = native.get(&"line")
	column = native.get(&"column")
	what = native.get(&"what")
	before = native.get(&"before")
	after = native.get(&"after")
	is_optional = native.get(&"is_optional")
