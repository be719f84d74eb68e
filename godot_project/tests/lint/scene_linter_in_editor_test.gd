extends "res://tests/test_suite.gd"
## What `SceneLinter` does in the editor only: the rules for projects, many files in the background, and what a save dropped.

const GOOD := """[gd_scene format=3]

[node name="Root" type="Node"]

[node name="Child" type="Node" parent="."]
"""
const BROKEN := """[gd_scene format=3]

[ext_resource type="Script" path="res://a.gd" id="1"]

[node name="Root" type="Node"]
script = ExtResource("2")

[node name="Child" type="Node" parent="Missing"]
"""

const LoggedErrors := preload("res://tests/support/logged_errors.gd")

## So many files take long enough to be looked at meanwhile.
const MANY := 20_000


var _job: SceneLintJob


## A handler gives up the last reference, and uses the job before.
func test_a_job_that_nobody_keeps() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("needs Logger, which is new in Godot 4.5")
	_job = SceneLinter.lint_paths([_written("kept.tscn", GOOD)])
	var counts: Array[int] = []
	_job.progress.connect(func(_done: int, _total: int) -> void: _job.poll())
	_job.finished.connect(func() -> void:
		_job.wait()
		_job.cancel()
		counts.append(_job.done_count())
		_job = null)
	check_equal(LoggedErrors.of(func() -> void: _job.wait()), PackedStringArray(), "logged")
	check_equal(counts, [1] as Array[int], "finished once")
	return DONE


func test_many_files_in_the_background() -> Outcome:
	var paths: PackedStringArray = []
	for index in 40:
		paths.append(_written("many_%d.tscn" % index, GOOD if index % 2 == 0 else BROKEN))
	paths.append("user://there_is_none.tscn")
	var job := SceneLinter.lint_paths(paths)
	var steps: Array[int] = []
	var ends: Array[int] = []
	job.progress.connect(func(done: int, total: int) -> void: steps.append(done if total == 41 else -1))
	# A listener may ask for what was found. It holds the job, which holds the listener until it is called.
	job.finished.connect(func() -> void: ends.append(job.diagnostics().size()), CONNECT_ONE_SHOT)
	job.wait()
	check(job.is_finished(), "is finished")
	check_equal(job.done_count(), 41, "done")
	check_equal(steps, [41] as Array[int], "progress")
	var in_each := SceneLinter.lint_text(BROKEN, "").size()
	check_equal(ends, [20 * in_each + 1] as Array[int], "what was found when it had finished")
	var last: SceneDiagnostic = job.diagnostics()[-1]
	check_equal(last.code, "FILE", "of no file")
	check_equal(job.diagnostics()[0].path, "user://many_1.tscn", "in the order of the paths")
	return DONE


## For the addon alone, so that they are reached by name.
func test_a_text_in_the_background() -> Outcome:
	for text: String in [GOOD, BROKEN]:
		var job: SceneLintJob = ClassDB.class_call_static(&"SceneLinter", &"_lint_text_in_background", text, "user://typed.tscn")
		job.wait()
		check_equal(_described(job.diagnostics()), _described(SceneLinter.lint_text(text, "user://typed.tscn")), "what was found")
		check_equal(job.paths(), PackedStringArray(["user://typed.tscn"]), "the path")
	return DONE


func test_a_text_of_the_configuration() -> Outcome:
	var found: Dictionary = ClassDB.class_call_static(&"SceneLinter", &"_configuration_error_of", "ignore = []\nignor = []\n")
	check_equal(found.get("line"), 2, "the line")
	check(str(found.get("message")).contains("did you mean `ignore`?"), "the message: %s" % found)
	found = ClassDB.class_call_static(&"SceneLinter", &"_configuration_error_of", "ignore = []\n")
	check_equal(found, {}, "of a right text")
	return DONE


