extends "res://tests/framing/interop_suite.gd"
## `FastVariant.encode_rpc` and `decode_rpc` against the packets that the engine sends and takes.

const CapturedPeer := preload("res://tests/support/captured_peer.gd")
const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const RpcNode := preload("res://tests/fixtures/rpc_node.gd")

## The numbers of the methods: by name.
const NONE := 0
const ONE := 1
const THREE := 2

const COMMAND_MASK := 7
const REMOTE_CALL := 0


## A multiplayer API of its own below a node of the tree.
class Side:
	extends RefCounted
	var api := SceneMultiplayer.new()
	var peer: CapturedPeer
	var root := Node.new()
	var node := RpcNode.new()

	func _init(title: String, unique_id: int, other_id: int) -> void:
		var tree: SceneTree = Engine.get_main_loop()
		root.name = title
		node.name = "Called"
		root.add_child(node)
		# The root itself is busy while the tests run, the main scene is not.
		tree.root.get_child(-1).add_child(root)
		peer = CapturedPeer.new(unique_id, other_id)
		tree.set_multiplayer(api, root.get_path())
		api.multiplayer_peer = peer
		peer.peer_connected.emit(other_id)
		api.poll()

	## The calls that were sent since the last time.
	func take_calls() -> Array[PackedByteArray]:
		var calls: Array[PackedByteArray] = peer.sent.filter(
				func(packet: PackedByteArray) -> bool: return packet[0] & COMMAND_MASK == REMOTE_CALL)
		peer.sent.clear()
		return calls

	func free_nodes() -> void:
		root.free()
		api.multiplayer_peer = null


func test_the_engine_sends_what_we_encode() -> Outcome:
	var side := Side.new("Sender", 1, 2)
	var generator := ValueGenerator.new(options.rng_seed)
	var count := maxi(options.count / 20, 1)
	for index: int in count:
		var arguments := _arguments(generator)
		var encoded := Oracle.encode(arguments)
		_call_remote(side.node, arguments)
		var calls := side.take_calls()
		if not check_equal(calls.size(), 1, "packets"):
			break
		var packet := FastVariant.encode_rpc("Called", _method(arguments), arguments)
		check(packet == calls[0] or not Oracle.writes_node_path_padding(),
				"%s: expected %s, got %s" % [arguments, calls[0].hex_encode(), packet.hex_encode()])
		var decoded := FastVariant.decode_rpc(calls[0])
		check_equal(decoded.get("node"), "Called", "node")
		check_equal(decoded.get("method"), _method(arguments), "method")
		_check_same(Oracle.decode(encoded), decoded.get("arguments"))
	generator.free_objects()
	side.free_nodes()
	note("%d calls" % count)
	return DONE


func test_the_engine_takes_what_we_encode() -> Outcome:
	var side := Side.new("Receiver", 1, 2)
	var generator := ValueGenerator.new(options.rng_seed + 1)
	var count := maxi(options.count / 20, 1)
	for index: int in count:
		var arguments := _arguments(generator)
		side.peer.give(FastVariant.encode_rpc("Called", _method(arguments), arguments))
		Engine.print_error_messages = false
		side.api.poll()
		Engine.print_error_messages = true
		if not check_equal(side.node.received.size(), 1, "calls"):
			break
		_check_same(Oracle.decode(Oracle.encode(arguments)), side.node.received.pop_back())
	generator.free_objects()
	side.free_nodes()
	note("%d calls" % count)
	return DONE


