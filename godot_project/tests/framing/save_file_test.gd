extends "res://tests/test_suite.gd"
## `FastVariant.save_file` and `load_file`: files that are there as a whole or not at all.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const SaveForEver := preload("res://tests/framing/save_for_ever.gd")

const FOLDER := "user://fast_variant_save_test"
const PATH := FOLDER + "/save.bin"
const BACKUP := PATH + ".bak"
const HEADER_SIZE := 32
## How often a game is killed while it saves.
const KILLS := 12


func test_what_was_saved_is_loaded() -> Outcome:
	_clear()
	for value: Variant in [null, 7, "text", [1, {"at": Vector3.ONE}], {"level": 3}, PackedByteArray([1, 2, 3])]:
		for asked: Dictionary in [{}, {compress = true}, {backup = true}]:
			var saved := FastVariant.save_file(PATH, value, asked)
			check(saved.ok, "saved: %s" % saved.message)
			check_equal(saved.bytes_read, FileAccess.get_file_as_bytes(PATH).size(), "the size of the file")
			var loaded := FastVariant.load_file(PATH)
			check(loaded.ok and not loaded.is_backup, "loaded: %s" % loaded.message)
			check_equal(loaded.value, value, "the value")
			check_equal(loaded.bytes_read, saved.bytes_read, "its size")
	return _done()


func test_paths() -> Outcome:
	_clear()
	var absolute := ProjectSettings.globalize_path(FOLDER).path_join("absolute.bin")
	check(FastVariant.save_file(absolute, 1).ok, "saved")
	check_equal(FastVariant.load_file(FOLDER + "/absolute.bin").value, 1, "the same file")
	DirAccess.remove_absolute(absolute)
	if OS.has_feature("editor"):
		check(FastVariant.save_file("res://.godot/saved.bin", 2).ok, "in the project")
		check_equal(FastVariant.load_file("res://.godot/saved.bin").value, 2, "of the project")
		DirAccess.remove_absolute("res://.godot/saved.bin")
	var missing := FastVariant.save_file(FOLDER + "/missing/save.bin", 1)
	check_equal(missing.error, "file_not_writable", "no folder")
	check(missing.message.contains("make_dir_recursive_absolute"), missing.message)
	check_equal(FastVariant.save_file(FOLDER, 1).error, "file_not_writable", "a folder")
	check_equal(FastVariant.load_file(PATH).error, "file_not_found", "no file")
	check(not FastVariant.load_file(FOLDER).ok, "a folder is not a file")
	return _done()


## A pipe would become a file, and so would a device for an administrator.
func test_what_is_not_a_regular_file_stays() -> Outcome:
	_clear()
	var pipe := ProjectSettings.globalize_path(FOLDER).path_join("pipe")
	if OS.execute("mkfifo", [pipe]) != 0:
		_done()
		return skip("this system has no pipes with names")
	OS.execute("ln", ["-s", "/dev/null", ProjectSettings.globalize_path(BACKUP)])
	check(FastVariant.save_file(PATH, 1).ok, "saved")
	for saved: FastVariantResult in [FastVariant.save_file(pipe, 2), FastVariant.save_file("/dev/null", 2),
			FastVariant.save_file(PATH, 2, {backup = true})]:
		check_equal(saved.error, "file_not_writable", saved.message)
		check(saved.message.contains("is not a regular file"), saved.message)
	for path: String in [pipe, "/dev/null"]:
		var stored := O3deJson.store_file(path, {a = 1})
		check(not stored.ok and str(stored.issues).contains("is not a regular file"), str(stored.issues))
	check_equal(OS.execute("test", ["-p", pipe]), 0, "the pipe is one")
	check_equal(OS.execute("test", ["-c", "/dev/null"]), 0, "the device is one")
	check_equal(FastVariant.load_file(PATH).value, 1, "the file before")
	DirAccess.remove_absolute(pipe)
	DirAccess.remove_absolute(BACKUP)
	return _done()


func test_uids() -> Outcome:
	_clear()
	for uid: String in ["uid://abc", "uid://", "uid://%", "uid://abc.bak"]:
		var results: Array[FastVariantResult] = []
		check_equal(_logged(func() -> void:
			results.append(FastVariant.save_file(uid, 1, {backup = true}))
			results.append(FastVariant.load_file(uid, {backup = true}))), PackedStringArray(), uid)
		check_equal(results[0].error, "file_not_writable", results[0].message)
		check_equal(results[1].error, "file_not_found", results[1].message)
	var id := ResourceUID.create_id()
	ResourceUID.add_id(id, PATH)
	check(FastVariant.save_file(ResourceUID.id_to_text(id), 7).ok, "saved")
	check_equal(FastVariant.load_file(PATH).value, 7, "where the uid leads to")
	check_equal(FastVariant.load_file(ResourceUID.id_to_text(id)).value, 7, "by the uid")
	ResourceUID.remove_id(id)
	return _done()


