@tool
extends PopupMenu
## The addon's entries under Project > Tools: for the whole project.

signal check_chosen
signal fix_chosen
signal format_chosen
signal panel_chosen

enum Entries { CHECK, FIX, FORMAT, PANEL }


func _init() -> void:
	set_translation_domain(&"godot.editor")
	add_item(tr("Check All Scenes"), Entries.CHECK)
	add_item(tr("Fix All Scenes..."), Entries.FIX)
	add_item(tr("Format All Scenes..."), Entries.FORMAT)
	add_separator()
	add_item(tr("Show Problems"), Entries.PANEL)
	id_pressed.connect(choose)


func choose(entry: Entries) -> void:
	match entry:
		Entries.CHECK:
			check_chosen.emit()
		Entries.FIX:
			fix_chosen.emit()
		Entries.FORMAT:
			format_chosen.emit()
		Entries.PANEL:
			panel_chosen.emit()
