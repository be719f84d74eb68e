extends "res://tests/test_suite.gd"
## An encrypted file of Godot 3: what is said of it, and that the example in the help of `decode_as` reads it.

## `File.open_encrypted_with_pass(path, File.WRITE, "secret")` and `store_var({"a": 1})` of Godot 3.6.2.
const FILE := "47444543010000007a1c1cc5a602a459e37b690f7e4240452000000000000000f3b31b9065a361aa54928b5e8751bbccd9f9aa04c6cb01fb79646f12efdafb2d"
const PATH := "user://fast_variant_encrypted_godot3.bin"


func test_it_is_named() -> Outcome:
	_write()
	printerr("[expected errors")
	check(FileAccess.open_encrypted_with_pass(PATH, FileAccess.READ, "secret") == null, "Godot 4 cannot open it")
	printerr("expected errors]")
	var file := FileAccess.open(PATH, FileAccess.READ)
	for result: FastVariantResult in [FastVariant.load_file(PATH), FastVariant.try_decode(FILE.hex_decode()), FastVariant.try_load(file)]:
		check(not result.ok and result.message.contains("encrypted file of Godot 3"), result.message)
		check(result.message.contains("decode_as()"), result.message)
	return DONE


func test_the_example_reads_it() -> Outcome:
	_write()
	check_equal(_read_encrypted_of_godot_3(PATH, "secret"), [{"a": 1}], "the values")
	return DONE


func _write() -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(FILE.hex_decode())
	file.close()


func _read_encrypted_of_godot_3(path: String, password: String) -> Array:
	var bytes := FileAccess.get_file_as_bytes(path)
	var size := bytes.decode_u64(24)
	var aes := AESContext.new()
	aes.start(AESContext.MODE_ECB_DECRYPT, password.md5_text().to_utf8_buffer())
	var content := aes.update(bytes.slice(32)).slice(0, size)
	var md5 := HashingContext.new()
	md5.start(HashingContext.HASH_MD5)
	md5.update(content)
	if md5.finish() != bytes.slice(8, 24):
		push_error("%s is damaged, or has another password" % path)
		return []
	var values := []
	var at := 0
	while at + 4 <= content.size(): # as store_var() wrote them: a length, then the value
		var length := content.decode_u32(at)
		values.append(FastVariant.decode_as(content.slice(at + 4, at + 4 + length), FastVariant.DIALECT_GODOT_3))
		at += 4 + length
	return values
