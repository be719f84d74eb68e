@tool
extends EditorContextMenuPlugin
## The addon's entries in the menu of the FileSystem dock, in a menu of their own.

const _Addon := preload("../shared/addon.gd")
const _AskedCheck := preload("../checking/asked_check.gd")
const _ComparisonWindow := preload("../comparing/comparison_window.gd")
const _Conflicts := preload("../merging/conflicts.gd")
const _Icons := preload("../shared/icons.gd")
const _PlacesWindow := preload("../places/places_window.gd")
const _Refactorings := preload("../refactoring/refactorings.gd")
const _Repairs := preload("../fixing/repairs.gd")
const _SceneFiles := preload("../shared/scene_files.gd")

var _asked_check: _AskedCheck
var _comparison_window: _ComparisonWindow
var _conflicts: _Conflicts
var _places_window: _PlacesWindow
var _refactorings: _Refactorings
var _repairs: _Repairs


func _init(
	asked_check: _AskedCheck, comparison_window: _ComparisonWindow, conflicts: _Conflicts, places_window: _PlacesWindow,
	refactorings: _Refactorings, repairs: _Repairs
) -> void:
	_asked_check = asked_check
	_comparison_window = comparison_window
	_conflicts = conflicts
	_places_window = places_window
	_refactorings = refactorings
	_repairs = repairs


func attach(plugin: EditorPlugin) -> void:
	plugin.add_context_menu_plugin(CONTEXT_SLOT_FILESYSTEM, self)


func detach(plugin: EditorPlugin) -> void:
	plugin.remove_context_menu_plugin(self)


func _popup_menu(paths: PackedStringArray) -> void:
	var menu := PopupMenu.new()
	# As the rules speak English.
	menu.auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	_add_for_texts(menu, _SceneFiles.texts_in(paths))
	if paths.size() == 1:
		_add_for_one(menu, paths[0])
	if menu.item_count == 0:
		menu.free()
		return
	menu.index_pressed.connect(_run.bind(menu))
	# The dock's menu frees it.
	add_context_submenu_item(_Addon.MENU, menu, _Icons.of_addon("problems"))


func _add_for_texts(menu: PopupMenu, texts: PackedStringArray) -> void:
	if texts.is_empty():
		return
	var what := _what(texts)
	_add(menu, "Check " + what, &"StatusSuccess", _asked_check.check.bind(texts))
	_add(menu, "Fix " + what, &"Tools", _repairs.fix_files.bind(texts))
	_add(menu, "Format " + what, &"TextFile", _repairs.format_files.bind(texts))


## Godot's own lists have no lines: Edit Dependencies, View Owners.
func _add_for_one(menu: PopupMenu, path: String) -> void:
	var is_folder := path.ends_with("/")
	if _SceneFiles.is_text(path):
		if _Conflicts.are_in(path):
			_add(menu, "Resolve Conflicts...", &"StatusWarning", _conflicts.resolve.bind(path))
		_add(menu, "Compare with Last Commit", &"FileTree", _comparison_window.compare.bind(path))
		_add(menu, "Dependencies by Line", &"ArrowRight", _places_window.show_dependencies.bind(path))
	if not is_folder:
		_add(menu, "References by Line", &"ArrowLeft", _places_window.show_references.bind(path))
	if path != "res://":
		_add(menu, "Move with References...", &"MoveUp", _refactorings.move.bind(path))
	if is_folder:
		_add(menu, "Find Unused...", &"Search", _refactorings.find_unused.bind(path))


func _run(index: int, menu: PopupMenu) -> void:
	var action: Callable = menu.get_item_metadata(index)
	action.call()


func _what(texts: PackedStringArray) -> String:
	var scenes := 0
	for path: String in texts:
		scenes += int(_SceneFiles.is_scene(path))
	if texts.size() == 1:
		return "Scene" if scenes == 1 else "Resource"
	if scenes == 0:
		return "%d Resources" % texts.size()
	return "%d Scenes" % scenes if scenes == texts.size() else "%d Scenes and Resources" % texts.size()


func _add(menu: PopupMenu, text: String, icon: StringName, action: Callable) -> void:
	menu.add_icon_item(EditorInterface.get_editor_theme().get_icon(icon, &"EditorIcons"), text)
	menu.set_item_metadata(menu.item_count - 1, action)
