extends Control
## Encodes and decodes a save game, shows that the bytes are the engine's own, and how long both take.

const Race := preload("res://bench/race.gd")
const SaveGame := preload("res://demo/save_game.gd")

## The last line of a run without a difference.
const SUCCESS := "fast_variant demo: SUCCESS"
const BUDGET_MSEC := 400
const ROW := "  %-12s %9s  %9s  %18s  %18s"

var _identical: bool = true

@onready var _label: Label = $Label


func _ready() -> void:
	_show("FastVariant in Godot %s\n" % Engine.get_version_info().string)
	_show(ROW % ["", "bytes", "identical", "encode", "decode"])
	var save := SaveGame.make(1)
	_compare("save game", save)
	var packed := SaveGame.packed_arrays()
	for array_name: String in packed:
		_compare(array_name, packed[array_name])
	_show("  (ours, and how many times faster than var_to_bytes and bytes_to_var)\n")
	_show_damage(save)
	if _identical:
		_show(SUCCESS)
	# Without a window nobody can close it.
	if DisplayServer.get_name() == "headless":
		get_tree().quit(0 if _identical else 1)


func _compare(title: String, value: Variant) -> void:
	var bytes := FastVariant.encode(value)
	var identical := bytes == var_to_bytes(value) and var_to_bytes(FastVariant.decode(bytes)) == bytes
	_identical = _identical and identical
	var encoded := Race.medians([
		func(count: int) -> void:
			for index: int in count:
				FastVariant.encode(value),
		func(count: int) -> void:
			for index: int in count:
				var _bytes := var_to_bytes(value),
	], BUDGET_MSEC)
	var decoded := Race.medians([
		func(count: int) -> void:
			for index: int in count:
				FastVariant.decode(bytes),
		func(count: int) -> void:
			for index: int in count:
				var _value: Variant = bytes_to_var(bytes),
	], BUDGET_MSEC)
	var shown_size := String.humanize_size(bytes.size())
	_show(ROW % [title, shown_size, "yes" if identical else "NO", _speed(encoded), _speed(decoded)])


## What is wrong with bytes, and where: the engine says null.
func _show_damage(save: Dictionary) -> void:
	var bytes := FastVariant.encode(save)
	var place := bytes.size() / 8
	for offset: int in range(place, place + 8):
		bytes[offset] = 0xff
	var result := FastVariant.try_decode(bytes)
	_show("A damaged save game, decoded with FastVariant.try_decode:")
	_show("  error %s at byte %d, in %s" % [result.error, result.offset, result.path])
	_show("  %s\n" % result.message)
	_identical = _identical and not result.ok


func _speed(medians: Race.Medians) -> String:
	var usec := medians.called
	return "%.2f ms  %5.1fx" % [usec[0] / 1000.0, usec[1] / usec[0]]


func _show(text: String) -> void:
	print(text)
	_label.text += text + "\n"
