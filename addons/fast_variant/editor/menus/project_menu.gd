@tool
extends PopupMenu
## The addon's entries under Project > Tools: for the whole project.

enum Entry { CHECK, FIX, FORMAT, FIND_UNUSED, PANEL, DOCUMENTATION }

const Addon := preload("../shared/addon.gd")
const AskedCheck := preload("../checking/asked_check.gd")
const ProblemsTab := preload("../problems/problems_tab.gd")
const Reader := preload("../reading/reader.gd")
const Refactorings := preload("../refactoring/refactorings.gd")
const Repairs := preload("../fixing/repairs.gd")

const _ICONS: Dictionary[Entry, StringName] = {
	Entry.CHECK: &"StatusSuccess", Entry.FIX: &"Tools", Entry.FORMAT: &"TextFile",
	Entry.FIND_UNUSED: &"Search", Entry.PANEL: &"NodeWarning",
}

var _actions: Dictionary[Entry, Callable] = {}


func _init(
	asked_check: AskedCheck, reader: Reader, refactorings: Refactorings, repairs: Repairs, tab: ProblemsTab
) -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	_add("Check All Scenes", Entry.CHECK, asked_check.check_project)
	_add("Fix All Scenes...", Entry.FIX, repairs.fix_project)
	_add("Format All Scenes...", Entry.FORMAT, repairs.format_project)
	_add("Find Unused...", Entry.FIND_UNUSED, refactorings.find_unused.bind("res://"))
	add_separator()
	_add("Show Problems", Entry.PANEL, tab.show)
	_add("Documentation", Entry.DOCUMENTATION, reader.open_documentation)
	id_pressed.connect(choose)


func attach(plugin: EditorPlugin) -> void:
	plugin.add_tool_submenu_item(Addon.MENU, self)


## Frees the menu.
func detach(plugin: EditorPlugin) -> void:
	plugin.remove_tool_menu_item(Addon.MENU)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		for entry: Entry in _ICONS:
			set_item_icon(get_item_index(entry), get_theme_icon(_ICONS[entry], &"EditorIcons"))


func choose(entry: Entry) -> void:
	_actions[entry].call()


func _add(text: String, entry: Entry, action: Callable) -> void:
	add_item(text, entry)
	_actions[entry] = action
