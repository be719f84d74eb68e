@tool
extends "../suite.gd"
## The editor's own help on the classes of the library: complete, as it was written, and with samples that run.

const ClassHelp := preload("../class_help.gd")

## Each class of the library, and one of its members.
const DOCUMENTED := {
	"FastVariant": "encode_with_objects",
	"FastVariantResult": "bytes_read",
	"VariantView": "get_path",
	"VariantStream": "try_pop",
	"FastVariantSchema": "encode_rows",
	"O3deJson": "store_file",
	"O3deJsonResult": "issues",
	"SceneLinter": "lint_text",
	"SceneDiagnostic": "severity",
	"SceneFix": "applicability",
	"SceneLintJob": "diagnostics_of",
	"SceneRewriter": "ignore_rule",
	"SceneRewriteResult": "is_changed",
	"SceneRefactoring": "leave_out",
	"ScenePlace": "is_optional",
	"SceneSafety": "reasons",
}
## What is for the addon alone.
const INTERNAL: PackedStringArray = [
	"SceneLoss", " _lost", " _mentions", " _read_classes", " _forget_classes", " _fingerprints", " _write_file",
	" _configuration_error_of", " _lint_text_in_background",
]
## What would be left of Markdown, or is made of what looks like it.
const MARKDOWN: PackedStringArray = ["```", "**", "`", "[i]"]
const SAMPLE_COUNT := 28

## What samples take for granted.
const BEFORE_SAMPLES := """@tool
extends Node
@warning_ignore_start("unused_variable", "untyped_declaration", "unsafe_method_access", "unsafe_call_argument")
@warning_ignore_start("unsafe_property_access", "unused_parameter", "unsafe_cast", "shadowed_variable")
enum Flags { FIRE = 1, WATER = 2 }
var received: Array = []
func receive(first: Variant, second: Variant = null) -> void:
	received.append([first, second])
func handle(value: Variant) -> void:
	received.append(value)
"""
## Names that samples take for granted unless they declare them.
const NAMES: Dictionary[String, String] = {
	"bytes": "PackedByteArray",
	"packet": "PackedByteArray",
	"paths": "PackedStringArray",
	"text": "String",
	"resolver": "Callable",
	"saved_game": "Dictionary",
	"peer": "StreamPeerTCP",
}
const SAVE := "user://save.bin"
## The pages that the site of the documentation begins with, which `scripts/test/editor/plugin.sh` puts here.
const PAGES := "res://driver/pages"
const PAGE_SAMPLES := 11


func test_help() -> void:
	for documented: String in DOCUMENTED:
		await _check_page(documented)


## The editor shows nothing in the place of an icon that it cannot load.
func test_icons() -> void:
	var configuration := ConfigFile.new()
	var extensions := GDExtensionManager.get_loaded_extensions()
	check_equal(configuration.load(extensions[0]), OK, "the extension's file")
	var with_icon := configuration.get_section_keys("icons")
	for documented: String in DOCUMENTED:
		check(documented in with_icon, "%s has an icon" % documented)
	for type: String in with_icon:
		check(type in DOCUMENTED, "%s, which has an icon, is a class" % type)
		var file: String = configuration.get_value("icons", type)
		var icon := load(extensions[0].get_base_dir().path_join(file)) as Texture2D
		check(icon != null and icon.get_width() == int(16 * EditorInterface.get_editor_scale()), "the icon of %s" % type)


## What the engine was given.
func test_markup() -> void:
	var samples := 0
	for documented: String in DOCUMENTED:
		var help := ClassHelp.read(documented)
		check(not help.texts.is_empty(), "there is help on %s" % documented)
		for text in help.texts:
			for word in MARKDOWN:
				check(not ClassHelp.without_samples(text).contains(word), "`%s` in the help on %s: %s" % [word, documented, text.left(300)])
		for sample in help.samples:
			check(not sample.contains("[br]"), "breaks in a sample: %s" % sample)
			for line in sample.split("\n"):
				var indentation := line.length() - line.dedent().length()
				check(indentation % 4 == 0, "the indentation of `%s` in %s" % [line, documented])
		samples += help.samples.size()
	check(samples >= SAMPLE_COUNT, "there are samples: %d" % samples)


