@tool
extends EditorContextMenuPlugin
## The addon's entries in the menu of the FileSystem dock.

const AskedCheck := preload("../checking/asked_check.gd")
const ComparisonWindow := preload("../comparing/comparison_window.gd")
const Conflicts := preload("../merging/conflicts.gd")
const PlacesWindow := preload("../places/places_window.gd")
const Refactorings := preload("../refactoring/refactorings.gd")
const Repairs := preload("../fixing/repairs.gd")
const SceneFiles := preload("../shared/scene_files.gd")

var _asked_check: AskedCheck
var _comparison_window: ComparisonWindow
var _conflicts: Conflicts
var _places_window: PlacesWindow
var _refactorings: Refactorings
var _repairs: Repairs


func _init(
	asked_check: AskedCheck, comparison_window: ComparisonWindow, conflicts: Conflicts, places_window: PlacesWindow,
	refactorings: Refactorings, repairs: Repairs
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
	var texts := SceneFiles.texts_in(paths)
	if not texts.is_empty():
		var what := _what(texts)
		_add("Check " + what, &"StatusSuccess", _asked_check.check, texts)
		_add("Fix " + what, &"Tools", _repairs.fix_files, texts)
		_add("Format " + what, &"TextFile", _repairs.format_files, texts)
	if paths.size() == 1 and not texts.is_empty() and not paths[0].ends_with("/") and Conflicts.are_in(paths[0]):
		_add("Resolve Conflicts...", &"StatusWarning", _conflicts.resolve, paths[0])
	# Godot's own lists have no lines: Edit Dependencies, View Owners.
	if paths.size() == 1 and not paths[0].ends_with("/"):
		if SceneFiles.is_text(paths[0]):
			_add("Compare with Last Commit", &"FileTree", _comparison_window.compare, paths[0])
			_add("Dependencies by Line", &"ArrowRight", _places_window.show_dependencies, paths[0])
		_add("References by Line", &"ArrowLeft", _places_window.show_references, paths[0])
	if paths.size() == 1 and paths[0] != "res://":
		_add("Move with References...", &"MoveUp", _refactorings.move, paths[0])
	if paths.size() == 1 and paths[0].ends_with("/"):
		_add("Find Unused...", &"Search", _refactorings.find_unused, paths[0])


func _what(texts: PackedStringArray) -> String:
	var scenes := 0
	for path: String in texts:
		scenes += int(SceneFiles.is_scene(path))
	if texts.size() == 1:
		return "Scene" if scenes == 1 else "Resource"
	if scenes == 0:
		return "%d Resources" % texts.size()
	return "%d Scenes" % scenes if scenes == texts.size() else "%d Scenes and Resources" % texts.size()


## `action` takes `what` instead of the paths that are selected.
func _add(text: String, icon: StringName, action: Callable, what: Variant) -> void:
	var texture := EditorInterface.get_editor_theme().get_icon(icon, &"EditorIcons")
	add_context_menu_item(text, action.bind(what).unbind(1), texture)
