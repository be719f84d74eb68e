extends RefCounted
## Measures the memory that one call takes at its peak, in a process that does nothing else: freed memory that an
## allocator keeps would hide what the next call takes.
##
##   godot --headless --path godot_project -- --measure-peak WORKLOAD --call CALL
##
## All memory of the process counts, the engine's and the library's, as Linux sees it: from what is resident
## before the call to the high-water mark after it.

const CommandLine := preload("res://command_line.gd")
const CodecWorkloads := preload("res://bench/codec_workloads.gd")
const Nested := preload("res://tests/support/nested.gd")

## Bytes that are no value: containers in containers that promise more than there is. Their type, how many there are, and how
## many elements of each there are before the next one.
const PROMISES: Dictionary[String, PackedInt32Array] = {
	"promises of Arrays": [TYPE_ARRAY, 1000, 0],
	"promises of Dictionaries": [TYPE_DICTIONARY, 1000, 0],
	"promises of Arrays, kept at first": [TYPE_ARRAY, 300, 4096],
}
const STATUS := "/proc/self/status"
## Writing 5 sets the high-water mark back to what is resident (Linux, Documentation/filesystems/proc.rst).
const CLEAR := "/proc/self/clear_refs"
## In front of the peak and the length of the encoded value, both in bytes.
const ANSWER := "peak of the call: "

var _workload: String
var _call: String


func _init(command_line: CommandLine) -> void:
	_workload = command_line.text("--measure-peak", "")
	_call = command_line.text("--call", "")


static func is_possible() -> bool:
	return OS.has_feature("linux") and FileAccess.file_exists(CLEAR)


func run() -> bool:
	var workloads := CodecWorkloads.all()
	if not workloads.has(_workload) and not PROMISES.has(_workload):
		push_error("There is no workload `%s`." % _workload)
		return false
	# Kept to the end: what is freed before the call could be used again by it, and would not be counted.
	var value: Variant = workloads[_workload].call() if workloads.has(_workload) else null
	var bytes := PackedByteArray()
	if PROMISES.has(_workload):
		var promises := PROMISES[_workload]
		bytes = Nested.promises(promises[0] as Variant.Type, promises[1], 1 << 20, promises[2])
	elif _call.ends_with("decode"):
		bytes = var_to_bytes(value)
	_warm_up()
	var kept := _filler() if _call.ends_with("decode") else PackedStringArray()
	if not _clear_peak():
		return false
	var before := _status("VmRSS:")
	match _call:
		"encode": FastVariant.encode(value)
		"decode": FastVariant.decode(bytes)
		"engine_encode": var_to_bytes(value)
		"engine_decode": bytes_to_var(bytes)
		_:
			push_error("There is no call `%s`." % _call)
			return false
	var peak := _status("VmHWM:") - before
	print(ANSWER, peak, " ", var_to_bytes(value).size())
	kept.clear()
	return true


## The library's threads, and what the engine makes when it is first called, do not belong to the value. Nor do the pages of the
## library's code, which count when they are first run: large values have code of their own, and local builds have more of it.
func _warm_up() -> void:
	FastVariant.decode_batch(FastVariant.encode_batch(range(100)))
	FastVariant.decode(FastVariant.encode([1, "two", {3: 4.0}]))
	FastVariant.decode(FastVariant.encode(range(5000)))
	bytes_to_var(var_to_bytes([1, "two", {3: 4.0}]))


## Freed pieces of memory would be used again by what this thread decodes, and not by what other threads decode: the same
## memory would count or not. Here they are used up.
func _filler() -> PackedStringArray:
	var filler: PackedStringArray = []
	for length: int in range(1, 100):
		for index: int in 2000:
			filler.append("x".repeat(length))
	return filler


func _clear_peak() -> bool:
	# Not WRITE, for which an editor's program may write another file first and rename it.
	var file := FileAccess.open(CLEAR, FileAccess.READ_WRITE)
	if file == null or not file.store_string("5"):
		push_error("%s cannot be written" % CLEAR)
		return false
	file.close()
	return true


## In bytes.
func _status(field: String) -> int:
	var file := FileAccess.open(STATUS, FileAccess.READ)
	# Line by line: files of this kind say that they are empty.
	while not file.eof_reached():
		var line := file.get_line()
		if line.begins_with(field):
			return line.trim_prefix(field).trim_suffix("kB").strip_edges().to_int() * 1024
	return 0
