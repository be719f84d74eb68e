extends RefCounted
## A game that saves without a pause, until it is killed: what `save_file_test.gd` starts.

const CommandLine := preload("res://command_line.gd")

## The path of the file stands behind it.
const OPTION := "--save-for-ever"
const COUNT := 20_000


static func run(command_line: CommandLine) -> void:
	var path := command_line.text(OPTION, "")
	var number := Time.get_ticks_usec()
	while true:
		number += 1
		var value: Array = []
		value.resize(COUNT)
		value.fill(number)
		FastVariant.save_file(path, value, {backup = true, compress = number % 2 == 0})


static func is_whole(value: Variant) -> bool:
	if value is not Array:
		return false
	var array: Array = value
	return array.size() == COUNT and array.count(array[0]) == COUNT
