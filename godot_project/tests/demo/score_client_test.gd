extends "res://tests/test_suite.gd"
## The client of the demo against the real service in Rust, which scripts/test.sh has built.

const ScoreClient := preload("res://demo/score_client.gd")

## The path of the service's program.
const SERVICE_VARIABLE := "FV_TCP_SERVICE"
const PATIENCE_MS := 10_000


func test_a_game_and_a_service_in_rust() -> Outcome:
	var program := OS.get_environment(SERVICE_VARIABLE)
	if program.is_empty():
		return skip("%s is not set: scripts/test.sh builds the service and sets it" % SERVICE_VARIABLE)
	var service := OS.execute_with_pipe(program, ["127.0.0.1:0"])
	if not check(service.has("pid"), "the service starts"):
		return DONE
	var port := _port(service)
	if check(port > 0, "the service says where it listens"):
		_play(port)
		_say_nonsense(port)
		_use_the_engines_own_functions(port)
	var pid: int = service.pid
	OS.kill(pid)
	return DONE


func _play(port: int) -> void:
	var client := ScoreClient.new("127.0.0.1", port)
	check_equal(client.submit("Ada", 10, Vector2(1, 2)), 1, "rank of Ada")
	check_equal(client.submit("Bob", 5, Vector2(3, 4)), 2, "rank of Bob")
	check_equal(client.submit("Grüße 日本", 20, Vector2(-0.5, 1e9)), 1, "rank of the third")
	check_equal(client.top(2), [
		{"player": "Grüße 日本", "score": 20, "at": Vector2(-0.5, 1e9)},
		{"player": "Ada", "score": 10, "at": Vector2(1, 2)},
	], "the best two")
	check_equal(client.error, "", "error")
	client.close()


func _say_nonsense(port: int) -> void:
	var client := ScoreClient.new("127.0.0.1", port)
	client.ask({"Submit": {"player": "Eve", "score": "many"}})
	check(client.error.begins_with("invalid type: string \"many\", expected i64"), client.error)
	check(client.error.contains("in [\"Submit\"][\"score\"]"), client.error)
	client.close()


func _use_the_engines_own_functions(port: int) -> void:
	var peer := StreamPeerTCP.new()
	peer.connect_to_host("127.0.0.1", port)
	while peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
		peer.poll()
	peer.put_var({"Top": 1})
	var answer: Dictionary = peer.get_var()
	check_equal(answer.keys(), ["Top"], "the answer to put_var")
	peer.disconnect_from_host()


## From the line that the service prints: `listening on 127.0.0.1:12345`.
func _port(service: Dictionary) -> int:
	var output: FileAccess = service.stdio
	var line := ""
	var deadline := Time.get_ticks_msec() + PATIENCE_MS
	while not line.contains(":") and Time.get_ticks_msec() < deadline:
		line += output.get_line()
		OS.delay_msec(1)
	return line.get_slice(":", 1).to_int()
