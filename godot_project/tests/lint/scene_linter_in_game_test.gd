extends "res://tests/test_suite.gd"
## An exported game carries the smaller library: what only the one for the editor has, says so, and gives nothing.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const TEXT := "[gd_scene format=3]\n[node  name=\"Root\" type = \"Node2D\"]\n"


func test_there_is_no_project() -> Outcome:
	check(not SceneLinter.has_project(), "there is no folder")
	check(not SceneLinter.is_project_ready(), "there is nothing to read")
	check(SceneLinter.configuration_error().is_empty(), "there is no configuration")
	check(SceneLinter.codes().has("REF001"), "the rules for single files are there")
	check(not SceneLinter.codes().has("RES001"), "those for projects are not")
	var text := "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]\n\n" \
			+ "[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"2\")\n"
	var codes := SceneLinter.lint_text(text, "res://a.tscn").map(
			func(diagnostic: SceneDiagnostic) -> String: return diagnostic.code)
	check_equal(codes, ["REF007", "REF001"], "what the rules for single files find")
	return DONE


func test_the_linter_says_what_is_missing() -> Outcome:
	_check_says("SceneLinter.refresh", SceneLinter.refresh)
	return DONE


func test_what_is_for_the_addon_is_not_there() -> Outcome:
	for class_: StringName in [&"SceneLinter", &"SceneRewriter"]:
		for method: Dictionary in ClassDB.class_get_method_list(class_, true):
			var method_name: String = method.name
			check(not method_name.begins_with("_"), "%s is not there" % method_name)
	for internal: StringName in [&"SceneComparison", &"SceneGitJob", &"SceneLoss", &"SceneLossJob", &"SceneMerge"]:
		check(not ClassDB.class_exists(internal), "%s is not there" % internal)
	return DONE


## Who waits for the end of a job goes on.
func test_jobs_are_finished() -> Outcome:
	for method: String in ["lint_project", "lint_paths"]:
		var jobs: Array[SceneLintJob] = []
		_check_says("SceneLinter." + method, func() -> void:
			jobs.append(SceneLinter.lint_project() if method == "lint_project" else SceneLinter.lint_paths(["a"])))
		var job := jobs[0]
		var ends: Array[int] = []
		job.finished.connect(func() -> void: ends.append(job.total_count()), CONNECT_ONE_SHOT)
		job.poll()
		check_equal(ends, [0] as Array[int], "the end of %s" % method)
		check(job.is_finished() and job.diagnostics().is_empty(), "%s has found nothing" % method)
	return DONE


func test_texts_are_left_alone() -> Outcome:
	_check_left_alone("format", func() -> SceneRewriteResult: return SceneRewriter.format(TEXT, "res://a.tscn"))
	_check_left_alone("fix", func() -> SceneRewriteResult: return SceneRewriter.fix(TEXT, "res://a.tscn", true))
	_check_left_alone("fix_one", func() -> SceneRewriteResult:
		return SceneRewriter.fix_one(TEXT, "res://a.tscn", "SYN013", 2, 1))
	_check_left_alone("fix_listed", func() -> SceneRewriteResult:
		return SceneRewriter.fix_listed(TEXT, "res://a.tscn", ["SYN013:2:1"]))
	_check_left_alone("edit_text", func() -> SceneRewriteResult: return SceneRewriter.edit_text(TEXT, "res://a.tscn", []))
	_check_left_alone("merge", func() -> SceneRewriteResult: return SceneRewriter.merge("a", "b", TEXT))
	_check_left_alone("ignore", func() -> SceneRewriteResult: return SceneRewriter.ignore(TEXT, "SYN013", 2, 1))
	_check_left_alone("ignore_rule", func() -> SceneRewriteResult: return SceneRewriter.ignore_rule(TEXT, "SYN013"))
	return DONE


func test_nothing_is_refactored() -> Outcome:
	var calls: Dictionary[String, Callable] = {
		"rename_property": func() -> SceneRefactoring: return SceneRewriter.rename_property("res://a.gd", "a", "b"),
		"edit": func() -> SceneRefactoring: return SceneRewriter.edit("res://a.tscn", []),
		"rename_node": func() -> SceneRefactoring: return SceneRewriter.rename_node("res://a.tscn", "A", "B"),
		"move_node": func() -> SceneRefactoring: return SceneRewriter.move_node("res://a.tscn", "A", "B"),
		"rename_class": func() -> SceneRefactoring: return SceneRewriter.rename_class("A", "B"),
		"rename_method": func() -> SceneRefactoring: return SceneRewriter.rename_method("res://a.gd", "a", "b"),
		"rename_signal": func() -> SceneRefactoring: return SceneRewriter.rename_signal("res://a.gd", "a", "b"),
		"move_files": func() -> SceneRefactoring: return SceneRewriter.move_files("res://a.gd", "res://b.gd"),
		"repair_moved": func() -> SceneRefactoring: return SceneRewriter.repair_moved({"res://a.gd": "res://b.gd"}),
		"find_unused": func() -> SceneRefactoring: return SceneRewriter.find_unused("res://"),
		"prune": func() -> SceneRefactoring: return SceneRewriter.prune(PackedStringArray()),
		"extract": func() -> SceneRefactoring: return SceneRewriter.extract("res://a.tscn", "a", "res://a.tres"),
		"inline": func() -> SceneRefactoring: return SceneRewriter.inline("res://a.tscn", "a"),
		"dedupe": func() -> SceneRefactoring: return SceneRewriter.dedupe("res://a.tscn"),
		"upgrade": func() -> SceneRefactoring: return SceneRewriter.upgrade(PackedStringArray(), ""),
	}
	for method: String in calls:
		var made: Array[SceneRefactoring] = []
		_check_says("SceneRewriter." + method, func() -> void: made.append(calls[method].call()))
		check(made[0].is_finished() and made[0].error().begins_with("`SceneRewriter.%s`" % method), method)
		check(not made[0].is_ok() and not made[0].apply() and made[0].places().is_empty(), "%s does nothing" % method)
	return DONE


func _check_left_alone(method: String, rewrite: Callable) -> void:
	var results: Array[SceneRewriteResult] = []
	_check_says("SceneRewriter." + method, func() -> void: results.append(rewrite.call()))
	var result := results[0]
	check(result.text == TEXT and not result.is_changed, "%s leaves the text alone" % method)
	check(result.error.begins_with("`SceneRewriter.%s`" % method), "%s says why: %s" % [method, result.error])


func _check_says(method: String, action: Callable) -> void:
	if not LoggedErrors.can_be_counted():
		Engine.print_error_messages = false
		action.call()
		Engine.print_error_messages = true
		return
	var logged := LoggedErrors.of(action)
	if check_equal(logged.size(), 1, "messages of %s: %s" % [method, logged]):
		check(logged[0].begins_with("`%s` is part of FastVariant's library for the editor" % method), logged[0])
		check(logged[0].contains("OS.has_feature(\"editor\")"), logged[0])
