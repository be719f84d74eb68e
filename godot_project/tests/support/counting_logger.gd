extends Logger
## Keeps what is logged as an error or a warning. Errors can come from any thread.

var errors: PackedStringArray = []
var _mutex := Mutex.new()


func _log_error(_function: String, _file: String, _line: int, code: String, rationale: String, _editor_notify: bool,
		_error_type: int, _script_backtraces: Array[ScriptBacktrace]) -> void:
	_mutex.lock()
	errors.append(code if rationale.is_empty() else rationale)
	_mutex.unlock()