## Bytes that were given to the wrong call: the message names the right one.
func test_wrong_calls() -> Outcome:
	_clear()
	check(FastVariant.save_file(PATH, {a = 1}).ok, "saved")
	var saved := FileAccess.get_file_as_bytes(PATH)
	check(FastVariant.try_decode(saved).message.contains("load_file()"), FastVariant.try_decode(saved).message)
	check(FastVariant.try_load(FileAccess.open(PATH, FileAccess.READ)).message.contains("load_file()"), "try_load")
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_var({a = 1})
	file.close()
	var framed := FileAccess.get_file_as_bytes(PATH)
	check(FastVariant.load_file(PATH).message.contains("store_var(), with a length"), FastVariant.load_file(PATH).message)
	check_equal(FastVariant.load_file(PATH).error, "not_a_saved_file", "its code")
	framed[0] = 0x28
	check(FastVariant.try_decode(framed + PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])).message.contains("load() reads it"), "framed")
	file = FileAccess.open_encrypted_with_pass(PATH, FileAccess.WRITE, "p")
	file.store_var({a = 1})
	file.close()
	for result: FastVariantResult in [FastVariant.load_file(PATH), FastVariant.try_load(FileAccess.open(PATH, FileAccess.READ)),
			FastVariant.try_decode(FileAccess.get_file_as_bytes(PATH))]:
		check(result.message.contains("an encrypted file"), result.message)
	file = FileAccess.open_compressed(PATH, FileAccess.WRITE)
	file.store_var({a = 1})
	file.close()
	for result: FastVariantResult in [FastVariant.load_file(PATH), FastVariant.try_load(FileAccess.open(PATH, FileAccess.READ)),
			FastVariant.try_decode(FileAccess.get_file_as_bytes(PATH))]:
		check(result.message.contains("a compressed file"), result.message)
	return _done()


func test_compression() -> Outcome:
	_clear()
	var value: Array = []
	value.resize(10_000)
	value.fill("the same again")
	var plain := FastVariant.save_file(PATH, value).bytes_read
	check_equal(plain, HEADER_SIZE + FastVariant.encode(value).size(), "as it is")
	check_equal(FileAccess.get_file_as_bytes(PATH).slice(8, 12).get_string_from_ascii(), "none", "the name in the file")
	var packed := FastVariant.save_file(PATH, value, {compress = true}).bytes_read
	check(packed < plain / 20, "%d bytes of %d" % [packed, plain])
	check_equal(FileAccess.get_file_as_bytes(PATH).slice(8, 12).get_string_from_ascii(), "zstd", "the name in the file")
	check_equal(FastVariant.load_file(PATH).value, value, "loaded")
	check_equal(FastVariant.load_file(PATH, {max_bytes = 1000}).error, "too_many_bytes", "within a limit")
	FastVariant.save_file(PATH, 7, {compress = true})
	check_equal(FileAccess.get_file_as_bytes(PATH).size(), HEADER_SIZE + 8, "what does not get smaller")
	return _done()


func test_backups() -> Outcome:
	_clear()
	FastVariant.save_file(PATH, "first", {backup = true})
	check(not FileAccess.file_exists(BACKUP), "there is nothing to keep")
	FastVariant.save_file(PATH, "second", {backup = true})
	check_equal(FastVariant.load_file(BACKUP).value, "first", "the file before")
	_spoil(PATH)
	var told := FastVariant.load_file(PATH)
	check_equal(told.error, "damaged", "damaged")
	check(told.message.contains(BACKUP), "it says that there is a backup: %s" % told.message)
	var taken := FastVariant.load_file(PATH, {backup = true})
	check(taken.ok and taken.is_backup, "taken from the backup")
	check_equal(taken.value, "first", "its value")
	check(taken.message.contains("damaged") and taken.error.is_empty(), "it says why: %s" % taken.message)
	DirAccess.remove_absolute(PATH)
	check_equal(FastVariant.load_file(PATH, {backup = true}).value, "first", "a missing file")
	_spoil(BACKUP)
	check_equal(FastVariant.load_file(PATH, {backup = true}).error, "file_not_found", "both are bad")
	return _done()


