@tool
extends EditorPlugin
## Does in a running editor what a user would do, suite by suite. What our plugin prints about the scenes is checked by
## scripts/test/editor/plugin.sh. The environment variable FV_EDITOR_SUITE names the suites to run,
## with commas between.

const Suite := preload("suite.gd")
const SUITES: Array[GDScript] = [
	preload("suites/saving.gd"),
	preload("suites/help.gd"),
	preload("suites/settings.gd"),
	preload("suites/classes.gd"),
	preload("suites/configuration.gd"),
	preload("suites/panel.gd"),
	preload("suites/root_causes.gd"),
	preload("suites/badges.gd"),
	preload("suites/gutter.gd"),
	preload("suites/many_problems.gd"),
	preload("suites/toasts.gd"),
	preload("suites/audit.gd"),
	preload("suites/overwriting.gd"),
	preload("suites/connecting.gd"),
	preload("suites/repairs.gd"),
	preload("suites/writing.gd"),
	preload("suites/text.gd"),
	preload("suites/reading.gd"),
	preload("suites/menus.gd"),
	preload("suites/refactorings.gd"),
	preload("suites/cleaning.gd"),
	preload("suites/exporting.gd"),
	preload("suites/merging.gd"),
	preload("suites/git_merging.gd"),
	preload("suites/comparing.gd"),
	preload("suites/background.gd"),
	preload("suites/whole_project.gd"),
	preload("suites/switching.gd"),
	preload("suites/language.gd"),
]
const SUCCESS := "editor plugin test: SUCCESS"

var _failed := false


func _enter_tree() -> void:
	get_tree().node_added.connect(_draw_on_this_thread)
	_run.call_deferred()


func _run() -> void:
	# So that what is saved is judged at once.
	var end := Time.get_ticks_msec() + Suite.PATIENCE
	while not _is_ready() and Time.get_ticks_msec() < end:
		await get_tree().process_frame
	if not _has_addon():
		print("FAIL  the addon did not load: Godot's errors above say why")
		get_tree().quit(1)
		return
	var only := OS.get_environment("FV_EDITOR_SUITE")
	for script: GDScript in SUITES:
		if not only.is_empty() and script.resource_path.get_file().get_basename() not in only.split(","):
			continue
		var suite: Suite = script.new()
		add_child(suite)
		await suite.run()
		_failed = _failed or not suite.failures.is_empty()
		suite.queue_free()
	if not _failed:
		print(SUCCESS)
	get_tree().quit(1 if _failed else 0)


## Godot 4.6's help lays texts out on a thread of its own, and crashes at times when a test opens another page meanwhile.
func _draw_on_this_thread(node: Node) -> void:
	var label := node as RichTextLabel
	if label != null:
		label.set_deferred("threaded", false)


## Without the addon, each suite would wait for it until its patience ends.
func _has_addon() -> bool:
	return not get_tree().root.find_children("*", "", true, false).filter(is_instance_of.bind(Suite.Parts)).is_empty()


func _is_ready() -> bool:
	return (
		not EditorInterface.get_resource_filesystem().is_scanning()
		and ClassDB.class_call_static(&"SceneLinter", &"is_project_ready")
	)
