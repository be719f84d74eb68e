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
	for text: String in ["", "[", "no scene at all", "\ufeff[gd_scene]", "[node name=\"\u0001\"", "[gd_scene format=3"]:
		SceneLinter.lint_text(text, "res://any.tscn")
	return DONE
