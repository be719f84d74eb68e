@tool
extends RefCounted
## The tabs of the open scenes, which show facts that the editor does not expose otherwise.

const _MARK := "(*)"


## Whether the tab of the scene has the mark of unsaved changes; null if there is no such tab.
static func is_marked_unsaved(path: String) -> Variant:
	var tabs := _bar()
	var tab: int = _by_scene(tabs).get(path, -1) if tabs != null else -1
	if tab == -1:
		return null
	return tabs.get_tab_title(tab).ends_with(_MARK)


## Whether the editor survives reading an open scene again, or does so after `leave_empty`. Godot puts what it reads into the tab
## that is then at the front, if that is empty, and crashes where the scene had the last tab: there is one tab less
## (`EditorNode::reload_scene`, editor/editor_node.cpp, Godot 4.6.3).
static func can_reload(path: String) -> bool:
	return not _is_endangered(path) or _other(path) != -1


## Brings a tab with another scene to the front, if the editor would crash otherwise.
static func leave_empty(path: String) -> void:
	if _is_endangered(path):
		show(_other(path))


## The index of the scene at the front; -1 if there are no tabs.
static func current() -> int:
	var tabs := _bar()
	return tabs.current_tab if tabs != null else -1


## Brings a scene to the front.
static func show(tab: int) -> void:
	var tabs := _bar()
	if tabs != null and tab < tabs.tab_count:
		tabs.current_tab = tab


## Null if this editor has none by that name.
static func _bar() -> TabBar:
	var found := EditorInterface.get_base_control().find_children("*", "EditorSceneTabs", true, false)
	if found.is_empty():
		return null
	var bars := found[0].find_children("*", "TabBar", true, false)
	return bars[0] if not bars.is_empty() else null


## Tabs without a scene have no entry among the open scenes. Scenes of the same name have their folders in the title, or
## their extension.
static func _is_of(title: String, path: String) -> bool:
	var name_of_scene := title.trim_suffix(_MARK)
	return path.is_empty() or path.ends_with(name_of_scene) or path.get_basename().ends_with(name_of_scene)


## The tabs of the open scenes that have a file.
static func _by_scene(tabs: TabBar) -> Dictionary[String, int]:
	var found: Dictionary[String, int] = {}
	var tab := 0
	for open: String in EditorInterface.get_open_scenes():
		while tab < tabs.tab_count and not _is_of(tabs.get_tab_title(tab), open):
			tab += 1
		if tab < tabs.tab_count and not open.is_empty():
			found[open] = tab
		tab += 1
	return found


## Whether the scene has the last tab, and there are empty ones.
static func _is_endangered(path: String) -> bool:
	var tabs := _bar()
	if tabs == null or tabs.tab_count == EditorInterface.get_open_scenes().size():
		return false
	return _by_scene(tabs).get(path, -1) == tabs.tab_count - 1


## The tab of another scene, the one at the front if possible; -1 if no tab has it.
static func _other(path: String) -> int:
	var tabs := _bar()
	var by_scene := _by_scene(tabs)
	by_scene.erase(path)
	if tabs.current_tab in by_scene.values():
		return tabs.current_tab
	return by_scene.values()[0] if not by_scene.is_empty() else -1
