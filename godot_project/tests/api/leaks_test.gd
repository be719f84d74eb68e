extends "res://tests/test_suite.gd"
## Nothing is kept after a call: neither objects, nor the engine's memory, nor our own.

const ROUNDS := 300
## What the allocators may keep for themselves. A leak of a value loses a megabyte in each round, far more than this.
const ALLOWED_GROWTH := 48 << 20


func test_success() -> Outcome:
	return _check_kept(_encode_and_decode.bind(_large_value()))


func test_failures() -> Outcome:
	return _check_kept(_fail.bind(var_to_bytes(_large_value()).slice(0, -4)))


func test_objects() -> Outcome:
	var value: Array = []
	for index: int in 400:
		value.append(Resource.new())
	return _check_kept(func() -> void:
		FastVariant.decode(FastVariant.encode(value))
		var bytes := FastVariant.encode_with_objects(value)
		FastVariant.decode_with_objects(bytes)
		FastVariant.try_decode(bytes.slice(0, -4), {allow_objects = true, classes = ["Resource"]}))


func _large_value() -> Variant:
	var records: Array = []
	for index: int in 1500:
		records.append({"id": index, "name": "record %d" % index, "tags": ["a", "b"], "position": Vector3.ONE * index})
	var packed: PackedByteArray = []
	packed.resize(1 << 20)
	return [records, packed, &"name", ^"a/b:c", "text".repeat(50_000)]


func _encode_and_decode(value: Variant) -> void:
	var bytes := FastVariant.encode(value)
	FastVariant.decode(bytes)
	FastVariant.decode_batch(FastVariant.encode_batch([value]))


func _fail(truncated: PackedByteArray) -> void:
	FastVariant.try_decode(truncated)
	Engine.print_error_messages = false
	FastVariant.decode(truncated)
	FastVariant.decode_batch([truncated])
	Engine.print_error_messages = true


func _check_kept(action: Callable) -> Outcome:
	# Once before: caches and the allocators' reserves are filled.
	action.call()
	var objects := Performance.get_monitor(Performance.OBJECT_COUNT)
	var engine_memory := Performance.get_monitor(Performance.MEMORY_STATIC)
	var process_memory := _process_memory()
	for index: int in ROUNDS:
		action.call()
	check_equal(Performance.get_monitor(Performance.OBJECT_COUNT), objects, "number of objects")
	# Always 0 in release builds.
	var engine_growth := Performance.get_monitor(Performance.MEMORY_STATIC) - engine_memory
	check(engine_growth < 100_000, "the engine's memory grew by %d bytes" % engine_growth)
	var process_growth := _process_memory() - process_memory
	check(process_growth < ALLOWED_GROWTH, "the process grew by %d bytes" % process_growth)
	return DONE


## In bytes; 0 where the system does not tell.
func _process_memory() -> int:
	var status := FileAccess.open("/proc/self/status", FileAccess.READ) if OS.has_feature("linux") else null
	# Line by line: files of this kind say that they are empty.
	while status != null and not status.eof_reached():
		var line := status.get_line()
		if line.begins_with("VmRSS:"):
			return line.trim_prefix("VmRSS:").trim_suffix("kB").strip_edges().to_int() * 1024
	return 0
