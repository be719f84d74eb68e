@tool
extends EditorContextMenuPlugin
## The addon's entry in the context menu of the script editor.

const _Refactorings := preload("../refactoring/refactorings.gd")
const _ScriptSymbol := preload("../refactoring/script_symbol.gd")

var _refactorings: _Refactorings


func _init(refactorings: _Refactorings) -> void:
	_refactorings = refactorings


func attach(plugin: EditorPlugin) -> void:
	plugin.add_context_menu_plugin(CONTEXT_SLOT_SCRIPT_EDITOR_CODE, self)


func detach(plugin: EditorPlugin) -> void:
	plugin.remove_context_menu_plugin(self)


func _popup_menu(paths: PackedStringArray) -> void:
	var edit := EditorInterface.get_base_control().get_node_or_null(paths[0]) as CodeEdit
	var symbol := _ScriptSymbol.at_caret(edit) as _ScriptSymbol
	if symbol != null:
		var icon := EditorInterface.get_editor_theme().get_icon(&"Rename", &"EditorIcons")
		var rename := _refactorings.rename_symbol.bind(symbol).unbind(1)
		add_context_menu_item("Rename %s Everywhere..." % symbol.name, rename, icon)