## The first packet names the node by its path; when the other peer has confirmed the path, by a number.
func test_numbers_for_nodes() -> Outcome:
	var sender := Side.new("Sender", 1, 2)
	var receiver := Side.new("Receiver", 2, 1)
	sender.node.rpc(&"one", 7)
	# Path, confirmation, and the call itself: whatever is sent is delivered until nothing is.
	for step: int in 8:
		for packet in sender.peer.sent:
			receiver.peer.give(packet)
		for packet in receiver.peer.sent:
			sender.peer.give(packet)
		sender.peer.sent.clear()
		receiver.peer.sent.clear()
		sender.api.poll()
		receiver.api.poll()
	check_equal(receiver.node.received, [[7]], "the first call")
	sender.node.rpc(&"three", true, -2, "x")
	var calls := sender.take_calls()
	if check_equal(calls.size(), 1, "packets"):
		var decoded := FastVariant.decode_rpc(calls[0])
		check(decoded.get("node") is int, "the node is a number: %s" % decoded)
		check_equal(decoded.get("arguments"), [true, -2, "x"], "arguments")
		check_equal(FastVariant.encode_rpc(decoded.get("node"), THREE, [true, -2, "x"]), calls[0], "packet")
		receiver.peer.give(calls[0])
		receiver.api.poll()
		check_equal(receiver.node.received.back(), [true, -2, "x"], "the second call")
	sender.free_nodes()
	receiver.free_nodes()
	return DONE


func test_typed_arguments() -> Outcome:
	var arguments: Array[int] = [1, 2]
	check_equal(FastVariant.encode_rpc(1, 2, arguments), FastVariant.encode_rpc(1, 2, [1, 2]), "packet")
	return DONE


func test_kinds_of_paths() -> Outcome:
	var expected := FastVariant.encode_rpc("a/b", 2, [])
	check_equal(FastVariant.encode_rpc(^"a/b", 2, []), expected, "a NodePath")
	check_equal(FastVariant.encode_rpc(&"a/b", 2, []), expected, "a StringName")
	return DONE


func test_failures() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot 4.5 or newer is needed to count logged errors")
	for wrong: Callable in [
		func() -> void: check(FastVariant.encode_rpc(-1, 0, []).is_empty(), "a node -1"),
		func() -> void: check(FastVariant.encode_rpc(1 << 31, 0, []).is_empty(), "a node of 32 bits"),
		func() -> void: check(FastVariant.encode_rpc(1.5, 0, []).is_empty(), "a node 1.5"),
		func() -> void: check(FastVariant.encode_rpc(1, 65536, []).is_empty(), "a method of 17 bits"),
		func() -> void: check(FastVariant.encode_rpc(1, 0, range(256)).is_empty(), "256 arguments"),
		func() -> void: check(FastVariant.decode_rpc([]).is_empty(), "no bytes"),
		func() -> void: check(FastVariant.decode_rpc([1, 0, 0, 0]).is_empty(), "another command"),
		func() -> void: check(FastVariant.decode_rpc([0, 1, 2, 1, 0x42, 0]).is_empty(), "an int that is cut"),
	]:
		check_equal(LoggedErrors.of(wrong).size(), 1, "logged errors")
	return DONE


## What other players send: the result says what is wrong, and at which byte of the packet.
func test_packets_of_strangers() -> Outcome:
	var packet := FastVariant.encode_rpc("a/b", 2, [true, "text", [1, [2]]])
	var result := FastVariant.try_decode_rpc(packet, {strict = true})
	check(result.ok, result.message)
	check_equal(result.value, {node = "a/b", method = 2, arguments = [true, "text", [1, [2]]]}, "the call")
	check_equal(result.bytes_read, packet.size(), "its bytes")
	check_equal(FastVariant.try_decode_rpc(packet).value, FastVariant.decode_rpc(packet), "without options")
	for limit: Array in [["max_bytes", 20, "too_many_bytes", 0, ""], ["max_depth", 1, "too_deep", 36, "[2][1]"],
			["max_elements", 2, "too_many_elements", 36, "[2][1]"], ["max_string", 3, "text_too_long", 12, "[1]"],
			["max_string", 2, "text_too_long", packet.size() - 4, ""]]:
		var refused := FastVariant.try_decode_rpc(packet, {limit[0]: limit[1]})
		check_equal(refused.error, limit[2], "%s: %s" % [limit[0], refused.message])
		check_equal(refused.offset, limit[3], "%s: %s" % [limit[0], refused.message])
		check_equal(refused.path, limit[4], "%s: %s" % [limit[0], refused.message])
	var cut := FastVariant.try_decode_rpc([0, 1, 2, 1, 0x42, 0])
	check_equal([cut.error, cut.offset, cut.path], ["unexpected_end", 5, "[0]"], cut.message)
	check_equal(FastVariant.try_decode_rpc([1, 0, 0, 0]).error, "not_an_rpc", "another command")
	check_equal(FastVariant.try_decode_rpc([]).error, "unexpected_end", "no bytes")
	for option: Dictionary in [{offset = 4}, {allow_objects = true}, {dialect = 3}, {lossy = true}, {other = 1}]:
		check_equal(FastVariant.try_decode_rpc(packet, option).error, "invalid_option", str(option))
	return DONE


