@tool
extends RefCounted
## Puts the Variant inspector into a dock of the editor: an `EditorDock` since Godot 4.6.

const VariantInspector := preload("variant_inspector.gd")

const _DOCK_CLASS := &"EditorDock"

var inspector := VariantInspector.new()
var _plugin: EditorPlugin
## An `EditorDock`, or null.
var _dock: Control


func _init(plugin: EditorPlugin) -> void:
	_plugin = plugin
	if not ClassDB.class_exists(_DOCK_CLASS):
		plugin.add_control_to_dock(EditorPlugin.DOCK_SLOT_RIGHT_BL, inspector)
		return
	_dock = ClassDB.instantiate(_DOCK_CLASS)
	_dock.set(&"title", inspector.name)
	_dock.set(&"layout_key", "fast_variant_inspector")
	_dock.set(&"default_slot", ClassDB.class_get_integer_constant(_DOCK_CLASS, &"DOCK_SLOT_RIGHT_BL"))
	_dock.add_child(inspector)
	plugin.call(&"add_dock", _dock)


## Takes the dock away, and frees it.
func remove() -> void:
	if _dock != null:
		_plugin.call(&"remove_dock", _dock)
		_dock.queue_free()
	else:
		_plugin.remove_control_from_docks(inspector)
		inspector.queue_free()
