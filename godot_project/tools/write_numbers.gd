extends SceneTree
## Writes numbers as this engine prints and reads them, for the tests of the crate `tscn`.
##
##   godot --headless -s res://tools/write_numbers.gd -- FOLDER
##
## For each kind of numbers: NAME.bits (as they are in memory), NAME.txt (as the engine prints them, with commas) and
## NAME.read (that text as the engine reads it, as it is in memory). The names start with the type.

const SUCCESS := "numbers: WRITTEN"
const COUNT := 600_000
const SEED := 4

## Every 32-bit pattern of this stride is written: all exponents, each with thousands of fractions.
const PATTERN_STRIDE := 7919

var _random := RandomNumberGenerator.new()


func _init() -> void:
	_random.seed = SEED
	_write_64("f64_random", _random_bytes(COUNT * 8).to_float64_array())
	_write_32("f32_random", _random_bytes(COUNT * 4).to_float32_array())
	_write_32("f32_patterns", _patterns().to_float32_array())
	_write_64("f64_ordinary", _ordinary())
	var narrow := PackedFloat32Array()
	for value in _ordinary():
		narrow.append(value)
	_write_32("f32_ordinary", narrow)
	_write_64("f64_powers", _powers())
	print(SUCCESS)
	quit()


## Random bits are numbers of every size, with NaN and the infinities among them.
func _random_bytes(size: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	bytes.resize(size)
	for offset in range(0, size, 4):
		bytes.encode_u32(offset, _random.randi())
	return bytes


func _patterns() -> PackedByteArray:
	var bytes := PackedByteArray()
	bytes.resize((1 << 32) / PATTERN_STRIDE * 4)
	for index in bytes.size() / 4:
		bytes.encode_u32(index * 4, index * PATTERN_STRIDE)
	return bytes


## What stands in scenes: lengths, angles, colours, and decimals that somebody typed.
func _ordinary() -> PackedFloat64Array:
	var values := PackedFloat64Array()
	values.resize(COUNT)
	for index in COUNT:
		var value := 0.0
		match index % 6:
			0:
				value = _random.randf_range(-1000.0, 1000.0)
			1:
				value = sin(_random.randf_range(0.0, TAU))
			2:
				value = _random.randi_range(-100_000, 100_000) / 1000.0
			3:
				value = _random.randi_range(0, 255) / 255.0
			4:
				value = _random.randi_range(-1_000_000_000, 1_000_000_000) * pow(10.0, _random.randi_range(-20, 12))
			5:
				value = exp(_random.randf_range(-12.0, 12.0))
		values[index] = value
	return values


## Powers of two and ten and their neighbours, where the distance to the next number changes.
func _powers() -> PackedFloat64Array:
	var bytes := PackedByteArray()
	for exponent in range(-1074, 1024):
		_append_neighbours(bytes, pow(2.0, exponent))
	for exponent in range(-323, 309):
		_append_neighbours(bytes, ("1e%d" % exponent).to_float())
	return bytes.to_float64_array()


func _append_neighbours(bytes: PackedByteArray, value: float) -> void:
	for step: int in [-1, 0, 1]:
		var pattern := PackedByteArray()
		pattern.resize(8)
		pattern.encode_double(0, value)
		pattern.encode_s64(0, pattern.decode_s64(0) + step)
		bytes.append_array(pattern)


func _write_32(path: String, values: PackedFloat32Array) -> void:
	var text := var_to_str(values)
	var read: PackedFloat32Array = str_to_var(text)
	_write(path, values.to_byte_array(), text, read.to_byte_array())


func _write_64(path: String, values: PackedFloat64Array) -> void:
	var text := var_to_str(values)
	var read: PackedFloat64Array = str_to_var(text)
	_write(path, values.to_byte_array(), text, read.to_byte_array())


func _write(path: String, bits: PackedByteArray, text: String, read: PackedByteArray) -> void:
	var start := OS.get_cmdline_user_args()[0].path_join(path)
	_store(start + ".bits", bits)
	_store(start + ".txt", text.get_slice("(", 1).trim_suffix(")").to_utf8_buffer())
	_store(start + ".read", read)


func _store(path: String, bytes: PackedByteArray) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()