func test_samples_can_be_compiled() -> void:
	for documented: String in DOCUMENTED:
		for sample in ClassHelp.read(documented).samples:
			check(_compiled(sample) != null, "a sample of %s: %s" % [documented, sample])


func test_samples_of_pages_can_be_compiled() -> void:
	var count := 0
	for file in DirAccess.get_files_at(PAGES):
		var text := FileAccess.get_file_as_string(PAGES.path_join(file))
		for part in text.split("```gdscript\n").slice(1):
			var sample := part.get_slice("\n```", 0)
			check(_compiled(sample) != null, "a sample of the page %s: %s" % [file, sample])
			count += 1
	check(count >= PAGE_SAMPLES, "there are samples on pages: %d" % count)


func test_enet() -> void:
	var server := _recipe("ENetMultiplayerPeer.new()")
	var client := _recipe("ENetMultiplayerPeer.new()")
	var of_server: ENetMultiplayerPeer = server.get(&"peer")
	var of_client: ENetMultiplayerPeer = client.get(&"peer")
	of_server.set_bind_ip("127.0.0.1")
	check_equal(of_server.create_server(0, 4), OK, "a server")
	check_equal(of_client.create_client("127.0.0.1", of_server.host.get_local_port()), OK, "a client")
	add_child(server)
	add_child(client)
	await until(func() -> bool:
		return of_client.get_connection_status() == MultiplayerPeer.CONNECTION_CONNECTED, "the connection")
	client.call(&"send", {"hp": 3})
	await until(func() -> bool: return not _received(server).is_empty(), "a packet over ENet")
	check_equal(_received(server), [[of_client.get_unique_id(), {"hp": 3}]], "what came over ENet")
	of_client.close()
	of_server.close()
	server.free()
	client.free()


func test_web_socket() -> void:
	var server := _recipe("WebSocketPeer.new()")
	var client := _recipe("WebSocketPeer.new()")
	var of_server: WebSocketPeer = server.get(&"socket")
	var of_client: WebSocketPeer = client.get(&"socket")
	var listener := TCPServer.new()
	check_equal(listener.listen(0, "127.0.0.1"), OK, "a server")
	check_equal(of_client.connect_to_url("ws://127.0.0.1:%d" % listener.get_local_port()), OK, "a client")
	add_child(client)
	await until(listener.is_connection_available, "a connection")
	check_equal(of_server.accept_stream(listener.take_connection()), OK, "it is taken")
	add_child(server)
	await until(func() -> bool: return of_client.get_ready_state() == WebSocketPeer.STATE_OPEN, "the handshake")
	client.call(&"send", {"hp": 3})
	await until(func() -> bool: return not _received(server).is_empty(), "a packet over a WebSocket")
	check_equal(_received(server), [[{"hp": 3}, null]], "what came over a WebSocket")
	of_client.close()
	server.free()
	client.free()


func test_send_bytes() -> void:
	var peers: Array[ENetMultiplayerPeer] = [ENetMultiplayerPeer.new(), ENetMultiplayerPeer.new()]
	peers[0].set_bind_ip("127.0.0.1")
	check_equal(peers[0].create_server(0, 4), OK, "a server")
	check_equal(peers[1].create_client("127.0.0.1", peers[0].host.get_local_port()), OK, "a client")
	var nodes: Array[Node] = []
	for index: int in 2:
		var api := SceneMultiplayer.new()
		var root := Node.new()
		add_child(root)
		get_tree().set_multiplayer(api, root.get_path())
		api.multiplayer_peer = peers[index]
		var node := _recipe("api.send_bytes")
		root.add_child(node)
		nodes.append(node)
	await until(func() -> bool: return not nodes[1].multiplayer.get_peers().is_empty(), "the connection")
	nodes[1].call(&"send", {"hp": 3})
	await until(func() -> bool: return not _received(nodes[0]).is_empty(), "a packet of send_bytes")
	check_equal(_received(nodes[0]), [[peers[1].get_unique_id(), {"hp": 3}]], "what came by send_bytes")
	for index: int in [1, 0]:
		var root := nodes[index].get_parent()
		peers[index].close()
		get_tree().set_multiplayer(null, root.get_path())
		root.free()


