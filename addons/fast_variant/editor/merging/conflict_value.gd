@tool
extends RefCounted
## What a side has in a conflict. A copy of what `SceneMerge.conflicts` returns.

## With paths in the place of ids, and hidden characters written out; of long values the beginning.
var shown: String
## The file, if it is one.
var path: String
## The class, if it is a resource.
var resource_class: String
## In the file, from 1.
var line: int


## The whole as a colour, or null.
func color() -> Variant:
	return str_to_var(shown) if shown.begins_with("Color(") else null
