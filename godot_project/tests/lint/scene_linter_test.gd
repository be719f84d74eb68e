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

## Without an error: Godot loads the file, and nothing is lost if the tag goes.
const UNUSED := """[gd_scene format=3]

[ext_resource type="Script" path="res://a.gd" id="1"]

[node name="Root" type="Node"]
"""

## What is not a scene, with what is found in it.
const ANY_TEXTS: Dictionary[String, Array] = {
	"": ["STR009"],
	"[": ["SYN007"],
	"no scene at all": ["SYN001"],
	"[node name=\"\u0001\"": ["SYN007"],
	"[gd_scene format=3": ["SYN007"],
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
	var found := SceneLinter.lint_text(UNUSED, "res://unused.tscn")
	var unused := found.filter(func(diagnostic: SceneDiagnostic) -> bool: return diagnostic.code == "REF007")
	if check_equal(unused.size(), 1, "unused resources"):
		var diagnostic: SceneDiagnostic = unused[0]
		check_equal(diagnostic.fixes.size(), 1, "fixes")
		check_equal(diagnostic.fixes[0].title, "remove the tag", "title")
		check_equal(diagnostic.fixes[0].applicability, "safe", "applicability")
	for diagnostic in SceneLinter.lint_text(BROKEN, "res://broken.tscn"):
		if diagnostic.code == "REF007":
			check_equal(diagnostic.fixes.size(), 0, "fixes that remove something from a file that Godot refuses")
	return DONE


func test_files() -> Outcome:
	var path := _written("broken.tscn", BROKEN)
	check_equal(_codes(SceneLinter.lint_file(path)), _codes(SceneLinter.lint_text(BROKEN, path)), "as of the text")
	check_equal(_codes(SceneLinter.lint_file("user://there_is_none.tscn")), ["FILE"], "of no file")
	return DONE


func _written(name: String, text: String) -> String:
	var path := "user://" + name
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	return path


func _codes(diagnostics: Array[SceneDiagnostic]) -> Array:
	return diagnostics.map(func(diagnostic: SceneDiagnostic) -> String: return diagnostic.code)


func test_node_of_a_diagnostic() -> Outcome:
	var paths: Array[String] = []
	for diagnostic in SceneLinter.lint_text(BROKEN, "res://broken.tscn"):
		paths.append(diagnostic.node_path)
	check(paths.has("."), "the root is named: %s" % [paths])
	check(paths.has("Missing/Child"), "the child is named: %s" % [paths])
	return DONE


func test_rules_are_explained() -> Outcome:
	for code in SceneLinter.codes():
		check(SceneLinter.explain(code).begins_with("# " + code), "the text on %s" % code)
	check_equal(SceneLinter.explain("NONE1"), "", "the text on no rule")
	return DONE
