extends MultiplayerPeerExtension
## One of two multiplayer peers in the same process: it keeps what its own side sends, and receives what it is given.

var sent: Array[PackedByteArray] = []
var _incoming: Array[PackedByteArray] = []
var _unique_id: int
var _other_id: int


func _init(unique_id: int, other_id: int) -> void:
	_unique_id = unique_id
	_other_id = other_id


func give(packet: PackedByteArray) -> void:
	_incoming.append(packet)


func _put_packet_script(packet: PackedByteArray) -> Error:
	sent.append(packet)
	return OK


func _get_packet_script() -> PackedByteArray:
	return _incoming.pop_front()


func _get_available_packet_count() -> int:
	return _incoming.size()


func _get_packet_peer() -> int:
	return _other_id


func _get_packet_channel() -> int:
	return 0


func _get_packet_mode() -> TransferMode:
	return TRANSFER_MODE_RELIABLE


func _get_max_packet_size() -> int:
	return 1 << 24


func _get_unique_id() -> int:
	return _unique_id


func _get_connection_status() -> ConnectionStatus:
	return CONNECTION_CONNECTED


func _get_transfer_channel() -> int:
	return 0


func _get_transfer_mode() -> TransferMode:
	return TRANSFER_MODE_RELIABLE


func _is_server() -> bool:
	return _unique_id == 1


func _is_server_relay_supported() -> bool:
	return false


func _is_refusing_new_connections() -> bool:
	return false


func _set_refuse_new_connections(_enable: bool) -> void:
	pass


func _set_target_peer(_peer: int) -> void:
	pass


func _set_transfer_channel(_channel: int) -> void:
	pass


func _set_transfer_mode(_mode: TransferMode) -> void:
	pass


func _poll() -> void:
	pass


func _close() -> void:
	pass


func _disconnect_peer(_peer: int, _force: bool) -> void:
	pass