func test_threads() -> void:
	var node := _recipe("WorkerThreadPool.add_task")
	DirAccess.remove_absolute(SAVE)
	node.call(&"save_in_background", {"level": 3})
	await until(func() -> bool: return FastVariant.load_file(SAVE).ok, "the saved file")
	check_equal(FastVariant.load_file(SAVE).value, {"level": 3}, "what was saved")
	# Until then, another thread uses the node.
	await until(func() -> bool: return node.get(&"task") == -1, "the end of the task")
	node.free()
	DirAccess.remove_absolute(SAVE)


func test_saves() -> void:
	var node := _recipe("func save_game")
	DirAccess.remove_absolute(SAVE)
	check_equal(node.call(&"load_game"), {}, "a new game")
	node.call(&"save_game", {"level": 3})
	node.call(&"save_game", {"level": 4})
	check_equal(node.call(&"load_game"), {"level": 4}, "the saved game")
	check_equal(FastVariant.load_file(SAVE + ".bak").value, {"level": 3}, "the one before")
	node.free()
	DirAccess.remove_absolute(SAVE)
	DirAccess.remove_absolute(SAVE + ".bak")


## What F1 shows: a page on the class, with a description of the class and of each method, and the samples as they are.
func _check_page(documented: String) -> void:
	EditorInterface.get_script_editor().goto_help("class_name:" + documented)
	await until(func() -> bool: return not _help_text(documented).is_empty(), "the help on %s" % documented)
	var text := _help_text(documented)
	var word: String = DOCUMENTED[documented]
	check(text.contains(word), "the help on %s mentions %s: %s" % [documented, word, text.left(500)])
	check(not text.contains("There is currently no description"), "all of %s has a description: %s" % [documented, text])
	for internal in INTERNAL:
		check(not text.contains(internal), "%s is not in the help on %s" % [internal, documented])
	for sample in ClassHelp.read(documented).samples:
		check(text.contains(sample), "the page on %s has the sample\n%s\nin\n%s" % [documented, sample, text])


func _help_text(documented: String) -> String:
	for help: Node in EditorInterface.get_script_editor().find_children("*", "EditorHelp", true, false):
		if help.name == documented:
			for label: Node in help.find_children("*", "RichTextLabel", true, false):
				var rich: RichTextLabel = label
				if not rich.get_parsed_text().is_empty():
					return rich.get_parsed_text()
	return ""


## A node with the script of the sample that contains `word`.
func _recipe(word: String) -> Node:
	for sample in ClassHelp.read("FastVariant").samples:
		if sample.contains(word):
			var node: Node = _compiled(sample).new()
			return node
	fail("there is no sample with %s" % word)
	return null


## The script of a sample: declarations, or the body of a function. Null if it is not valid.
func _compiled(sample: String) -> GDScript:
	var script := GDScript.new()
	var code := sample.replace("    ", "\t")
	var before := BEFORE_SAMPLES
	for known: String in NAMES:
		if not code.contains("var %s " % known):
			before += "var %s: %s\n" % [known, NAMES[known]]
	if code.begins_with("class_name "):
		var inner := code.get_slice("\n", 0).replace("class_name", "class") + ":\n"
		script.source_code = before + inner + code.substr(code.find("\n") + 1).indent("\t") + "\n"
	elif ("\n" + code).contains("\nfunc "):
		script.source_code = before + code + "\n"
	else:
		script.source_code = before + "func sample() -> void:\n%s\n" % code.indent("\t")
	return script if script.reload() == OK else null


func _received(node: Node) -> Array:
	return node.get(&"received")
