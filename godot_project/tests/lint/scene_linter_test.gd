extends "res://tests/test_suite.gd"
## `SceneLinter` hands the diagnostics of the core through to GDScript.

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

## So many files take long enough to be looked at meanwhile.
const MANY := 20_000
## What is no scene, with what is found in it.
const ANY_TEXTS: Dictionary[String, Array] = {
	"": ["STR009"],
	"[": ["SYN007"],
	"no scene at all": ["SYN001"],
	"[node name=\"\u0001\"": ["SYN007", "STR001"],
	"[gd_scene format=3": ["SYN007", "STR009"],
}


func test_good_scene() -> Outcome:
	check_equal(SceneLinter.lint_text(GOOD, "res://good.tscn").size(), 0, "diagnostics")
	return DONE


func test_broken_scene() -> Outcome:
	var lines: Array[int] = []
	for diagnostic in SceneLinter.lint_text(BROKEN, "res://broken.tscn"):
		lines.append(diagnostic.line)
		check_equal(diagnostic.path, "res://broken.tscn", "path")
		check(not diagnostic.code.is_empty() and not diagnostic.name.is_empty(), "has code and name")
		check(diagnostic.severity in ["error", "warning", "info"], "severity %s" % diagnostic.severity)
		check(not diagnostic.message.is_empty(), "has a message")
		check(diagnostic.column >= 1 and diagnostic.length >= 1, "has a place")
	check(lines.has(6), "the id that is not defined is reported in line 6: %s" % [lines])
	check(lines.has(8), "the parent that does not exist is reported in line 8: %s" % [lines])
	return DONE


func test_any_text() -> Outcome:
	var expected: Dictionary[String, Array] = ANY_TEXTS.duplicate()
	# In an exported script a literal loses the mark at its front.
	expected[String.chr(0xFEFF) + "[gd_scene]\n"] = ["SYN009", "STR009"]
	for text in expected:
		check_equal(_codes(SceneLinter.lint_text(text, "res://any.tscn")), expected[text], "in %s" % text.c_escape())
	return DONE


func test_fixes_are_told() -> Outcome:
	var found := SceneLinter.lint_text(BROKEN, "res://broken.tscn")
	var unused := found.filter(func(diagnostic: SceneDiagnostic) -> bool: return diagnostic.code == "REF007")
	if check_equal(unused.size(), 1, "unused resources"):
		var diagnostic: SceneDiagnostic = unused[0]
		check_equal(diagnostic.fixes.size(), 1, "fixes")
		check_equal(diagnostic.fixes[0].title, "remove the tag", "title")
		check_equal(diagnostic.fixes[0].applicability, "safe", "applicability")
	return DONE


func test_files() -> Outcome:
	var path := _written("broken.tscn", BROKEN)
	check_equal(_codes(SceneLinter.lint_file(path)), _codes(SceneLinter.lint_text(BROKEN, path)), "as of the text")
	check_equal(_codes(SceneLinter.lint_file("user://there_is_none.tscn")), ["FILE"], "of no file")
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


func test_node_of_a_finding() -> Outcome:
	var paths: Array[String] = []
	for diagnostic in SceneLinter.lint_text(BROKEN, "res://broken.tscn"):
		paths.append(diagnostic.node_path)
	check(paths.has("."), "the root is named: %s" % [paths])
	check(paths.has("Missing/Child"), "the child is named: %s" % [paths])
	return DONE


## In an exported game there is no folder, and rules for single files are all.
func test_whole_project() -> Outcome:
	var text := BROKEN.replace("ExtResource(\"2\")", "ExtResource(\"1\")")
	if not SceneLinter.has_project():
		SceneLinter.refresh()
		check(not SceneLinter.is_project_ready(), "there is nothing to read")
		check(not _codes(SceneLinter.lint_text(text, "res://a.tscn")).has("RES001"), "rules for single files")
		return DONE
	var until := Time.get_ticks_msec() + 30_000
	while not SceneLinter.is_project_ready() and Time.get_ticks_msec() < until:
		OS.delay_msec(10)
	check(SceneLinter.is_project_ready(), "the project is read")
	check(_codes(SceneLinter.lint_text(text, "res://a.tscn")).has("RES001"), "the file that is not there is missed")
	check(not _codes(SceneLinter.lint_text(text, "user://a.tscn")).has("RES001"), "not of the project")
	check(SceneLinter.codes().has("SIG003"), "the rules for projects are among all")
	return DONE


func test_rules_are_explained() -> Outcome:
	for code in SceneLinter.codes():
		check(SceneLinter.explain(code).begins_with("# " + code), "the text on %s" % code)
	check_equal(SceneLinter.explain("NONE1"), "", "the text on no rule")
	return DONE


func test_losses() -> Outcome:
	var after := "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n"
	var before := after.replace("\n\n", "\n\n; why\n") + "gone = 1\n"
	var found: Array[String] = []
	for loss in SceneLinter.lost(before.to_utf8_buffer(), after.to_utf8_buffer()):
		found.append("%d %s %s %s %s" % [loss.line, loss.kind, loss.cause, loss.node_path, loss.name])
	check_equal(found, ["3 comment not-kept  ; why", "5 property unclear . gone"] as Array[String], "losses")
	var job := SceneLinter.lost_in_background(before.to_utf8_buffer(), after.to_utf8_buffer())
	check_equal(job.losses().size(), 2, "losses found in the background")
	check(job.is_finished(), "the job is finished")
	check_equal(SceneLinter.lost(PackedByteArray([255, 0]), PackedByteArray()).size(), 0, "losses of no text")
	return DONE
