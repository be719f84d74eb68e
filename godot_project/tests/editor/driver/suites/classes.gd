@tool
extends "../suite.gd"
## Which classes there are, the running editor says: those of extensions are known, and there are no others.

const PATH := "res://classes_test.tscn"
## Only our library has the first class, which is no node; nobody has the second one.
const TEXT := """[gd_scene format=3]

[sub_resource type="FastVariantThing" id="1"]

[node name="Root" type="Node2D"]
position = Vector2(1, 2)
metadata/thing = SubResource("1")

[node name="Job" type="SceneLintJob" parent="."]

[node name="Tower" type="TowerOfNobody" parent="."]

[node name="Timer" type="Timer" parent="."]
colour = 1

[connection signal="timeout" from="Timer" to="." method="queue_free"]
[connection signal="time_out" from="Timer" to="." method="queue_free"]
"""
const CODES: PackedStringArray = ["TREE013", "TREE014", "TREE013", "TREE015", "SIG002"]


func test_classes_of_extensions_are_known() -> void:
	make(PATH, TEXT)
	# Where no table tells of the classes, that takes a second.
	await until(func() -> bool: return not parts().class_watch.is_processing(), "all are read")
	await settled()
	check_equal(codes_in(PATH), CODES, "diagnostics")


func test_reading_all_again() -> void:
	GDExtensionManager.emit_signal(&"extensions_reloaded")
	await until(func() -> bool: return parts().class_watch.is_processing(), "all are read again")
	await until(func() -> bool: return not parts().class_watch.is_processing(), "all are read")
	await settled()
	check_equal(codes_in(PATH), CODES, "diagnostics")


## For the reader: how long a frame of the editor gets by it.
func test_cost() -> void:
	ClassDB.class_call_static(&"SceneLinter", &"_forget_classes")
	var steps := 0
	var longest := 0.0
	var total := 0.0
	var is_done := false
	while not is_done:
		var began := Time.get_ticks_usec()
		is_done = ClassDB.class_call_static(&"SceneLinter", &"_read_classes")
		var msec := (Time.get_ticks_usec() - began) / 1000.0
		steps += 1
		total += msec
		longest = maxf(longest, msec)
	print("cost of the classes: %.1f ms in %d frames, %.1f ms in one" % [total, steps, longest])
	parts().checker.check(PATH)
	await settled()
	check_equal(codes_in(PATH), CODES, "diagnostics with what was read")
	await remove([PATH])
	await settled()
