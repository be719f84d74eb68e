@tool
extends RefCounted
## Words of messages.


## So much of a text is in a row of a list.
const _MAX_ROW := 200


## A text of any size, for a row of a list.
static func in_a_row(text: String) -> String:
	return text.left(_MAX_ROW).replace("\n", " ") + ("…" if text.length() > _MAX_ROW else "")


## `one` or `many`, each with its `%d`.
static func counted(count: int, one: String, many: String) -> String:
	return (one if count == 1 else many) % count
