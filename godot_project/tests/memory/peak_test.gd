extends "res://tests/test_suite.gd"
## The most memory that a call needs: encoding twice the bytes that it returns, or a megabyte more than them if they are
## more than a megabyte; decoding no more than the engine.

const PeakProbe := preload("res://tests/memory/peak_probe.gd")

const MEGABYTE := 1 << 20
## Linux counts pages in lots, each thread for itself.
const TOLERANCE := 256 << 10
## How often what is too much is measured: other processes can make it more, but not less.
const ATTEMPTS := 3
## For the measured processes: the C library gives large blocks back to the system at once. Otherwise a call could use
## again what was freed before it, and that would not be counted.
const TUNABLES := "GLIBC_TUNABLES"
const GIVE_BACK := "glibc.malloc.mmap_threshold=65536:glibc.malloc.trim_threshold=65536"

const ENCODED: PackedStringArray = [
	"100k int", "100k bool", "PackedStringArray 50k", "100k float", "100k Vector3", "100k Color", "100k Transform3D", "50k short String", "20k records",
	"dictionary 100k String -> int", "8 MB ASCII String", "1 MB CJK String", "PackedByteArray 1 MB",
	"PackedVector3Array 1 MB", "PackedFloat64Array 64 MB",
]
const ENCODED_PORTABLE: PackedStringArray = [
	"100k int", "100k bool", "PackedStringArray 50k", "100k float", "100k Vector3", "100k Color", "100k Transform3D", "50k short String", "20k records",
	"8 MB ASCII String", "1 MB CJK String", "PackedByteArray 1 MB", "PackedVector3Array 1 MB",
	"PackedFloat64Array 64 MB",
]
const DECODED: PackedStringArray = [
	"100k int", "100k Vector3", "100k Transform3D", "50k short String", "20k records", "dictionary 100k String -> int",
	"8 MB ASCII String", "1 MB CJK String", "PackedStringArray 50k", "PackedVector3Array 1 MB",
	"PackedFloat64Array 64 MB",
]


## One measurement in a process of its own.
class Peak:
	extends RefCounted
	var workload: String
	var call_name: String
	## In bytes; -1 if it failed.
	var peak: int = -1
	## The length of the encoded value.
	var encoded_size: int = 0
	var output: String

	func _init(measured_workload: String, measured_call: String) -> void:
		workload = measured_workload
		call_name = measured_call


func test_encode() -> Outcome:
	if not PeakProbe.is_possible():
		return skip("only Linux tells the peak of a process")
	var peaks: Array[Peak] = []
	for workload in ENCODED_PORTABLE if OS.has_environment("FAST_VARIANT_PORTABLE") else ENCODED:
		peaks.append(Peak.new(workload, "encode"))
	_measure(peaks)
	for measured in peaks:
		var size := measured.encoded_size
		var allowed := size + mini(size, MEGABYTE) + TOLERANCE
		_check_peak(measured, allowed)
	return DONE


func test_decode() -> Outcome:
	if not PeakProbe.is_possible():
		return skip("only Linux tells the peak of a process")
	var peaks: Array[Peak] = []
	for workload in DECODED:
		peaks.append(Peak.new(workload, "engine_decode"))
		peaks.append(Peak.new(workload, "decode"))
	_measure(peaks)
	for index: int in DECODED.size():
		var engine := peaks[2 * index]
		check(engine.peak > 0, "%s: the engine's peak was measured\n%s" % [engine.workload, engine.output])
		# Each of the two was measured as exactly as that, in memory that the C library gives back as it likes.
		_check_peak(peaks[2 * index + 1], engine.peak + 4 * TOLERANCE)
	return DONE


## Many containers in each other, each of which promises a megabyte of elements and more: none of them gets the memory before
## the elements come. The engine makes places for half as many elements more as there are, the library for as many.
func test_promises() -> Outcome:
	const MORE := 32 * MEGABYTE
	if not PeakProbe.is_possible():
		return skip("only Linux tells the peak of a process")
	var peaks: Array[Peak] = []
	for promises: String in PeakProbe.PROMISES:
		peaks.append(Peak.new(promises, "engine_decode"))
		peaks.append(Peak.new(promises, "decode"))
	_measure(peaks)
	for index: int in PeakProbe.PROMISES.size():
		var engine := peaks[2 * index]
		check(engine.peak >= 0, "%s: the engine's peak was measured\n%s" % [engine.workload, engine.output])
		_check_peak(peaks[2 * index + 1], engine.peak * 3 / 2 + MORE)
	return DONE


func _check_peak(measured: Peak, allowed: int) -> void:
	for attempt: int in ATTEMPTS - 1:
		if measured.peak > allowed:
			_measure([measured])
	var title := "%s, %s" % [measured.workload, measured.call_name]
	if check(measured.peak >= 0, "%s: not measured\n%s" % [title, measured.output]):
		check(measured.peak <= allowed, "%s: the peak is %d KB; allowed for %d KB of encoded bytes: %d KB" % [
			title, measured.peak >> 10, measured.encoded_size >> 10, allowed >> 10])


func _measure(peaks: Array[Peak]) -> void:
	var tunables := OS.get_environment(TUNABLES)
	OS.set_environment(TUNABLES, GIVE_BACK)
	var task := WorkerThreadPool.add_group_task(func(index: int) -> void: _measure_one(peaks[index]), peaks.size(), 2)
	WorkerThreadPool.wait_for_group_task_completion(task)
	OS.set_environment(TUNABLES, tunables)


func _measure_one(measured: Peak) -> void:
	var arguments: PackedStringArray = ["--headless", "--quit-after", "100"]
	if OS.has_feature("editor"):
		arguments.append_array(["--path", ProjectSettings.globalize_path("res://")])
	arguments.append_array(["--", "--measure-peak", measured.workload, "--call", measured.call_name])
	measured.peak = -1
	var output: Array[String] = []
	var status := OS.execute(OS.get_executable_path(), arguments, output, true)
	measured.output = "".join(output)
	var at := measured.output.find(PeakProbe.ANSWER)
	if status == 0 and at >= 0:
		var numbers := measured.output.substr(at + PeakProbe.ANSWER.length()).get_slice("\n", 0).split_floats(" ")
		measured.peak = int(numbers[0])
		measured.encoded_size = int(numbers[1])
