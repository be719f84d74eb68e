@tool
extends "../suite.gd"
## Switching the addon off and on again leaves nothing behind.

const PLUGIN := "fast_variant"


func test_off_and_on() -> void:
	await _switch(false)
	check(watch() == null, "nothing is at work")
	for setting: String in Settings.names():
		var is_kept := setting == Settings.PRINT
		check_equal(ProjectSettings.has_setting(setting), is_kept, "%s is there" % setting)
	var nodes := _count_nodes()
	var objects := Performance.get_monitor(Performance.OBJECT_COUNT)
	for round_: int in 3:
		await _switch(true)
		check(watch() != null, "it is at work again")
		await settled()
		await _switch(false)
	check_equal(_count_nodes(), nodes, "nodes in the editor")
	var more := Performance.get_monitor(Performance.OBJECT_COUNT) - objects
	check(more < 50, "%d objects were left behind" % more)
	await _switch(true)


## While a check of the project is on its way.
func test_off_in_the_middle() -> void:
	watch().checker.check_project()
	await _switch(false)
	await _switch(true)
	await settled()
	check(watch() != null, "it is at work again")


func _switch(is_on: bool) -> void:
	EditorInterface.set_plugin_enabled(PLUGIN, is_on)
	await frames(5)


func _count_nodes() -> int:
	return get_tree().root.find_children("*", "", true, false).size()
