extends "res://tests/framing/interop_suite.gd"
## `VariantStream` against `StreamPeer.put_var` and `get_var`, over a real TCP connection of this machine with itself.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const RandomNumbers := preload("res://tests/support/random_numbers.gd")
const TcpPair := preload("res://tests/support/tcp_pair.gd")

const StreamUser := preload("res://tests/fixtures/stream_user.gd")

const PATIENCE_MS := 20_000

## A game that says a word to its debugger and waits to be ended. Written when it is needed: Godot warns of a project in
## a project.
const GAME_FOLDER := "user://debugged_game"
const GAME_FILES: Dictionary[String, String] = {
	"project.godot": "config_version=5\n[application]\nrun/main_scene=\"res://main.tscn\"\n",
	"main.gd": "extends Node\nfunc _ready() -> void:\n\tprint(\"a word\")\n",
	"main.tscn": "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://main.gd\" id=\"1\"]\n"
			+ "[node name=\"Main\" type=\"Node\"]\nscript = ExtResource(\"1\")\n",
}


func test_the_engine_reads_what_we_send() -> Outcome:
	for big_endian: bool in [false, true]:
		var pair := TcpPair.new(big_endian)
		if not check(pair.is_connected_to_itself(), "a connection"):
			return DONE
		var stream := VariantStream.new()
		stream.big_endian = big_endian
		var generator := ValueGenerator.new(options.rng_seed)
		var count := maxi(options.count / 40, 1)
		for index: int in count:
			var value: Variant = _any(generator)
			var bytes := Oracle.encode(value)
			if bytes.size() > TcpPair.SAFE_SIZE:
				continue
			check(stream.send(pair.client, value), "send")
			Engine.print_error_messages = false
			var actual: Variant = pair.server.get_var()
			Engine.print_error_messages = true
			_check_same(Oracle.decode(bytes), actual)
		generator.free_objects()
		pair.close()
		note("%d values, big_endian %s" % [count, big_endian])
	return DONE


func test_we_read_what_the_engine_sends() -> Outcome:
	for big_endian: bool in [false, true]:
		var pair := TcpPair.new(big_endian)
		if not check(pair.is_connected_to_itself(), "a connection"):
			return DONE
		var stream := VariantStream.new()
		stream.big_endian = big_endian
		var generator := ValueGenerator.new(options.rng_seed + 1)
		var count := maxi(options.count / 40, 1)
		for index: int in count:
			var value: Variant = _any(generator)
			var bytes := Oracle.encode(value)
			if bytes.size() > TcpPair.SAFE_SIZE:
				continue
			pair.client.put_var(value)
			var deadline := Time.get_ticks_msec() + PATIENCE_MS
			while not stream.has_value() and Time.get_ticks_msec() < deadline:
				pair.server.poll()
				check(stream.receive(pair.server), "receive: %s" % stream.message)
			var result := stream.try_pop()
			if check(result.ok, "pop: %s" % result.message):
				check_equal(result.bytes_read, 4 + bytes.size(), "bytes_read")
				_check_same(Oracle.decode(bytes), result.value)
		check_equal(stream.buffered_size(), 0, "bytes that are left")
		generator.free_objects()
		pair.close()
		note("%d values, big_endian %s" % [count, big_endian])
	return DONE


## StreamPeerBuffer has the engine's framing without a connection.
func test_pieces_of_any_length() -> Outcome:
	var generator := ValueGenerator.new(options.rng_seed + 2)
	var numbers := generator.numbers
	var buffer := StreamPeerBuffer.new()
	var sent: Array[PackedByteArray] = []
	for index: int in 500:
		var value: Variant = _any(generator)
		sent.append(Oracle.encode(value))
		buffer.put_var(value)
	var bytes := buffer.data_array
	var stream := VariantStream.new()
	var read := 0
	var start := 0
	while start < bytes.size():
		var end := mini(start + 1 + numbers.below(40 if numbers.one_in(2) else 4000), bytes.size())
		check(stream.push(bytes.slice(start, end)), "push")
		start = end
		while stream.has_value():
			_check_same(Oracle.decode(sent[read]), stream.pop())
			read += 1
	check_equal(read, sent.size(), "values")
	check_equal(stream.buffered_size(), 0, "bytes that are left")
	generator.free_objects()
	return DONE


func test_bytes_are_those_of_put_var() -> Outcome:
	for big_endian: bool in [false, true]:
		var stream := VariantStream.new()
		stream.big_endian = big_endian
		for value: Variant in [null, 1, "text", PackedByteArray([1, 2, 3]), {"a": [1.5, Vector3.ONE]}]:
			var buffer := StreamPeerBuffer.new()
			buffer.big_endian = big_endian
			buffer.put_var(value)
			check_equal(stream.encode(value), buffer.data_array, "of %s" % [value])
	return DONE


