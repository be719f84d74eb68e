@tool
extends "../suite.gd"
## Switching the addon off and on again leaves nothing behind.

const PLUGIN := "fast_variant"


func test_off_and_on() -> void:
	await _switch(false)
	check(parts() == null, "nothing is at work")
	for setting: String in Settings.team_names() + Settings.personal_names():
		var is_kept := setting == Settings.PRINT
		check_equal(ProjectSettings.has_setting(setting), is_kept, "%s is there" % setting)
		check(not EditorInterface.get_editor_settings().has_setting(setting), "%s is gone from the editor" % setting)
	check(not _is_in_menus("Fast Variant Scenes"), "the menu has nothing of it")
	ProjectSettings.save()
	var project := read("res://project.godot")
	check(not project.contains("addons/fast_variant/plugin.cfg"), "the project has it switched off")
	var before := _nodes()
	var objects := Performance.get_monitor(Performance.OBJECT_COUNT)
	for round_: int in 3:
		await _switch(true)
		check(parts() != null, "it is at work again")
		check(_is_in_menus("Fast Variant Scenes"), "the menu has its entry")
		await settled()
		await _switch(false)
	ProjectSettings.save()
	check_equal(read("res://project.godot"), project, "the project's file")
	var added := _nodes()
	for id: int in before:
		added.erase(id)
	# The editor frees nodes of its own at any time, such as messages that have faded; only new ones can be the addon's.
	check_equal(added.values(), [], "nodes that were left behind")
	var more := Performance.get_monitor(Performance.OBJECT_COUNT) - objects
	check(more < 50, "%d objects were left behind" % more)
	await _switch(true)


## While a check of the project and a comparison are on their way, and windows are open.
func test_off_in_the_middle() -> void:
	parts().checker.check_project()
	parts().conflicts.window.open("res://good.tscn")
	parts().comparison_window.compare("res://good.tscn")
	await _switch(false)
	await _switch(true)
	await settled()
	check(parts() != null, "it is at work again")


func _is_in_menus(entry: String) -> bool:
	for node: Node in EditorInterface.get_base_control().find_children("*", "PopupMenu", true, false):
		var menu: PopupMenu = node
		# The dock fills its menus each time that they open, and keeps the old entries until then.
		if EditorInterface.get_file_system_dock().is_ancestor_of(menu):
			continue
		for index: int in menu.item_count:
			if menu.get_item_text(index) == entry:
				return true
	return false


func _switch(is_on: bool) -> void:
	EditorInterface.set_plugin_enabled(PLUGIN, is_on)
	await frames(5)


## The paths of the nodes in the editor, by the nodes' ids.
func _nodes() -> Dictionary:
	var paths := {}
	for node: Node in get_tree().root.find_children("*", "", true, false):
		paths[node.get_instance_id()] = node.get_path()
	return paths
