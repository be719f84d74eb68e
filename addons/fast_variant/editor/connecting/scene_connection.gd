@tool
extends RefCounted
## A connection in the text of a scene.

const _Rewrite := preload("../fixing/rewrite.gd")
const _Self := preload("scene_connection.gd")

const _TAG := "[connection "
const _CLOSING: Dictionary[String, String] = {"[": "]", "{": "}", "(": ")"}

var signal_name: String
## Relative to the scene's root.
var from: String
var to: String
var method: String
## How many arguments are added, and how many of the signal's are left out.
var bind_count := 0
var unbind_count := 0
## Where it begins and ends in the text, and where the name of the method does, with its quotes.
var start: int
var end: int
var method_start: int
var method_end: int


## The connection with its tag in this line, from 1, or null.
static func at(text: String, line: int) -> RefCounted:
	var begin := 0
	for number: int in line - 1:
		begin = text.find("\n", begin) + 1
		if begin == 0:
			return null
	# Values may have several lines.
	var line_end := text.find("\n", begin)
	var tag := ("\n" + text.left(line_end)).rfind("\n" + _TAG) if line_end >= 0 else ("\n" + text).rfind("\n" + _TAG)
	if tag < 0:
		return null
	var found := _Self.new()
	return found if found._read(text, tag) and found.end > begin else null


## The text without it.
func without(text: String) -> _Rewrite:
	var behind := end
	while behind < text.length() and text[behind] in ["\n", "\r", " "] and text[behind - 1] != "\n":
		behind += 1
	var before := start
	# The last one of them leaves no empty line at the end.
	if behind == text.length():
		while before > 1 and text[before - 1] in ["\n", "\r"] and text[before - 2] in ["\n", "\r"]:
			before -= 1
	return _rewritten(text, text.left(before) + text.substr(behind))


## The text with another method in it.
func with_method(text: String, new_method: String) -> _Rewrite:
	return _rewritten(text, text.left(method_start) + "\"%s\"" % new_method + text.substr(method_end))


## The number of arguments that the method gets from a signal with this number of arguments.
func argument_count(of_signal: int) -> int:
	return maxi(of_signal - unbind_count, 0) + bind_count


## For messages.
func describe() -> String:
	return "%s of %s" % [signal_name, from if from != "." else "the root"]


func _read(text: String, tag: int) -> bool:
	start = tag
	var at_ := tag + _TAG.length()
	while at_ < text.length():
		while at_ < text.length() and text[at_] in [" ", "\t", "\n", "\r"]:
			at_ += 1
		if at_ >= text.length() or text[at_] == "]":
			end = at_ + 1
			return at_ < text.length() and not signal_name.is_empty() and not method.is_empty()
		var equals := text.find("=", at_)
		if equals < 0:
			return false
		var key := text.substr(at_, equals - at_).strip_edges()
		at_ = equals + 1
		while at_ < text.length() and text[at_] == " ":
			at_ += 1
		var value_end := _end_of_value(text, at_)
		_take(key, text.substr(at_, value_end - at_), at_)
		at_ = value_end
	return false


func _take(key: String, value: String, at_: int) -> void:
	match key:
		"signal":
			signal_name = _string(value)
		"from":
			from = _string(value)
		"to":
			to = _string(value)
		"method":
			method = _string(value)
			method_start = at_
			method_end = at_ + value.length()
		"unbinds":
			unbind_count = value.to_int()
		"binds":
			bind_count = _element_count(value)


static func _string(value: String) -> String:
	return value.trim_prefix("&").trim_prefix("\"").trim_suffix("\"").c_unescape()


## Where a value ends that begins here.
static func _end_of_value(text: String, begin: int) -> int:
	var at_ := begin
	while at_ < text.length() and text[at_] not in [" ", "\t", "\n", "\r", "]"]:
		at_ = _end_of_part(text, at_)
	return at_


## The end of a string, of a text in brackets, or of a single character.
static func _end_of_part(text: String, begin: int) -> int:
	if text[begin] == "\"":
		return _end_of_string(text, begin)
	if not _CLOSING.has(text[begin]):
		return begin + 1
	var closing := _CLOSING[text[begin]]
	var at_ := begin + 1
	while at_ < text.length() and text[at_] != closing:
		at_ = _end_of_part(text, at_)
	return mini(at_ + 1, text.length())


static func _end_of_string(text: String, begin: int) -> int:
	var at_ := begin + 1
	while at_ < text.length() and text[at_] != "\"":
		at_ += 2 if text[at_] == "\\" else 1
	return mini(at_ + 1, text.length())


## The elements of an array.
static func _element_count(value: String) -> int:
	var inside := value.strip_edges().trim_prefix("[").trim_suffix("]").strip_edges().trim_suffix(",")
	var count := 0 if inside.is_empty() else 1
	var at_ := 0
	while at_ < inside.length():
		count += int(inside[at_] == ",")
		at_ = _end_of_part(inside, at_)
	return count


static func _rewritten(old: String, new: String) -> _Rewrite:
	var rewrite := _Rewrite.new()
	rewrite.text = new
	rewrite.is_changed = new != old
	rewrite.fix_count = 1
	return rewrite
