extends SceneTree
# Exchanges values with the crate `variant-codec`, for Godot 3.6. Run by scripts/test/codec/godot3.sh:
#
#   FAST_VARIANT_EXCHANGE=FOLDER FAST_VARIANT_COUNT=N FAST_VARIANT_SEED=N godot3-server --path COPY -s res://exchange.gd
#
# - writes N random values to `from_godot3`, as `var2bytes` encodes them;
# - decodes the values in `to_godot3`, and writes them to `again_from_godot3` as `var2bytes` encodes them;
# - does the same with the bytes in `broken`, most of which are no value: `verdicts`.
#
# Each value stands behind its length, 32 bits.

const RandomValues := preload("res://random_values.gd")
const SUCCESS := "godot3 exchange: WRITTEN"


func _init() -> void:
	var folder := OS.get_environment("FAST_VARIANT_EXCHANGE")
	var count := int(OS.get_environment("FAST_VARIANT_COUNT"))
	_write_random(folder.plus_file("from_godot3"), count)
	_answer(folder.plus_file("to_godot3"), folder.plus_file("again_from_godot3"))
	_answer(folder.plus_file("broken"), folder.plus_file("verdicts"))
	print(SUCCESS)
	quit()


func _write_random(path: String, count: int) -> void:
	var values := RandomValues.new(int(OS.get_environment("FAST_VARIANT_SEED")))
	var file := File.new()
	_must(file.open(path, File.WRITE), path)
	for _index in count:
		_store(file, var2bytes(values.any(3)))
	file.close()
	values.free_objects()


func _answer(from: String, to: String) -> void:
	var questions := File.new()
	var answers := File.new()
	_must(questions.open(from, File.READ), from)
	_must(answers.open(to, File.WRITE), to)
	while questions.get_position() < questions.get_len():
		_store(answers, var2bytes(_decoded(questions.get_buffer(questions.get_32()))))
	answers.close()


# As `bytes2var`, which ends the calling function if the bytes are wrong.
func _decoded(bytes: PoolByteArray):
	var stream := StreamPeerBuffer.new()
	stream.put_32(bytes.size())
	stream.put_data(bytes)
	stream.seek(0)
	return stream.get_var()


func _store(file: File, bytes: PoolByteArray) -> void:
	file.store_32(bytes.size())
	file.store_buffer(bytes)


func _must(error: int, path: String) -> void:
	if error != OK:
		printerr("cannot open %s: error %d" % [path, error])
		OS.exit_code = 1
		quit(1)
