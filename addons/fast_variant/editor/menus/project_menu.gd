@tool
extends PopupMenu
## The addon's entries under Project > Tools: for the whole project.

enum _Entry { CHECK, FIX, FORMAT, FIND_UNUSED, PANEL, DOCUMENTATION }

const _Addon := preload("../shared/addon.gd")
const _AskedCheck := preload("../checking/asked_check.gd")
const _ProblemsTab := preload("../problems/problems_tab.gd")
const _Reader := preload("../reading/reader.gd")
const _Refactorings := preload("../refactoring/refactorings.gd")
const _Repairs := preload("../fixing/repairs.gd")

const _ICONS: Dictionary[_Entry, StringName] = {
	_Entry.CHECK: &"StatusSuccess", _Entry.FIX: &"Tools", _Entry.FORMAT: &"TextFile",
	_Entry.FIND_UNUSED: &"Search", _Entry.PANEL: &"NodeWarning",
}

var _actions: Dictionary[_Entry, Callable] = {}


func _init(
	asked_check: _AskedCheck, reader: _Reader, refactorings: _Refactorings, repairs: _Repairs, tab: _ProblemsTab
) -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	_add("Check All Scenes", _Entry.CHECK, asked_check.check_project)
	_add("Fix All Scenes...", _Entry.FIX, repairs.fix_project)
	_add("Format All Scenes...", _Entry.FORMAT, repairs.format_project)
	_add("Find Unused...", _Entry.FIND_UNUSED, refactorings.find_unused.bind("res://"))
	add_separator()
	_add("Show Problems", _Entry.PANEL, tab.show)
	_add("Documentation", _Entry.DOCUMENTATION, reader.open_documentation)
	id_pressed.connect(choose)


func attach(plugin: EditorPlugin) -> void:
	plugin.add_tool_submenu_item(_Addon.MENU, self)


## Frees the menu.
func detach(plugin: EditorPlugin) -> void:
	plugin.remove_tool_menu_item(_Addon.MENU)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		for entry: _Entry in _ICONS:
			set_item_icon(get_item_index(entry), get_theme_icon(_ICONS[entry], &"EditorIcons"))


func choose(entry: _Entry) -> void:
	_actions[entry].call()


func _add(text: String, entry: _Entry, action: Callable) -> void:
	add_item(text, entry)
	_actions[entry] = action
