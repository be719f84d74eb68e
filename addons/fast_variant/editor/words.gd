@tool
extends RefCounted
## Words of messages.


## `one` or `many`, each with its `%d`.
static func counted(count: int, one: String, many: String) -> String:
	return (one if count == 1 else many) % count
