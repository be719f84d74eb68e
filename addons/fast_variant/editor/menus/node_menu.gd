@tool
extends EditorContextMenuPlugin
## The addon's entries in the menu of the Scene dock.

const _BuiltInResources := preload("../refactoring/built_in_resources.gd")
const _ComparisonWindow := preload("../comparing/comparison_window.gd")
const _Refactorings := preload("../refactoring/refactorings.gd")

var _comparison_window: _ComparisonWindow
var _refactorings: _Refactorings


func _init(comparison_window: _ComparisonWindow, refactorings: _Refactorings) -> void:
	_comparison_window = comparison_window
	_refactorings = refactorings


func attach(plugin: EditorPlugin) -> void:
	plugin.add_context_menu_plugin(CONTEXT_SLOT_SCENE_TREE, self)


func detach(plugin: EditorPlugin) -> void:
	plugin.remove_context_menu_plugin(self)


## `paths` lead from the scene's root to the nodes that are selected.
func _popup_menu(paths: PackedStringArray) -> void:
	if paths.size() != 1 or _scene().is_empty():
		return
	var rename := _refactorings.rename_node.bind(_scene(), paths[0]).unbind(1)
	var compare := _comparison_window.compare.bind(_scene(), paths[0]).unbind(1)
	add_context_menu_item("Rename Everywhere...", rename, _icon(&"Rename"))
	add_context_menu_item("Compare with Last Commit", compare, _icon(&"FileTree"))
	var node := EditorInterface.get_edited_scene_root().get_node_or_null(paths[0])
	var resources: Dictionary[String, Resource] = {}
	if node != null:
		resources = _BuiltInResources.of(node)
	if not resources.is_empty():
		# The dock's menu frees it.
		add_context_submenu_item("Extract to File", _menu_of(node, resources), _icon(&"Save"))


func _menu_of(node: Node, resources: Dictionary[String, Resource]) -> PopupMenu:
	var menu := PopupMenu.new()
	# Names of properties and classes are not translated there.
	menu.auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	var files: Array[String] = []
	for place: String in resources:
		menu.add_icon_item(_icon(_class_icon(resources[place])), place + "...")
		files.append(_BuiltInResources.file_to_propose(node, resources[place], place))
	var of_entries := resources.values()
	menu.index_pressed.connect(func(index: int) -> void: _refactorings.extract(of_entries[index], files[index]))
	return menu


func _class_icon(resource: Resource) -> StringName:
	var type := StringName(resource.get_class())
	return type if EditorInterface.get_editor_theme().has_icon(type, &"EditorIcons") else &"Object"


func _icon(name_of_icon: StringName) -> Texture2D:
	return EditorInterface.get_editor_theme().get_icon(name_of_icon, &"EditorIcons")


## Empty for a scene that has no file yet.
func _scene() -> String:
	var root := EditorInterface.get_edited_scene_root()
	return root.scene_file_path if root != null else ""
