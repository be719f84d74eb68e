@tool
extends "../suite.gd"
## The rules speak English, so all of the addon does: the editor translates none of its words.


func test_nothing_is_half_translated() -> void:
	var found := 0
	for part: Node in _parts():
		for node: Node in part.find_children("*", "", true, false):
			# What the engine itself has in there, it translates.
			if _is_the_engines(node, part):
				continue
			found += 1
			check(not node.can_auto_translate(), "%s in %s is not translated" % [node, part])
	check(found > 30, "parts were found: %d" % found)


func _parts() -> Array[Node]:
	var all: Array[Node] = [
		parts().panel, parts().project_menu, parts().text_window, parts().places_window, parts().reader
	]
	for node: Node in get_tree().root.find_children("*", "HSplitContainer", true, false):
		var script: Script = node.get_script()
		if script != null and script.resource_path.ends_with("variant_inspector.gd"):
			all.append(node)
	return all


func _is_the_engines(node: Node, part: Node) -> bool:
	while node != part:
		if node is EditorFileDialog:
			return true
		node = node.get_parent()
	return false
