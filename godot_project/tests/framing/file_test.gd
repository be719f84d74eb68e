extends "res://tests/framing/interop_suite.gd"
## `FastVariant.store` and `load` against `FileAccess.store_var` and `get_var`, over real files.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")

const PATH := "user://fast_variant_file_test.bin"


func test_the_engine_reads_what_store_writes() -> Outcome:
	for big_endian: bool in [false, true]:
		var generator := ValueGenerator.new(options.rng_seed)
		var count := maxi(options.count / 20, 1)
		var written: Array[PackedByteArray] = []
		var file := _open(FileAccess.WRITE, big_endian)
		for index: int in count:
			var value: Variant = _any(generator)
			written.append(Oracle.encode(value))
			check(FastVariant.store(file, value), "store")
		file = _open(FileAccess.READ, big_endian)
		for bytes in written:
			var expected: Variant = Oracle.decode(bytes)
			Engine.print_error_messages = false
			var actual: Variant = file.get_var()
			Engine.print_error_messages = true
			_check_same(expected, actual)
		check_equal(file.get_position(), file.get_length(), "the end of the file")
		generator.free_objects()
		note("%d values, big_endian %s" % [count, big_endian])
	return _done()


func test_load_reads_what_the_engine_writes() -> Outcome:
	for big_endian: bool in [false, true]:
		var generator := ValueGenerator.new(options.rng_seed + 1)
		var count := maxi(options.count / 20, 1)
		var written: Array[PackedByteArray] = []
		var file := _open(FileAccess.WRITE, big_endian)
		for index: int in count:
			var value: Variant = _any(generator)
			written.append(Oracle.encode(value))
			file.store_var(value)
		file = _open(FileAccess.READ, big_endian)
		for bytes in written:
			var result := FastVariant.try_load(file)
			if check(result.ok, "load: %s" % result.message):
				check_equal(result.bytes_read, 4 + bytes.size(), "bytes_read")
				_check_same(Oracle.decode(bytes), result.value)
		check_equal(FastVariant.try_load(file).error, "end_of_file", "behind the last value")
		generator.free_objects()
		note("%d values, big_endian %s" % [count, big_endian])
	return _done()


func test_both_write_the_same_file() -> Outcome:
	var values: Array = [null, true, 1 << 40, "text", PackedByteArray([1, 2, 3]), {"a": [1.5, Vector3.ONE]}]
	for big_endian: bool in [false, true]:
		var ours := _open(FileAccess.WRITE, big_endian)
		for value: Variant in values:
			FastVariant.store(ours, value)
		ours.close()
		var our_bytes := FileAccess.get_file_as_bytes(PATH)
		var engines := _open(FileAccess.WRITE, big_endian)
		for value: Variant in values:
			engines.store_var(value)
		engines.close()
		check_equal(our_bytes, FileAccess.get_file_as_bytes(PATH), "big_endian %s" % big_endian)
	return _done()


func test_broken_files() -> Outcome:
	# Bytes of the file, expected code; each of them alone.
	for row: Array in [
		["", "end_of_file"],
		["0800", "unexpected_end"],
		["08000000", "unexpected_end"],
		["0800000002000000", "unexpected_end"],
		["00000000", "unexpected_end"],
		["04000000ff000000", "unknown_type"],
		["ffffff7f02000000", "unexpected_end"],
		["ffffffff02000000", "frame_too_large"],
	]:
		var hex: String = row[0]
		_write(hex.hex_decode())
		var file := _open(FileAccess.READ, false)
		var result := FastVariant.try_load(file)
		check(not result.ok, "%s is no value" % hex)
		check_equal(result.error, row[1], hex)
		check_equal(result.value, null, "value of %s" % hex)
	return _done()


func test_the_value_behind_a_broken_one_is_found() -> Outcome:
	_write("04000000ff0000000c000000020000000700000001020304".hex_decode() + "0400000000000000".hex_decode())
	var file := _open(FileAccess.READ, false)
	check_equal(FastVariant.try_load(file).error, "unknown_type", "the first")
	# What stands behind the value in its frame is ignored, as get_var does.
	check_equal(FastVariant.load(file), 7, "the second")
	check(FastVariant.try_load(file).ok, "the third, null")
	return _done()


func test_options() -> Outcome:
	var file := _open(FileAccess.WRITE, false)
	file.store_var(Resource.new(), true)
	file = _open(FileAccess.READ, false)
	check_equal(FastVariant.try_load(file).error, "objects_not_allowed", "by default")
	file.seek(0)
	check_equal(FastVariant.try_load(file, {allow_objects = true}).error, "class_not_allowed", "of a class that is not listed")
	file.seek(0)
	check(FastVariant.try_load(file, {allow_objects = true, classes = ["Resource"]}).value is Resource, "allowed")
	check_equal(FastVariant.try_load(file, {offset = 4}).error, "invalid_option", "offset")
	check_equal(FastVariant.try_load(file, {nonsense = 4}).error, "invalid_option", "nonsense")
	return _done()


func test_a_closed_file() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot 4.5 or newer is needed to count logged errors")
	var file := _open(FileAccess.WRITE, false)
	file.close()
	var errors := LoggedErrors.of(func() -> void:
		check_equal(FastVariant.try_load(file).error, "file_not_open", "try_load"))
	check_equal(errors.size(), 0, "errors of try_load")
	errors = LoggedErrors.of(func() -> void: check_equal(FastVariant.load(file), null, "load"))
	check_equal(errors.size(), 1, "errors of load")
	errors = LoggedErrors.of(func() -> void: check(not FastVariant.store(file, 1), "store"))
	check_equal(errors.size(), 1, "errors of store")
	return _done()


func test_failures_are_logged_once() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot 4.5 or newer is needed to count logged errors")
	_write([])
	var file := _open(FileAccess.READ, false)
	var loaded: Array = ["untouched"]
	var errors := LoggedErrors.of(func() -> void: loaded[0] = FastVariant.load(file))
	check_equal(errors.size(), 1, "errors of load")
	check_equal(loaded[0], null, "loaded")
	var endless: Array = []
	endless.append(endless)
	var writable := _open(FileAccess.WRITE, false)
	errors = LoggedErrors.of(func() -> void: check(not FastVariant.store(writable, endless), "stored"))
	check_equal(errors.size(), 1, "errors of store")
	check_equal(writable.get_length(), 0, "nothing was written")
	endless.clear()
	return _done()


func _done() -> Outcome:
	DirAccess.remove_absolute(PATH)
	return DONE


func _open(mode: FileAccess.ModeFlags, big_endian: bool) -> FileAccess:
	var file := FileAccess.open(PATH, mode)
	file.big_endian = big_endian
	return file


func _write(bytes: PackedByteArray) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(bytes)
