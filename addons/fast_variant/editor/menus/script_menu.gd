@tool
extends EditorContextMenuPlugin
## The addon's entry in the context menu of the script editor.

signal rename_chosen(symbol: ScriptSymbol)

const ScriptSymbol := preload("../refactoring/script_symbol.gd")


func _popup_menu(paths: PackedStringArray) -> void:
	var edit := EditorInterface.get_base_control().get_node_or_null(paths[0]) as CodeEdit
	var symbol := symbol_in(edit)
	if symbol != null:
		var icon := EditorInterface.get_editor_theme().get_icon(&"Rename", &"EditorIcons")
		add_context_menu_item("Rename %s Everywhere..." % symbol.name, _on_rename.bind(symbol), icon)


## What stands at the caret; null if it cannot be renamed.
static func symbol_in(edit: CodeEdit) -> ScriptSymbol:
	if edit == null:
		return null
	return ScriptSymbol.of(EditorInterface.get_script_editor().get_current_script(), edit.get_word_under_caret()) as ScriptSymbol


func _on_rename(_edit: Object, symbol: ScriptSymbol) -> void:
	rename_chosen.emit(symbol)
