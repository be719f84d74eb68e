extends RefCounted
## The game's side of the service in rust/examples/tcp-service: asks, and waits for the answer.
##
##   var client := ScoreClient.new("127.0.0.1", 7878)
##   print(client.submit("Ada", 120, Vector2(3, 4)))
##   print(client.top(10))
##
## A game that must not wait calls `poll` in each frame and takes the answers when they come.

const PATIENCE_MS := 5000

## What the service has said to a message that it did not understand, or why there is no connection.
var error: String = ""

var _peer := StreamPeerTCP.new()
var _stream := VariantStream.new()


func _init(host: String, port: int) -> void:
	_peer.connect_to_host(host, port)
	var deadline := Time.get_ticks_msec() + PATIENCE_MS
	while _peer.get_status() == StreamPeerTCP.STATUS_CONNECTING and Time.get_ticks_msec() < deadline:
		OS.delay_msec(1)
		_peer.poll()
	if _peer.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		error = "no connection to %s:%d" % [host, port]


## The place of the score, 1 for the best, or -1 if there is no answer.
func submit(player: String, score: int, at: Vector2) -> int:
	var rank: Variant = ask({"Submit": {"player": player, "score": score, "at": at}}).get("Rank")
	return rank if rank is int else -1


## The best scores, each a Dictionary with the keys player, score and at.
func top(count: int) -> Array:
	var scores: Variant = ask({"Top": count}).get("Top")
	return scores if scores is Array else []


## Sends any message and returns the answer, or an empty one.
func ask(message: Variant) -> Dictionary:
	if not _stream.send(_peer, message):
		error = "the connection is lost"
		return {}
	var deadline := Time.get_ticks_msec() + PATIENCE_MS
	while not _stream.has_value():
		if not poll() or Time.get_ticks_msec() > deadline:
			error = "no answer: %s" % _stream.message
			return {}
		OS.delay_msec(1)
	var answer: Variant = _stream.pop()
	if answer is not Dictionary:
		error = "an answer that is no Dictionary"
		return {}
	var answered: Dictionary = answer
	error = answered.get("Refused", "")
	return answered


## Takes what has come so far. False if the connection has ended.
func poll() -> bool:
	_peer.poll()
	return _stream.receive(_peer) and _peer.get_status() == StreamPeerTCP.STATUS_CONNECTED


func close() -> void:
	_peer.disconnect_from_host()
