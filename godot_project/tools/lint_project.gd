## Prints what `SceneLinter.lint_project()` finds in the project that the engine runs in, one line for each diagnostic, for
## scripts/test_same_diagnostics.sh.
extends SceneTree

const DONE := "lint project: DONE"


func _init() -> void:
	_lint.call_deferred()


func _lint() -> void:
	while not SceneLinter.read_classes():
		await process_frame
	var job := SceneLinter.lint_project()
	if not job.is_finished():
		await job.finished
	for diagnostic: SceneDiagnostic in job.diagnostics():
		print("found: ", diagnostic.describe())
	print(DONE)
	quit()