func test_limits() -> Outcome:
	var stream := VariantStream.new()
	stream.max_value_size = 16
	stream.max_buffered_size = 0
	check(stream.push("11000000".hex_decode()), "the length can be pushed")
	check(not stream.has_value(), "has_value")
	check_equal(stream.error, "frame_too_large", "error")
	check(stream.message.contains("17 bytes"), stream.message)
	check(not stream.push([0]), "nothing more is taken")
	check_equal(stream.try_pop().error, "frame_too_large", "try_pop")
	stream.clear()
	check_equal(stream.error, "", "after clear")
	check(stream.push("080000000200000007000000".hex_decode()), "a value in the limits")
	check(not stream.push("0000000000000000000000".hex_decode()), "more than there is room for")
	check_equal(stream.error, "buffer_full", "error")
	check_equal(stream.pop(), 7, "the value")
	check(stream.push("0000000000000000000000".hex_decode()), "now there is room")
	check_equal(stream.error, "", "error after that")
	return DONE


## A declared length takes no memory before the bytes are there.
func test_a_length_alone_takes_no_memory() -> Outcome:
	var stream := VariantStream.new()
	stream.max_value_size = 1 << 30
	var before := OS.get_static_memory_usage()
	check(stream.push("00000040".hex_decode()), "push")
	check(not stream.has_value(), "has_value")
	check_equal(stream.error, "", "error")
	check(OS.get_static_memory_usage() - before < 1 << 20, "memory")
	return DONE


func test_broken_values() -> Outcome:
	var stream := VariantStream.new()
	stream.push("04000000ff000000".hex_decode() + "080000000200000007000000".hex_decode())
	check(stream.has_value(), "a frame is there")
	var result := stream.try_pop()
	check_equal(result.error, "unknown_type", "the first")
	check_equal(result.offset, 0, "offset")
	check_equal(stream.error, "", "the stream goes on")
	check_equal(stream.pop(), 7, "the second")
	check_equal(stream.try_pop().error, "no_value", "no third")
	return DONE


func test_failures_are_logged_once() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot 4.5 or newer is needed to count logged errors")
	var stream := VariantStream.new()
	stream.push("04000000ff000000".hex_decode())
	for what: String in ["a broken value", "no value"]:
		var errors := LoggedErrors.of(func() -> void: check_equal(stream.pop(), null, what))
		check_equal(errors.size(), 1, "errors of %s" % what)
	return DONE


func test_a_peer_without_a_connection() -> Outcome:
	var stream := VariantStream.new()
	Engine.print_error_messages = false
	var received := stream.receive(StreamPeerTCP.new())
	Engine.print_error_messages = true
	check(not received, "received")
	check_equal(stream.error, "connection_lost", "error")
	check(not stream.has_value(), "a value")
	return DONE


func test_objects() -> Outcome:
	var stream := VariantStream.new()
	var buffer := StreamPeerBuffer.new()
	buffer.put_var(Resource.new(), true)
	buffer.put_var(Resource.new(), true)
	stream.push(buffer.data_array)
	check_equal(stream.try_pop().error, "objects_not_allowed", "by default")
	stream.options = {allow_objects = true}
	stream.push(buffer.data_array)
	check_equal(stream.try_pop().error, "class_not_allowed", "of a class that is not listed")
	stream.options = {allow_objects = true, classes = ["Resource"]}
	check(stream.pop() is Resource, "allowed")
	return DONE


## The script of an object uses the stream that decodes the object: it gets an error, and nothing happens.
func test_a_stream_in_use() -> Outcome:
	var user := StreamUser.new()
	var body := FastVariant.encode_with_objects([user, 7])
	var frame := PackedByteArray([0, 0, 0, 0])
	frame.encode_u32(0, body.size())
	frame.append_array(body)
	for last: bool in [false, true]:
		var stream := VariantStream.new()
		stream.options = {allow_objects = true, classes = ["*"], scripts = ["*"]}
		check(stream.push(frame) and stream.push(frame), "pushed")
		StreamUser.answers.clear()
		StreamUser.frame = frame
		StreamUser.stream = stream
		StreamUser.lets_go = last
		if last:
			# Nothing else keeps it.
			stream = null
		var result: FastVariantResult = StreamUser.stream.try_pop()
		check(result.ok, result.message)
		check_equal(result.value[1], 7, "the value")
		check_equal(StreamUser.answers, [false, false, "stream_in_use", null, "stream_in_use", frame.size() * 2, false], "answers")
		if not last:
			check_equal(stream.buffered_size(), frame.size(), "bytes left")
			check(stream.push(PackedByteArray()), "usable again")
			check_equal(stream.error, "", "no error any more")
	StreamUser.stream = null
	return DONE