func test_a_job_that_is_cancelled_or_dropped() -> Outcome:
	var paths := _many_paths()
	SceneLinter.lint_paths(paths).cancel()
	var job := SceneLinter.lint_paths(paths)
	var ends: Array[int] = []
	job.finished.connect(func() -> void: ends.append(job.done_count()), CONNECT_ONE_SHOT)
	job.cancel()
	job.wait()
	check(job.is_finished(), "is finished")
	check(job.done_count() < MANY, "files are left out: %d of %d are done" % [job.done_count(), MANY])
	check_equal(ends, [job.done_count()] as Array[int], "the end was told once")
	var in_each := SceneLinter.lint_text(BROKEN, "").size()
	check_equal(job.diagnostics().size(), job.done_count() * in_each, "what was found in the files that are done")
	return DONE


func test_progress_while_a_job_runs() -> Outcome:
	var job := SceneLinter.lint_paths(_many_paths())
	var steps: Array[int] = []
	var while_running: Array[int] = []
	var listener := func(done: int, total: int) -> void:
		steps.append(done)
		if done < total and not job.is_finished():
			while_running.append(done)
	job.progress.connect(listener)
	while not job.is_finished():
		job.poll()
		OS.delay_usec(500)
	job.wait()
	check(not while_running.is_empty(), "progress is told while it runs: %s" % [steps.slice(0, 20)])
	check_equal(steps.back(), MANY, "the last step")
	for index in range(1, steps.size()):
		if steps[index] <= steps[index - 1]:
			check(false, "it goes forward: %d after %d" % [steps[index], steps[index - 1]])
	# The listener holds the job, which holds the listener.
	job.progress.disconnect(listener)
	return DONE


func test_whole_project() -> Outcome:
	var text := BROKEN.replace("ExtResource(\"2\")", "ExtResource(\"1\")")
	check(SceneLinter.has_project(), "there is a folder")
	var until := Time.get_ticks_msec() + 30_000
	while not SceneLinter.is_project_ready() and Time.get_ticks_msec() < until:
		OS.delay_msec(10)
	check(SceneLinter.is_project_ready(), "the project is read")
	check(_codes(SceneLinter.lint_text(text, "res://a.tscn")).has("RES001"), "the file that is not there is missed")
	check(not _codes(SceneLinter.lint_text(text, "user://a.tscn")).has("RES001"), "not of the project")
	check(SceneLinter.codes().has("SIG003"), "the rules for projects are among all")
	return DONE


func test_losses() -> Outcome:
	var after := "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n"
	var before := after.replace("\n\n", "\n\n; why\n") + "gone = 1\n"
	var found: Array[String] = []
	for loss: RefCounted in _losses(&"_lost", before, after):
		var parts: Array = [&"line", &"kind", &"cause", &"node_path", &"name"].map(loss.get)
		found.append("%d %s %s %s %s" % parts)
	check_equal(found, ["3 comment not-kept  ; why", "5 property unclear . gone"] as Array[String], "losses")
	var job: RefCounted = _losses(&"_lost_in_background", before, after)
	var in_background: Array = job.call(&"losses")
	check_equal(in_background.size(), 2, "losses found in the background")
	check_equal(job.call(&"is_finished"), true, "the job is finished")
	var none: Array = ClassDB.class_call_static(&"SceneLinter", &"_lost", PackedByteArray([255, 0]), PackedByteArray())
	check_equal(none.size(), 0, "losses of no text")
	return DONE


## The classes of losses are for the addon alone: scripts cannot name them.
func _losses(method: StringName, before: String, after: String) -> Variant:
	return ClassDB.class_call_static(&"SceneLinter", method, before.to_utf8_buffer(), after.to_utf8_buffer())


func _many_paths() -> PackedStringArray:
	var paths: PackedStringArray = []
	paths.resize(MANY)
	paths.fill(_written("one.tscn", BROKEN))
	return paths


func _written(name: String, text: String) -> String:
	var path := "user://" + name
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	return path


func _codes(diagnostics: Array[SceneDiagnostic]) -> Array:
	return diagnostics.map(func(diagnostic: SceneDiagnostic) -> String: return diagnostic.code)


func _described(found: Array[SceneDiagnostic]) -> PackedStringArray:
	var lines: PackedStringArray = []
	for diagnostic: SceneDiagnostic in found:
		lines.append(diagnostic.describe())
	return lines