## 255 arguments have one table of names.
func test_names_that_collide_in_packets() -> Outcome:
	var packet: PackedByteArray = [0, 5, 2, 255]
	for argument: int in 255:
		var names: Array = []
		for number: int in 60:
			var text := ""
			for bit: int in 14:
				text += "a~" if ((argument * 60 + number) >> bit) & 1 else "b]"
			if argument % 2 == 0:
				names.append(StringName(text))
			else:
				names.append(NodePath(text))
		packet.append_array(FastVariant.encode(names))
	check_equal(FastVariant.try_decode_rpc(packet, {strict = true}).error, "too_many_collisions", "all together")
	return DONE


## The engine writes a freed object so that nobody can read it, and the arguments behind it are lost with it. Ours is null.
func test_freed_objects() -> Outcome:
	var side := Side.new("Sender", 1, 2)
	var holder: Array = [Node.new(), 7, false]
	var node: Node = holder[0]
	node.free()
	_call_remote(side.node, holder)
	var engines := side.take_calls()[0]
	var ours := FastVariant.encode_rpc("Called", THREE, holder)
	var path := "Called".to_utf8_buffer().hex_encode() + "00"
	check_equal(engines.hex_encode(), "200e000080" + "0203" + "18000000" + "0207" + "01" + path, "the engine's")
	check_equal(ours.hex_encode(), "200e000080" + "0203" + "00000000" + "0207" + "01" + path, "ours")
	Engine.print_error_messages = false
	side.peer.give(engines)
	side.api.poll()
	Engine.print_error_messages = true
	side.peer.give(ours)
	side.api.poll()
	check_equal(side.node.received, [[null, null, null], [null, 7, false]], "received")
	side.free_nodes()
	return DONE


## No arguments, and one PackedByteArray without bytes, are the same packet. The engine takes it as no arguments.
func test_empty_bytes() -> Outcome:
	var side := Side.new("Sender", 1, 2)
	side.node.rpc(&"one", PackedByteArray())
	var packet := side.take_calls()[0]
	check_equal(FastVariant.encode_rpc("Called", ONE, [PackedByteArray()]), packet, "with an argument")
	check_equal(FastVariant.encode_rpc("Called", ONE, []), packet, "without")
	check_equal(FastVariant.decode_rpc(packet).get("arguments"), [], "arguments")
	side.free_nodes()
	return DONE


## Without those that the engine itself cannot pass on: see the tests above.
func _arguments(generator: ValueGenerator) -> Array:
	var arguments := _any_arguments(generator)
	while arguments == [PackedByteArray()] or arguments.any(_is_null_object):
		arguments = _any_arguments(generator)
	return arguments


static func _is_null_object(value: Variant) -> bool:
	return typeof(value) == TYPE_OBJECT and not is_instance_valid(value)


func _any_arguments(generator: ValueGenerator) -> Array:
	if generator.numbers.one_in(4):
		# Of these there are few among values of all types, and each width has its own code.
		return [generator.numbers.integer() >> generator.numbers.below(64)]
	if generator.numbers.one_in(10):
		return []
	if generator.numbers.one_in(2):
		return [_any(generator)]
	return [_any(generator), generator.numbers.one_in(2), _any(generator)]


func _method(arguments: Array) -> int:
	return [NONE, ONE, -1, THREE][arguments.size()]


func _call_remote(node: Node, arguments: Array) -> void:
	Engine.print_error_messages = false
	node.callv(&"rpc", [["none", "one", "", "three"][arguments.size()]] + arguments)
	Engine.print_error_messages = true
