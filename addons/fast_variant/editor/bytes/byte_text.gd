@tool
extends RefCounted
## Bytes as people paste them: hex, with or without spaces and `0x`; Base64; or the output of `print()` and `var_to_str()` for a
## [PackedByteArray].

enum _Notation { GUESS, HEX, BASE64, ARRAY }

const _HEX_NOISE := "[\\s,:;\\-_\\[\\]{}\"']|0[xX]|\\\\x"

## Empty if it is all right.
var error := ""
var bytes: PackedByteArray


## Returns whether these are bytes; then they are in [member bytes].
func read(text: String, notation: _Notation = _Notation.GUESS) -> bool:
	var trimmed := text.strip_edges()
	error = ""
	bytes = PackedByteArray()
	match guess(trimmed) if notation == _Notation.GUESS else notation:
		_Notation.HEX:
			_read_hex(_bare_hex(trimmed))
		_Notation.BASE64:
			_read_base64(trimmed)
		_:
			_read_array(trimmed)
	return error.is_empty()


## Numbers with commas are an array, even where they could be hex: people put no commas between pairs of digits without `0x`. Text
## that can be hex is hex, and all else Base64.
static func guess(text: String) -> _Notation:
	if text.begins_with("PackedByteArray") or text.begins_with("["):
		return _Notation.ARRAY
	if _matches(text, "^\\s*\\d{1,3}(\\s*,\\s*\\d{1,3})+\\s*,?\\s*$"):
		return _Notation.ARRAY
	return _Notation.HEX if _matches(_bare_hex(text), "^[0-9a-fA-F]*$") else _Notation.BASE64


func _read_hex(digits: String) -> void:
	if not _matches(digits, "^[0-9a-fA-F]*$"):
		error = "This is not hex: digits are 0 to 9 and a to f."
	elif digits.length() % 2 == 1:
		error = "A digit is missing: each byte has two."
	else:
		bytes = digits.hex_decode()


func _read_base64(text: String) -> void:
	var plain := text.replace("-", "+").replace("_", "/")
	plain = RegEx.create_from_string("\\s").sub(plain, "", true)
	plain = plain.rstrip("=")
	if not _matches(plain, "^[A-Za-z0-9+/]*$") or plain.length() % 4 == 1:
		error = "This is neither hex, nor Base64, nor a PackedByteArray."
		return
	bytes = Marshalls.base64_to_raw(plain + "=".repeat((4 - plain.length() % 4) % 4))


func _read_array(text: String) -> void:
	var inner := text.trim_prefix("PackedByteArray").lstrip("([ ").rstrip(")], ")
	# As var_to_str() writes it since Godot 4.3.
	if inner.begins_with("\"") and inner.ends_with("\""):
		_read_base64(inner.trim_prefix("\"").trim_suffix("\""))
		return
	for number: String in inner.split(",", false):
		var trimmed := number.strip_edges()
		if not trimmed.is_valid_int() or trimmed.to_int() < 0 or trimmed.to_int() > 255:
			error = "`%s` is not a valid byte; expected 0 to 255." % trimmed.left(20)
			bytes.clear()
			return
		bytes.append(trimmed.to_int())


static func _bare_hex(text: String) -> String:
	return RegEx.create_from_string(_HEX_NOISE).sub(text, "", true)


static func _matches(text: String, pattern: String) -> bool:
	return RegEx.create_from_string(pattern).search(text) != null
