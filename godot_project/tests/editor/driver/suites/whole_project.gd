@tool
extends "../suite.gd"
## What only shows when the other files of the project are known.

const FOLDER := "res://whole_project/"
const SCENE := FOLDER + "harbour.tscn"
const SCRIPT := FOLDER + "harbour.gd"
const CURVE := FOLDER + "quay.tres"
const SCENE_TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="res://whole_project/harbour.gd" id="1_gate"]
[ext_resource type="Curve2D" path="res://whole_project/quay.tres" id="2_quay"]

[node name="Harbour" type="Path2D"]
curve = ExtResource("2_quay")
script = ExtResource("1_gate")

[connection signal="visibility_changed" from="." to="." method="close"]
"""


func test_what_other_files_lack() -> void:
	make(SCRIPT, "extends Path2D\n\n\nfunc close() -> void:\n\tpass\n")
	make(CURVE, "[gd_resource type=\"Curve2D\" format=3]\n\n[resource]\n")
	make(SCENE, SCENE_TEXT)
	await scan()
	await settled()
	await open(SCENE)
	await save()
	check(not codes_in(SCENE).has("SIG003"), "the method is there: %s" % codes_in(SCENE))
	check(not codes_in(SCENE).has("RES001"), "the curve is there: %s" % codes_in(SCENE))
	make(SCRIPT, "extends Path2D\n\n\nfunc shut() -> void:\n\tpass\n")
	await save()
	await until(func() -> bool: return codes_in(SCENE).has("SIG003"), "the method is missed")
	await remove([CURVE])
	await save()
	await until(func() -> bool: return codes_in(SCENE).has("RES001"), "the curve is missed")
	for diagnostic: Diagnostic in parts().problems.diagnostics_of(SCENE):
		check(diagnostic.line > 0 and not diagnostic.message.is_empty(), "has a place and a message: %s" % diagnostic.describe())
	EditorInterface.close_scene()
	await remove([SCENE, SCRIPT])
	await settled()
	check_equal(codes_in(SCENE), PackedStringArray(), "diagnostics in a file that is gone")


## Checks of the project leave such a file out, but what was found when it was saved stays.
func test_a_file_that_git_ignores() -> void:
	make(FOLDER + ".gitignore", "ignored.tscn\n")
	var ignored := FOLDER + "ignored.tscn"
	make(ignored, "[gd_scene format=3]\n\n[ext_resource type=\"Curve2D\" path=\"res://gone.tres\" id=\"1\"]\n\n[node name=\"A\" type=\"Path2D\"]\ncurve = ExtResource(\"1\")\n")
	await scan()
	await settled()
	check_equal(codes_in(ignored), PackedStringArray(), "diagnostics before anybody asks")
	parts().checker.check(ignored)
	await until(func() -> bool: return codes_in(ignored).has("RES001"), "the curve is missed")
	var announced: PackedStringArray = []
	var note := func(path: String, is_announced: bool) -> void:
		if is_announced:
			announced.append(path)
	parts().checker.file_checked.connect(note)
	parts().checker.check_project()
	await settled()
	await frames(3)
	parts().checker.file_checked.disconnect(note)
	check_equal(announced, PackedStringArray(), "toasts for a file that nobody saved")
	check(codes_in(ignored).has("RES001"), "what was found is still there: %s" % codes_in(ignored))
	await remove([ignored, FOLDER + ".gitignore"])
	await settled()
	check_equal(codes_in(ignored), PackedStringArray(), "diagnostics in a file that is gone")
