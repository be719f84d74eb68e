## Prints what `SceneLinter.lint_project()` finds in the project that the engine runs in, one line for each diagnostic, for
## scripts/test/editor/same_diagnostics.sh.
## Its types are written out, as a project may treat inferred ones as errors.
extends SceneTree

const DONE: String = "lint project: DONE"


func _init() -> void:
	_lint.call_deferred()


func _lint() -> void:
	while not ClassDB.class_call_static(&"SceneLinter", &"_read_classes"):
		await process_frame
	var job: SceneLintJob = SceneLinter.lint_project()
	if not job.is_finished():
		await job.finished
	for diagnostic: SceneDiagnostic in job.diagnostics():
		print("found: ", diagnostic.describe())
	print(DONE)
	quit()
