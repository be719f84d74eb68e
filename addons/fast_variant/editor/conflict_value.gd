@tool
extends RefCounted
## What a side has in a conflict. A copy of what `SceneMerge.conflicts` returns.

## As it stands in the file.
var text: String
## With paths in the place of ids; of long values the beginning.
var shown: String
## The file, if it is one.
var path: String
## The class, if it is a resource.
var resource_class: String
## In the file, from 1.
var line: int
## Where in `shown` it differs from what both sides began with: pairs of a first character and the one after the last.
var marks: PackedInt32Array


## The whole as a colour, or null.
func color() -> Variant:
	return str_to_var(text) if text.begins_with("Color(") else null
