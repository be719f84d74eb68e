@tool
extends RefCounted
## A place that a refactoring changes or doubts. A copy of `ScenePlace`.

var path: String
var line: int
var column: int
## The content of the place, or the reason why it is doubtful.
var what: String
## The line as it is, and as it will be; empty for a doubt that only the user can change.
var before: String
var after: String
## Whether the others may be changed without this one.
var is_optional: bool
## Whether nothing changes there unless the user says so, because the meaning is uncertain.
var is_doubt: bool
## The number of a doubt for `Refactoring.take_in`.
var number: int


func _init(native: RefCounted, as_doubt := false) -> void:
	is_doubt = as_doubt
	path = native.get(&"path")
	line = native.get(&"line")
	column = native.get(&"column")
	what = native.get(&"what")
	before = native.get(&"before")
	after = native.get(&"after")
	is_optional = native.get(&"is_optional")


## One line of the text before or after: the first, and if it changes only far from its start, from `lead` characters before
## that.
func shortened(text: String, lead: int) -> String:
	var first := text.get_slice("\n", 0)
	var shared := 0
	var length := mini(before.length(), after.length())
	while shared < length and before.unicode_at(shared) == after.unicode_at(shared):
		shared += 1
	if shared > lead * 3 / 2 and shared < first.length():
		first = "…" + first.substr(shared - lead)
	return first if "\n" not in text else first + " …"
