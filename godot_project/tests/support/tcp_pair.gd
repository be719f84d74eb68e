extends RefCounted
## Both ends of a TCP connection of this machine with itself.

## So many bytes fit into the buffers of the connection, so that one thread can send them and then receive them.
const SAFE_SIZE := 30_000
const PATIENCE_MS := 10_000

var client := StreamPeerTCP.new()
var server: StreamPeerTCP = null


func _init(big_endian: bool) -> void:
	var listener := TCPServer.new()
	if listener.listen(0, "127.0.0.1") != OK:
		return
	client.connect_to_host("127.0.0.1", listener.get_local_port())
	var deadline := Time.get_ticks_msec() + PATIENCE_MS
	while not is_connected_to_itself() and Time.get_ticks_msec() < deadline:
		OS.delay_msec(1)
		client.poll()
		if server == null and listener.is_connection_available():
			server = listener.take_connection()
	listener.stop()
	client.big_endian = big_endian
	client.set_no_delay(true)
	if server != null:
		server.big_endian = big_endian


func is_connected_to_itself() -> bool:
	return server != null and client.get_status() == StreamPeerTCP.STATUS_CONNECTED


func close() -> void:
	client.disconnect_from_host()
	server.disconnect_from_host()
