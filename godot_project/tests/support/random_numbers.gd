extends RefCounted
## Random numbers with a taste for the borders of the wire format.

const INTS: Array[int] = [
	0, 1, -1, 127, 128, 255, 256, 65535, 65536,
	0x7fff_ffff, 0x8000_0000, -0x8000_0000, -0x8000_0001, 0xffff_ffff, 0x1_0000_0000,
	9_007_199_254_740_993, 0x7fff_ffff_ffff_ffff, -0x7fff_ffff_ffff_ffff - 1,
]
## FLOATs as bits, because GDScript has one constant for 0.0 and -0.0, rounds extreme numbers when it reads them, and
## has no expression for most NaNs.
const FLOAT_BITS: Array[int] = [
	# Around the border of 32 bits: values that f32 holds, and others next to them.
	0x0000_0000_0000_0000, -0x7fff_ffff_ffff_ffff - 1, 0x3ff0_0000_0000_0000, -0x4008_0000_0000_0000,
	0x3fb9_9999_9999_999a, 0x3fd5_5555_5555_5555, 0x4170_0000_0000_0000, 0x4170_0000_1000_0000, 0x7ff0_0000_0000_0000,
	-0x0010_0000_0000_0000, 0x47ef_ffff_e000_0000, 0x47ef_ffff_f000_0000, -0x380f_8b07_3b2c_3285,
	0x7fef_ffff_ffff_ffff, 0x3810_0000_0000_0000, 0x36a0_0000_0000_0000, 0x3690_0000_0000_0000, 0x0010_0000_0000_0000,
	0x0000_0000_0000_0001,
	# NaNs with payloads, quiet and signalling, of both signs.
	0x7ff8_0000_0000_0000, 0x7ff8_0000_0000_0001, 0x7ff8_dead_beef_cafe, 0x7ff0_0000_0000_0001, -0x0008_0000_0000_0000,
	-0x0007_ffff_ffff_ffff, -1, 0x7ff8_0000_2000_0000,
]
## The same for f32: zeros, ones, infinities, NaNs, denormals, the largest.
const REAL_BITS: Array[int] = [
	0x0000_0000, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0001, 0x7f80_0001,
	0x0000_0001, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff,
]

var rng: RandomNumberGenerator
var _bits := PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0])


func _init(generator: RandomNumberGenerator) -> void:
	rng = generator


## From 0 to `end` - 1.
func below(end: int) -> int:
	return rng.randi() % end


func one_in(n: int) -> bool:
	return rng.randi() % n == 0


func bits_64() -> int:
	return (rng.randi() << 32) | rng.randi()


func integer() -> int:
	match below(4):
		0: return INTS[below(INTS.size())]
		1: return rng.randi_range(-1000, 1000)
		2: return bits_64()
		# As many leading zeros as not, so that every length occurs.
		_: return bits_64() >> below(64)


func int_32() -> int:
	match below(3):
		0: return rng.randi_range(-100, 100)
		1: return [0, -1, 0x7fff_ffff, -0x8000_0000][below(4)]
		_: return rng.randi() - 0x8000_0000


func number() -> float:
	match below(5):
		0, 1: return double_of(FLOAT_BITS[below(FLOAT_BITS.size())])
		2: return double_of(bits_64())
		3: return real()
		_: return rng.randf_range(-1000.0, 1000.0)


## A value that f32 can hold.
func real() -> float:
	match below(4):
		0: return rng.randf_range(-100.0, 100.0)
		1: return _real_of(REAL_BITS[below(REAL_BITS.size())])
		2: return float(rng.randi_range(-50, 50))
	return _real_of(rng.randi())


func double_of(bits: int) -> float:
	_bits.encode_s64(0, bits)
	return _bits.decode_double(0)


func _real_of(bits: int) -> float:
	_bits.encode_u32(0, bits)
	return _bits.decode_float(0)
