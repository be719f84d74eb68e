@tool
extends RefCounted
## Which problems are wanted. The worst severities come first.

const SEVERITIES: PackedStringArray = ["error", "warning", "info"]

## By severity.
var is_shown: Dictionary[String, bool] = {"error": true, "warning": true, "info": false}
## In lower case; empty lets everything through.
var words: String
## The only file, if `is_one_file`; empty without a file.
var path: String
var is_one_file := false


## Whether it leaves out more than severities.
func is_narrow() -> bool:
	return is_one_file or not words.is_empty()
