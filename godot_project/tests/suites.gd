extends RefCounted
## All test suites, in the order in which they run: those that run everywhere first. (An exported build cannot list its own scripts.)

const EVERYWHERE: Dictionary[String, GDScript] = {
	"api/encode_decode": preload("res://tests/api/encode_decode_test.gd"),
	"api/failures": preload("res://tests/api/failures_test.gd"),
	"api/limits": preload("res://tests/api/limits_test.gd"),
	"api/collisions": preload("res://tests/api/collisions_test.gd"),
	"api/dialects": preload("res://tests/api/dialects_test.gd"),
	"api/batch": preload("res://tests/api/batch_test.gd"),
	"api/backend": preload("res://tests/api/backend_test.gd"),
	"api/calls": preload("res://tests/api/calls_test.gd"),
	"api/changing_values": preload("res://tests/api/changing_values_test.gd"),
	"api/large_values": preload("res://tests/api/large_values_test.gd"),
	"api/salvage": preload("res://tests/api/salvage_test.gd"),
	"api/view": preload("res://tests/api/view_test.gd"),
	"api/threads": preload("res://tests/api/threads_test.gd"),
	"api/workers": preload("res://tests/api/workers_test.gd"),
	"api/leaks": preload("res://tests/api/leaks_test.gd"),
	"memory/peak": preload("res://tests/memory/peak_test.gd"),
	"framing/file": preload("res://tests/framing/file_test.gd"),
	"framing/encrypted_godot3": preload("res://tests/framing/encrypted_godot3_test.gd"),
	"framing/save_file": preload("res://tests/framing/save_file_test.gd"),
	"framing/stream": preload("res://tests/framing/stream_test.gd"),
	"framing/rpc": preload("res://tests/framing/rpc_test.gd"),
	"api/inspect": preload("res://tests/api/inspect_test.gd"),
	"o3de/values": preload("res://tests/o3de/values_test.gd"),
	"o3de/classes": preload("res://tests/o3de/classes_test.gd"),
	"o3de/hostile": preload("res://tests/o3de/hostile_test.gd"),
	"o3de/straight": preload("res://tests/o3de/straight_test.gd"),
	"schema/compact": preload("res://tests/schema/compact_test.gd"),
	"lint/scene_linter": preload("res://tests/lint/scene_linter_test.gd"),
	"demo/score_client": preload("res://tests/demo/score_client_test.gd"),
	"lint/scene_safety": preload("res://tests/lint/scene_safety_test.gd"),
	"lint/engine_claims": preload("res://tests/lint/engine_claims_test.gd"),
	"demo/scenes": preload("res://tests/demo/scenes_test.gd"),
	"identity/depth": preload("res://tests/identity/depth_test.gd"),
	"identity/values": preload("res://tests/identity/values_test.gd"),
	"identity/long_arrays": preload("res://tests/identity/long_arrays_test.gd"),
	"identity/unfilled_arrays": preload("res://tests/identity/unfilled_arrays_test.gd"),
	"identity/large_values": preload("res://tests/identity/large_values_test.gd"),
	"identity/bytes": preload("res://tests/identity/bytes_test.gd"),
	"identity/view": preload("res://tests/identity/view_test.gd"),
	"identity/threads": preload("res://tests/identity/threads_test.gd"),
}

## Those for the editor's program, which has the larger library, and for exported games. The last calls everything, so that
## the linter knows the whole project afterwards.
const OF_EDITOR: Dictionary[String, GDScript] = {
	"lint/scene_linter_in_editor": preload("res://tests/lint/scene_linter_in_editor_test.gd"),
	"lint/scene_rewriter": preload("res://tests/lint/scene_rewriter_test.gd"),
	"lint/scene_refactoring": preload("res://tests/lint/scene_refactoring_test.gd"),
	"lint/scene_edit": preload("res://tests/lint/scene_edit_test.gd"),
	"api/arguments": preload("res://tests/api/arguments_test.gd"),
}
const OF_GAME: Dictionary[String, GDScript] = {
	"lint/scene_linter_in_game": preload("res://tests/lint/scene_linter_in_game_test.gd"),
	"api/arguments": preload("res://tests/api/arguments_test.gd"),
}


## Those that can run here.
static func here() -> Dictionary[String, GDScript]:
	return EVERYWHERE.merged(OF_EDITOR if OS.has_feature("editor") else OF_GAME)
