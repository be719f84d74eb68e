extends SceneTree
# Writes numbers as Godot 3 prints and reads them, for the tests of the crate `tscn`. godot_project/tools/write_numbers.gd does the
# same with Godot 4. Only 32-bit numbers have arrays there, and text arrays.
#
#   godot3-server --path PROJECT -s write_numbers_godot3.gd FOLDER

const SUCCESS = "numbers: WRITTEN"
const COUNT = 300000
const SEED = 5
# All exponents, each with hundreds of fractions.
const PATTERN_STRIDE = 17389

var _folder = ""


func _init():
	var arguments = OS.get_cmdline_args()
	_folder = arguments[arguments.size() - 1]
	seed(SEED)
	_write_32("f32_patterns", _patterns())
	_write_32("f32_ordinary", PoolRealArray(_ordinary(COUNT)))
	_write_64("f64_ordinary", _ordinary(COUNT))
	_write_64("f64_powers", _powers())
	print(SUCCESS)
	quit()


func _patterns():
	var buffer = StreamPeerBuffer.new()
	var values = PoolRealArray()
	var pattern = 0
	while pattern < 1 << 32:
		buffer.seek(0)
		buffer.put_u32(pattern)
		buffer.seek(0)
		values.append(buffer.get_float())
		pattern += PATTERN_STRIDE
	return values


# Typical numbers of scenes: lengths, angles, colours, and typed decimals.
func _ordinary(count):
	var values = []
	for index in count:
		match index % 6:
			0:
				values.append(rand_range(-1000.0, 1000.0))
			1:
				values.append(sin(rand_range(0.0, TAU)))
			2:
				values.append((randi() % 200000 - 100000) / 1000.0)
			3:
				values.append((randi() % 256) / 255.0)
			4:
				values.append((randi() % 2000000000 - 1000000000) * pow(10.0, randi() % 33 - 20))
			5:
				values.append(exp(rand_range(-12.0, 12.0)))
	return values


# Powers of two and ten, and halves in the seventh digit, where rounding is decided.
func _powers():
	var values = []
	for exponent in range(-1074, 1024):
		values.append(pow(2.0, exponent))
	for exponent in range(-307, 309):
		values.append(pow(10.0, exponent))
	for index in 20000:
		values.append((randi() % 900000 + 100000 + 0.5) * pow(2.0, randi() % 40 - 20))
	return values


func _write_32(name, values):
	var bits = StreamPeerBuffer.new()
	for value in values:
		bits.put_float(value)
	var text = var2str(values)
	_store(name, bits, text.substr(text.find("(") + 1).trim_suffix(")").strip_edges())


# There is no array of 64-bit numbers: each is written alone, with `.0` where it looks like a whole number.
func _write_64(name, values):
	var bits = StreamPeerBuffer.new()
	var texts = PoolStringArray()
	for value in values:
		bits.put_double(value)
		texts.append(var2str(value).trim_suffix(".0"))
	_store(name, bits, texts.join(", "))


func _store(name, bits, text):
	var file = File.new()
	file.open(_folder.plus_file(name + ".bits"), File.WRITE)
	file.store_buffer(bits.data_array)
	file.close()
	file.open(_folder.plus_file(name + ".txt"), File.WRITE)
	file.store_string(text)
	file.close()
