extends RefCounted
## The arguments after `--` on Godot's command line: `--name` or `--name value`.

var _arguments: PackedStringArray


func _init(arguments: PackedStringArray) -> void:
	_arguments = arguments


func has(option: String) -> bool:
	return _arguments.has(option)


func text(option: String, default: String) -> String:
	var index := _arguments.find(option)
	if index < 0 or index + 1 >= _arguments.size():
		return default
	return _arguments[index + 1]


func number(option: String, default: int) -> int:
	var given := text(option, "")
	return given.to_int() if given.is_valid_int() else default
