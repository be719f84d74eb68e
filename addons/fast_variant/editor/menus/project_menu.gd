@tool
extends PopupMenu
## The addon's entries under Project > Tools: for the whole project.

signal check_chosen
signal fix_chosen
signal format_chosen
signal unused_chosen
signal panel_chosen
signal documentation_chosen

enum Entry { CHECK, FIX, FORMAT, FIND_UNUSED, PANEL, DOCUMENTATION }

const _ICONS: Dictionary[Entry, StringName] = {
	Entry.CHECK: &"StatusSuccess", Entry.FIX: &"Tools", Entry.FORMAT: &"TextFile",
	Entry.FIND_UNUSED: &"Search", Entry.PANEL: &"NodeWarning",
}


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	add_item("Check All Scenes", Entry.CHECK)
	add_item("Fix All Scenes...", Entry.FIX)
	add_item("Format All Scenes...", Entry.FORMAT)
	add_item("Find Unused...", Entry.FIND_UNUSED)
	add_separator()
	add_item("Show Problems", Entry.PANEL)
	add_item("Documentation", Entry.DOCUMENTATION)
	id_pressed.connect(choose)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		for entry: Entry in _ICONS:
			set_item_icon(get_item_index(entry), get_theme_icon(_ICONS[entry], &"EditorIcons"))


func choose(entry: Entry) -> void:
	match entry:
		Entry.CHECK:
			check_chosen.emit()
		Entry.FIX:
			fix_chosen.emit()
		Entry.FORMAT:
			format_chosen.emit()
		Entry.FIND_UNUSED:
			unused_chosen.emit()
		Entry.PANEL:
			panel_chosen.emit()
		Entry.DOCUMENTATION:
			documentation_chosen.emit()