## Not allowed, and no reason to break: who comes second gets an error.
func test_threads_on_one_stream() -> Outcome:
	var stream := VariantStream.new()
	var frame := stream.encode(range(100))
	var counts: Array[int] = []
	counts.resize(8)
	var threads: Array[Thread] = []
	for number: int in 8:
		threads.append(Thread.new())
		threads[-1].start(func() -> void:
			for turn: int in 500:
				stream.push(frame)
				if stream.has_value():
					var result := stream.try_pop()
					if result.ok and result.value == range(100):
						counts[number] += 1
					elif result.error not in ["no_value", "stream_in_use"]:
						counts[number] -= 1_000_000)
	for thread in threads:
		thread.wait_to_finish()
	for count in counts:
		check(count >= 0, "no other errors")
	check_equal(stream.buffered_size() % frame.size(), 0, "whole values are left")
	var left := stream.buffered_size() / frame.size()
	for number: int in left:
		check_equal(stream.pop(), range(100), "a value")
	return DONE


func test_options() -> Outcome:
	var stream := VariantStream.new()
	var nested := [[["deep"]]]
	stream.options = {max_depth = 2}
	check_equal(stream.options, {max_depth = 2}, "options")
	stream.push(stream.encode(nested))
	check_equal(stream.try_pop().error, "too_deep", "beyond the limit")
	stream.options = {strict = true}
	stream.push(stream.encode(nested))
	check_equal(stream.pop(), nested, "in the limits")
	if LoggedErrors.can_be_counted():
		for wrong: Dictionary in [{nonsense = 1}, {offset = 4}, {strict = "yes"}]:
			check_equal(LoggedErrors.of(func() -> void: stream.options = wrong).size(), 1, "errors of %s" % wrong)
			check_equal(stream.options, {strict = true}, "options after %s" % wrong)
	return DONE


func test_dialects() -> Outcome:
	var stream := VariantStream.new()
	stream.options = {dialect = FastVariant.DIALECT_GODOT_3}
	var bytes := stream.encode({"pos": Vector3(1, 2, 3)})
	check_equal(bytes.hex_encode(), "24000000" + "1200000001000000" + "0400000003000000706f7300"
			+ "070000000000803f0000004000004040", "as Godot 3 writes it")
	stream.push(bytes)
	check_equal(stream.pop(), {"pos": Vector3(1, 2, 3)}, "and reads it")
	return DONE


## The stream between a game and the editor: what a real game says first.
func test_debugger() -> Outcome:
	if not OS.has_feature("editor"):
		return skip("a release build of the game has no debugger")
	var server := TCPServer.new()
	if not check_equal(server.listen(0, "127.0.0.1"), OK, "listen"):
		return DONE
	_write_game()
	var pid := OS.create_process(OS.get_executable_path(), [
		"--headless", "--path", ProjectSettings.globalize_path(GAME_FOLDER),
		"--remote-debug", "tcp://127.0.0.1:%d" % server.get_local_port()])
	var stream := VariantStream.new()
	var peer: StreamPeerTCP = null
	var names: PackedStringArray = []
	var deadline := Time.get_ticks_msec() + PATIENCE_MS
	while not names.has("scene:scene_tree") and Time.get_ticks_msec() < deadline:
		OS.delay_msec(5)
		if peer == null:
			peer = server.take_connection() if server.is_connection_available() else null
			continue
		peer.poll()
		if peer.get_status() != StreamPeerTCP.STATUS_CONNECTED:
			continue
		check(stream.receive(peer), stream.message)
		while stream.has_value():
			var message := _message(stream.try_pop())
			names.append(message[0])
			if message[0] == "output":
				# The other direction: the game answers what the debugger asks.
				check(stream.send(peer, ["scene:request_scene_tree", message[1], []]), "send")
			elif message[0] == "scene:scene_tree":
				var tree: Array = message[2]
				check(tree.has("Main"), "the node of the game in %s" % [tree])
	check(names.has("set_pid") and names.has("output"), "what the game says")
	check(names.has("scene:scene_tree"), "what the game answers")
	OS.kill(pid)
	server.stop()
	note("messages of the game: %s" % [names])
	return DONE


func _write_game() -> void:
	DirAccess.make_dir_recursive_absolute(GAME_FOLDER)
	for file_name: String in GAME_FILES:
		var file := FileAccess.open(GAME_FOLDER.path_join(file_name), FileAccess.WRITE)
		file.store_string(GAME_FILES[file_name])


## Name, thread, content.
func _message(result: FastVariantResult) -> Array:
	if not check(result.ok and result.value is Array, "a message: %s" % result.message):
		return ["", 0, []]
	var message: Array = result.value
	check_equal(message.size(), 3, "parts of a message")
	check(message[0] is String and message[1] is int and message[2] is Array, "%s" % [message])
	return message
