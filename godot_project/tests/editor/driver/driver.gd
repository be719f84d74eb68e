@tool
extends EditorPlugin
## Does in a running editor what a user would do, suite by suite. What our plugin prints about the scenes is checked by
## scripts/test/editor/plugin.sh. The environment variable FV_EDITOR_SUITE names the only suite to run.

const Suite := preload("suite.gd")
const SUITES: Array[GDScript] = [
	preload("suites/saving.gd"),
	preload("suites/help.gd"),
	preload("suites/settings.gd"),
	preload("suites/classes.gd"),
	preload("suites/configuration.gd"),
	preload("suites/panel.gd"),
	preload("suites/badges.gd"),
	preload("suites/many_problems.gd"),
	preload("suites/toasts.gd"),
	preload("suites/audit.gd"),
	preload("suites/repairs.gd"),
	preload("suites/writing.gd"),
	preload("suites/text.gd"),
	preload("suites/menus.gd"),
	preload("suites/refactorings.gd"),
	preload("suites/cleaning.gd"),
	preload("suites/merging.gd"),
	preload("suites/comparing.gd"),
	preload("suites/background.gd"),
	preload("suites/whole_project.gd"),
	preload("suites/switching.gd"),
	preload("suites/language.gd"),
]
const SUCCESS := "editor plugin test: SUCCESS"

var _failed := false


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	# So that what is saved is judged at once.
	var end := Time.get_ticks_msec() + Suite.PATIENCE
	while not _is_ready() and Time.get_ticks_msec() < end:
		await get_tree().process_frame
	var only := OS.get_environment("FV_EDITOR_SUITE")
	for script: GDScript in SUITES:
		if not only.is_empty() and script.resource_path.get_file().get_basename() != only:
			continue
		var suite: Suite = script.new()
		add_child(suite)
		await suite.run()
		_failed = _failed or not suite.failures.is_empty()
		suite.queue_free()
	if not _failed:
		print(SUCCESS)
	get_tree().quit(1 if _failed else 0)


func _is_ready() -> bool:
	return (
		not EditorInterface.get_resource_filesystem().is_scanning()
		and ClassDB.class_call_static(&"SceneLinter", &"is_project_ready")
	)