func test_damaged_files() -> Outcome:
	_clear()
	FastVariant.save_file(PATH, {"level": 3, "name": "Ada"})
	var whole := FileAccess.get_file_as_bytes(PATH)
	var logged := _logged(func() -> void:
		for size: int in whole.size():
			_write(whole.slice(0, size))
			check(not FastVariant.load_file(PATH).ok, "the first %d bytes" % size)
		for index: int in whole.size():
			var spoilt := whole.duplicate()
			spoilt[index] ^= 1
			_write(spoilt)
			check(not FastVariant.load_file(PATH).ok, "byte %d is changed" % index)
		_write(whole + PackedByteArray([0]))
		check_equal(FastVariant.load_file(PATH).error, "damaged", "a byte behind")
		_write(FastVariant.encode(7))
		check_equal(FastVariant.load_file(PATH).error, "not_a_saved_file", "bare bytes"))
	check_equal(logged, PackedStringArray(), "logged")
	return _done()


## A file that was made by hand, with a right checksum.
func test_hostile_files() -> Outcome:
	_clear()
	var value := FastVariant.encode([1, 2, 3])
	var packed := value.compress(FileAccess.COMPRESSION_ZSTD)
	var logged := _logged(func() -> void:
		# Name of the compression, length of the value, content; the expected code.
		for row: Array in [
			["zstd", value.size(), packed, ""],
			["none", value.size(), value, ""],
			["zstd", 1 << 62, packed, "too_many_bytes"],
			["zstd", 1 << 31, packed, "too_many_bytes"],
			["zstd", value.size() + 1, packed, "damaged"],
			["zstd", value.size() - 1, packed, "damaged"],
			["zstd", 0, packed, "damaged"],
			["zstd", value.size(), PackedByteArray(), "damaged"],
			["zstd", value.size(), PackedByteArray([1, 2, 3, 4]), "damaged"],
			["none", value.size() + 4, value + PackedByteArray([0, 0, 0, 0]), "damaged"],
			["lzma", value.size(), packed, "unknown_compression"],
			["none", 4, PackedByteArray([99, 0, 0, 0]), "unknown_type"],
			["none", 0, PackedByteArray(), "unexpected_end"],
		]:
			var content: PackedByteArray = row[2]
			var compression: String = row[0]
			_write(_header(compression, row[1], content) + content)
			check_equal(FastVariant.load_file(PATH).error, row[3], "%s" % [row]))
	check_equal(logged, PackedStringArray(), "logged")
	return _done()


func test_options() -> Outcome:
	_clear()
	for wrong: Dictionary in [{compression = 1}, {backup = 1}, {compress = "zstd"}, {1: 2}]:
		check_equal(FastVariant.save_file(PATH, 1, wrong).error, "invalid_option", "save_file with %s" % wrong)
	check(not FileAccess.file_exists(PATH), "nothing was saved")
	FastVariant.save_file(PATH, [[1]])
	for wrong: Dictionary in [{compress = true}, {backup = 1}, {offset = 4}, {dialect = 3}, {lossy = true}]:
		check_equal(FastVariant.load_file(PATH, wrong).error, "invalid_option", "load_file with %s" % wrong)
	check_equal(FastVariant.load_file(PATH, {max_depth = 1}).error, "too_deep", "limits")
	check(FastVariant.load_file(PATH, {strict = true, backup = true}).ok, "strict")
	return _done()


func test_objects() -> Outcome:
	_clear()
	check(FastVariant.save_file(PATH, Resource.new(), {allow_objects = true}).ok, "saved")
	check_equal(FastVariant.load_file(PATH).error, "objects_not_allowed", "by default")
	var loaded := FastVariant.load_file(PATH, {allow_objects = true, classes = ["Resource"]})
	check(loaded.value is Resource, "of a listed class: %s" % loaded.message)
	return _done()


func test_what_cannot_be_saved_leaves_the_file() -> Outcome:
	_clear()
	FastVariant.save_file(PATH, "old")
	var endless: Array = []
	endless.append(endless)
	var results: Array[FastVariantResult] = []
	var logged := _logged(func() -> void: results.append(FastVariant.save_file(PATH, endless)))
	check_equal(results[0].error, "too_deep", "why")
	check_equal(logged, PackedStringArray(), "logged")
	check_equal(FastVariant.load_file(PATH).value, "old", "the file")
	endless.clear()
	if OS.has_feature("linux") and FileAccess.set_read_only_attribute(PATH, true) == OK:
		check_equal(FastVariant.save_file(PATH, "new").error, "file_not_writable", "a read-only file")
		FileAccess.set_read_only_attribute(PATH, false)
	elif OS.has_feature("linux"):
		FileAccess.set_unix_permissions(PATH, FileAccess.UNIX_READ_OWNER)
		check_equal(FastVariant.save_file(PATH, "new").error, "file_not_writable", "a read-only file")
		FileAccess.set_unix_permissions(PATH, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER)
	check_equal(FastVariant.load_file(PATH).value, "old", "the file")
	return _done()


