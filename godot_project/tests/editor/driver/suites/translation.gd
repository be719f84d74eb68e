@tool
extends "../suite.gd"
## All words of the addon can be translated. What the rules say comes from the library, in English.

const PLUGIN := "fast_variant"
## The domain of what is no part of the editor's tree yet, and the editor's.
const DOMAINS: Array[StringName] = [&"", &"godot.editor"]
const MARK := "«"
const PATH := "res://translation/scene.tscn"
const TEXT := """[gd_scene format=3]

[ext_resource type="Script" path="res://driver/driver.gd" id="1"]

[node name="Root" type="Node"]
"""
## Names that are the same in all languages.
const NAMES: PackedStringArray = ["gdscene.toml", "Godot 4", "Godot 4.3", "Godot 4.0", "Godot 3", "Godot 2", "REF007"]


## The engine marks each text that it is asked to translate.
func test_all_words_are_translated() -> void:
	make(PATH, TEXT)
	write("res://gdscene.toml", "ignore = [\"REF001\"]\n")
	await _switch(false)
	for domain: StringName in DOMAINS:
		_set_marks(domain, true)
	await _switch(true)
	await settled()
	var found: Dictionary[String, String] = {}
	for root: Node in _parts():
		_collect(root, found)
	for domain: StringName in DOMAINS:
		_set_marks(domain, false)
	check(found.size() > 30, "texts were found: %s" % found)
	for text: String in found:
		check(text.contains(MARK) or text in NAMES, "`%s` of %s is translated" % [text, found[text]])
	await remove([PATH, "res://gdscene.toml"])
	await _switch(false)
	await _switch(true)
	await settled()


func _set_marks(domain_name: StringName, is_on: bool) -> void:
	var domain := TranslationServer.get_or_add_domain(domain_name)
	domain.pseudolocalization_accents_enabled = not is_on
	domain.pseudolocalization_prefix = MARK if is_on else "["
	domain.pseudolocalization_enabled = is_on


func _parts() -> Array[Node]:
	var parts: Array[Node] = [
		watch().panel, watch().project_menu, watch().text_window, watch().places_window, watch().rule_window
	]
	for node: Node in get_tree().root.find_children("*", "HSplitContainer", true, false):
		var script: Script = node.get_script()
		if script != null and script.resource_path.ends_with("variant_inspector.gd"):
			parts.append(node)
	watch().panel.refresh_now()
	return parts


## Every text under the node that has a letter, with what shows it.
func _collect(node: Node, found: Dictionary[String, String]) -> void:
	for property: StringName in [&"text", &"placeholder_text", &"tooltip_text"]:
		var text: Variant = node.get(property)
		if text is String and not node is CodeEdit and not node is RichTextLabel:
			_note(str(text), node, found)
	if node is OptionButton:
		var options: OptionButton = node
		for index: int in options.item_count:
			_note(options.get_item_text(index), node, found)
	if node is MenuButton:
		var button: MenuButton = node
		_collect(button.get_popup(), found)
	if node is PopupMenu:
		var menu: PopupMenu = node
		for index: int in menu.item_count:
			_note(menu.get_item_text(index), node, found)
	if node is Tree:
		var tree: Tree = node
		for column: int in tree.columns:
			_note(tree.get_column_title(column), node, found)
	# What the engine itself has in there, it translates.
	if not node is EditorFileDialog:
		for child: Node in node.get_children():
			_collect(child, found)


func _note(text: String, node: Node, found: Dictionary[String, String]) -> void:
	if text.to_lower() != text.to_upper():
		found[text] = node.get_class()


func _switch(is_on: bool) -> void:
	EditorInterface.set_plugin_enabled(PLUGIN, is_on)
	await frames(5)
