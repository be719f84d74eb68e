@tool
extends "../suite.gd"
## What the Problems panel offers for a connection that does nothing.

const Menu := preload("res://addons/fast_variant/editor/problems/problems_menu.gd")
const SceneConnection := preload("res://addons/fast_variant/editor/connecting/scene_connection.gd")

const SCENE := "res://connecting/door.tscn"
const SCRIPT := "res://connecting/door.gd"
const TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="res://connecting/door.gd" id="1"]

[node name="Door" type="Node2D"]
script = ExtResource("1")

[node name="Area" type="Area2D" parent="."]

[connection signal="area_entered" from="Area" to="." method="_on_area_entered"]
[connection signal="body_shape_entered" from="Area" to="." method="_on_shape" unbinds=2 binds= [1, [2, "]"]]]
[connection signal="body_entered" from="Area" to="." method="_on_body_enterd" flags=3]
[connection signal="ready" from="Gone" to="." method="hide"]
"""
const SCRIPT_TEXT := """extends Node2D


func _on_area_entered(_area: Area2D) -> void:
  pass


func _on_body_entered(_body: Node2D) -> void:
  pass


func _on_two(_one: int, _two: int) -> void:
  pass
"""


func test_connections_are_read() -> void:
	var text := "[gd_scene format=3]\n\n[connection signal=\"a\" from=\"N \\\"x\\\" ]\" to=\".\" method=\"m\" unbinds=1 binds= [{\n\"k\": [1, 2]\n}, \"a, b\", Vector2(1, 2)]]\n"
	for line: int in [3, 4, 5]:
		var found := SceneConnection.at(text, line) as SceneConnection
		check(found != null, "the connection of line %d" % line)
		if found != null:
			check_equal([found.signal_name, found.from, found.to, found.method], ["a", "N \"x\" ]", ".", "m"], "fields")
			check_equal([found.unbind_count, found.bind_count], [1, 3], "arguments")
			check_equal(found.without(text).text, "[gd_scene format=3]\n", "without it")
			check(found.with_method(text, "n").text.contains("method=\"n\" unbinds=1"), "with another method")
	for line: int in [1, 2, 6, 7, 100]:
		check(SceneConnection.at(text, line) == null, "line %d has no connection" % line)


func test_the_menu_has_entries() -> void:
	await _make()
	check_equal(_entries("_on_body_enterd"), ["Show in Signals Dock", "Create Method", "Connect to...", "Disconnect"], "a missing method")
	check_equal(_entries("Gone"), ["Show in Signals Dock", "Disconnect"], "a missing node")


func test_the_signals_dock_is_shown() -> void:
	await _choose("_on_body_enterd", Menu._Action.SHOW_SIGNALS)
	await frames(5)
	check_equal(EditorInterface.get_selection().get_selected_nodes(),
		[EditorInterface.get_edited_scene_root().get_node("Area")] as Array[Node], "the node is selected")
	var docks := EditorInterface.get_base_control().find_children("*", "ConnectionsDock", true, false)
	check((docks[0] as Control).is_visible_in_tree(), "the dock is at the front")
	var tree := docks[0].find_children("*", "Tree", true, false)[0] as Tree
	await until(func() -> bool: return tree.get_selected() != null, "a row is selected")
	check(tree.get_selected().get_text(0).contains("_on_body_enterd"), "the row: %s" % tree.get_selected().get_text(0))


## Into a script that is indented by spaces, which is open.
func test_a_method_is_created() -> void:
	EditorInterface.edit_script(load(SCRIPT) as Script)
	await frames(3)
	await _choose("_on_shape", Menu._Action.CREATE_METHOD)
	await until(func() -> bool: return read(SCRIPT) != SCRIPT_TEXT, "the method is written")
	var after := SCRIPT_TEXT + "\n\nfunc _on_shape(_body_rid: RID, _body: Node2D, _extra_arg_0: Variant, _extra_arg_1: Variant) -> void:\n  pass # Replace with function body.\n"
	check_equal(read(SCRIPT), after, "the script")
	await until(func() -> bool: return _edit() != null and _edit().text == after, "the script editor has it")
	await until(func() -> bool: return _edit().get_line(_edit().get_caret_line()).contains("Replace with"), "the caret is there")
	check(EditorInterface.get_edited_scene_root().has_method(&"_on_shape"), "the node has the method")
	await settled()
	check(_diagnostic("_on_shape") == null, "the problem is gone: %s" % codes_in(SCENE))
	await undo()
	check_equal(read(SCRIPT), SCRIPT_TEXT, "the script after undo")
	await redo()
	check_equal(read(SCRIPT), after, "the script after redo")
	await settled()


func test_a_script_with_unsaved_edits_is_left_alone() -> void:
	EditorInterface.edit_script(load(SCRIPT) as Script)
	await frames(3)
	var before := read(SCRIPT)
	_edit().insert_text_at_caret("# typed ")
	await _choose("_on_body_enterd", Menu._Action.CREATE_METHOD)
	await frames(5)
	check_equal(read(SCRIPT), before, "the script")
	check(_toasts().contains("Create Method _on_body_enterd: door.gd was left alone: it has changes that are not saved."), _toasts())
	_edit().undo()
	check(not parts().unsaved.has(SCRIPT), "nothing is unsaved any more")


func test_another_method_is_called() -> void:
	await _choose("_on_body_enterd", Menu._Action.CONNECT_TO)
	var menu := parts().connections.method_menu
	await until(func() -> bool: return menu.visible, "methods are offered")
	check_equal(menu.get_item_text(0), "_on_body_entered", "the nearest one")
	for index: int in menu.item_count:
		check(menu.get_item_text(index) != "_on_two", "methods with other arguments are not offered")
	menu.hide()
	menu.index_pressed.emit(0)
	await frames(4)
	check_equal(read(SCENE), TEXT.replace("_on_body_enterd", "_on_body_entered"), "the scene")
	await settled()
	check(_diagnostic("_on_body_enterd") == null, "the problem is gone: %s" % codes_in(SCENE))
	await undo()
	check_equal(read(SCENE), TEXT, "the scene after undo")
	await settled()


func test_it_is_disconnected() -> void:
	await _choose("Gone", Menu._Action.DISCONNECT)
	await frames(4)
	check_equal(read(SCENE), TEXT.substr(0, TEXT.find("[connection signal=\"ready\"")), "the scene")
	await settled()
	check(_diagnostic("Gone") == null, "the problem is gone: %s" % codes_in(SCENE))
	await undo()
	check_equal(read(SCENE), TEXT, "the scene after undo")
	await settled()


## Where the editor holds changes that are not saved, what it holds is changed.
func test_with_unsaved_edits() -> void:
	await open(SCENE)
	var root := EditorInterface.get_edited_scene_root()
	var area := root.get_node("Area") as Area2D
	_set_by_hand(area, &"position", Vector2(3, 4))
	await _choose("_on_body_enterd", Menu._Action.CONNECT_TO)
	var menu := parts().connections.method_menu
	await until(func() -> bool: return menu.visible, "methods are offered")
	menu.hide()
	menu.index_pressed.emit(0)
	await frames(3)
	check(area.body_entered.is_connected(Callable(root, &"_on_body_entered")), "the other method is connected")
	check(not area.body_entered.is_connected(Callable(root, &"_on_body_enterd")), "the old one is not")
	check_equal(area.position, Vector2(3, 4), "the edit stays")
	check_equal(read(SCENE), TEXT, "nothing was written")
	await undo()
	check(area.body_entered.is_connected(Callable(root, &"_on_body_enterd")), "undo connects the old one")
	await _choose("_on_body_enterd", Menu._Action.DISCONNECT)
	await frames(2)
	check(area.body_entered.get_connections().all(_is_of_the_engine), "it is disconnected: %s" % [area.body_entered.get_connections()])
	await undo()
	check(area.body_entered.is_connected(Callable(root, &"_on_body_enterd")), "undo connects it")
	await _choose("Gone", Menu._Action.DISCONNECT)
	check(_toasts().contains("saving door.tscn removes it"), _toasts())
	await undo()
	await frames(2)
	check(not parts().unsaved.has(SCENE), "nothing is unsaved any more")
	EditorInterface.close_scene()
	await remove([SCENE, SCRIPT, SCRIPT + ".uid"])
	await settled()


func _make() -> void:
	close_dialogs_of_godot()
	make(SCRIPT, SCRIPT_TEXT)
	make(SCENE, TEXT)
	await scan()
	await settled()


func _is_of_the_engine(connection: Dictionary) -> bool:
	var flags: int = connection["flags"]
	return not flags & CONNECT_PERSIST


## The problem whose message or connection names these words, or null.
func _diagnostic(words: String) -> Diagnostic:
	for diagnostic: Diagnostic in parts().problems.diagnostics_of(SCENE):
		if diagnostic.message.contains(words):
			return diagnostic
	return null


## Those of the menu that are about connections.
func _entries(words: String) -> Array:
	_select(words)
	var menu := PopupMenu.new()
	parts().panel._fill_menu(menu)
	var found := []
	for index: int in menu.item_count:
		if menu.get_item_id(index) >= Menu._Action.SHOW_SIGNALS and not menu.is_item_separator(index):
			found.append(menu.get_item_text(index))
	menu.free()
	return found


func _select(words: String) -> void:
	var diagnostic := _diagnostic(words)
	check(diagnostic != null, "there is a problem with %s: %s" % [words, codes_in(SCENE)])
	if diagnostic != null:
		check(parts().panel.show_diagnostic(diagnostic), "it has a row")


## As in the menu of the row. The engine complains of connections that it cannot make.
func _choose(words: String, action: Menu._Action) -> void:
	_select(words)
	print("[expected errors")
	parts().panel._context_menu.id_pressed.emit(action)
	await frames(6)
	print("expected errors]")


func _edit() -> CodeEdit:
	return parts().rewriter.memory._OpenScripts.edit_of(SCRIPT)


func _toasts() -> String:
	var texts: PackedStringArray = []
	for toaster: Node in EditorInterface.get_base_control().find_children("*", "EditorToaster", true, false):
		for label: Label in toaster.find_children("*", "Label", true, false):
			texts.append(label.text)
	return "\n".join(texts)


## As the Inspector does.
func _set_by_hand(object: Object, property: StringName, value: Variant) -> void:
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("Set %s" % property, UndoRedo.MERGE_DISABLE, object)
	undo_redo.add_do_property(object, property, value)
	undo_redo.add_undo_property(object, property, object.get(property))
	undo_redo.commit_action()
