@tool
extends RefCounted
## Which errors harm an exported game: Godot does not load the file there, or loads it without a part. A setting decides
## whether such an error stops an export. With other errors, such as a connection to a method that is gone, the game works as it
## does in the editor.

const _Diagnostic := preload("../checking/diagnostic.gd")

## Rules outside the groups below. Severities can be changed, so rules that only warn of a loss are here, too.
const CODES: PackedStringArray = [
	# Files that are missing, broken, of another kind or in a circle.
	"RES001", "RES006", "RES007", "RES008", "RES017",
	# Nodes and their contents.
	"TREE001", "TREE002", "TREE006", "TREE007", "TREE008", "TREE012", "TREE013", "TREE014", "TREE015", "TREE016", "TREE017",
	"TREE021", "TREE022", "TREE024",
	# Content that another version of Godot wrote.
	"MIG003", "MIG005", "MIG006", "MIG009",
]
## Groups of rules on text that Godot refuses or misreads: syntax, structure, references, data of formats, and a file that cannot be
## read.
const _GROUPS: PackedStringArray = ["SYN", "STR", "REF", "FMT", "FILE"]


static func is_in(diagnostic: _Diagnostic) -> bool:
	if diagnostic.severity != "error":
		return false
	return diagnostic.code in CODES or diagnostic.code.rstrip("0123456789") in _GROUPS
