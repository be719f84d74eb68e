@tool
extends RefCounted
## The tabs of the open scenes, which show what the editor does not tell otherwise.

const _MARK := "(*)"


## Whether the tab of the scene has the mark of unsaved changes; null if there is no such tab.
static func is_marked_unsaved(path: String) -> Variant:
	var tabs := _bar()
	if tabs == null:
		return null
	var tab := 0
	for open: String in EditorInterface.get_open_scenes():
		while tab < tabs.tab_count and not _is_of(tabs.get_tab_title(tab), open):
			tab += 1
		if tab < tabs.tab_count and open == path:
			return tabs.get_tab_title(tab).ends_with(_MARK)
		tab += 1
	return null


## Of the scene at the front; -1 if there are no tabs.
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