func test_on_many_threads() -> Outcome:
	_clear()
	var task := WorkerThreadPool.add_group_task(func(index: int) -> void:
		FastVariant.save_file(PATH, [index, index], {compress = index % 2 == 0, backup = true})
		FastVariant.load_file(PATH), 100)
	WorkerThreadPool.wait_for_group_task_completion(task)
	for path: String in [PATH, BACKUP]:
		var found: Variant = FastVariant.load_file(path).value
		check(found is Array and found[0] == found[1], "%s is whole: %s" % [path, found])
	return _done()


## A game that saves without a pause is killed again and again: the file and its backup are always whole.
func test_a_game_that_is_killed() -> Outcome:
	if not OS.has_feature("linux"):
		return skip("made for Linux")
	_clear()
	for round_number: int in KILLS:
		var pid := OS.create_process(OS.get_executable_path(), _arguments())
		if not check(pid > 0, "a second game"):
			return _done()
		var before := _modified()
		var deadline := Time.get_ticks_msec() + 60_000
		while _modified() == before and OS.is_process_running(pid) and Time.get_ticks_msec() < deadline:
			OS.delay_msec(1)
		check(_modified() != before, "the second game saves")
		OS.delay_usec(round_number * 1371)
		# Waits until it has ended (`OS_Unix::kill`, drivers/unix/os_unix.cpp, Godot 4.6.3).
		OS.kill(pid)
		for path: String in [PATH, BACKUP]:
			var loaded := FastVariant.load_file(path)
			if path == PATH or FileAccess.file_exists(path):
				check(loaded.ok and SaveForEver.is_whole(loaded.value), "%s: %s" % [path, loaded.message])
	note("%d kills" % KILLS)
	# What was being written is left, until it is old.
	_remove_files()
	return _done()


func _arguments() -> PackedStringArray:
	var arguments: PackedStringArray = ["--headless"]
	if OS.has_feature("editor"):
		arguments.append_array(["--path", ProjectSettings.globalize_path("res://")])
	return arguments + PackedStringArray(["--", SaveForEver.OPTION, PATH])


## What changes with each save.
func _modified() -> PackedByteArray:
	return FileAccess.get_file_as_bytes(PATH)


func _header(compression: String, value_size: int, content: PackedByteArray) -> PackedByteArray:
	var header := "FVSAVE".to_ascii_buffer() + PackedByteArray([0, 1]) + compression.to_ascii_buffer()
	header.resize(HEADER_SIZE)
	header.encode_u32(12, _crc32(content))
	header.encode_s64(16, value_size)
	header.encode_s64(24, content.size())
	return header


func _crc32(bytes: PackedByteArray) -> int:
	var crc := 0xffff_ffff
	for byte in bytes:
		crc ^= byte
		for bit: int in 8:
			crc = crc >> 1 ^ (0xedb8_8320 if crc & 1 else 0)
	return crc ^ 0xffff_ffff


func _spoil(path: String) -> void:
	var bytes := FileAccess.get_file_as_bytes(path)
	bytes[bytes.size() - 1] ^= 1
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_buffer(bytes)


func _write(bytes: PackedByteArray) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(bytes)


## The texts of the errors that `action` logs, where they can be counted.
func _logged(action: Callable) -> PackedStringArray:
	if LoggedErrors.can_be_counted():
		return LoggedErrors.of(action)
	action.call()
	return []


func _clear() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	_remove_files()


func _done() -> Outcome:
	check_equal(_remove_files(), PackedStringArray(), "files beside the saved ones")
	DirAccess.remove_absolute(FOLDER)
	return DONE


## What else was there than the file and its backup.
func _remove_files() -> PackedStringArray:
	var others: PackedStringArray = []
	var folder := DirAccess.open(FOLDER)
	folder.include_hidden = true
	for file in folder.get_files():
		if FOLDER.path_join(file) not in [PATH, BACKUP]:
			others.append(file)
		folder.remove(file)
	return others
