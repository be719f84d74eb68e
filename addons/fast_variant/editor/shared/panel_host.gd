@tool
extends RefCounted
## Puts a panel to the bottom of the editor, with a tab that can change: a dock since Godot 4.6, a button before.

const _DOCK_CLASS := &"EditorDock"

var _plugin: EditorPlugin
var _panel: Control
## An `EditorDock`, or null.
var _dock: Control
## Null if there is a dock.
var _button: Button


## `shortcut` shows the panel and hides it again, as those of the editor do with their panels.
func _init(plugin: EditorPlugin, panel: Control, title: String, shortcut: Shortcut = null) -> void:
	_plugin = plugin
	_panel = panel
	if ClassDB.class_exists(_DOCK_CLASS):
		_add_dock(title, shortcut)
	else:
		_button = plugin.add_control_to_bottom_panel(panel, title, shortcut)


func set_title(title: String, icon: Texture2D) -> void:
	if _dock != null:
		_dock.set(&"title", title)
		_dock.set(&"dock_icon", icon)
	else:
		_button.text = title
		_button.icon = icon


func make_visible() -> void:
	if _dock != null:
		_dock.call(&"make_visible")
	else:
		_plugin.make_bottom_panel_item_visible(_panel)


## Takes the panel away. Who made it frees it.
func remove() -> void:
	if _dock != null:
		_plugin.call(&"remove_dock", _dock)
		_dock.remove_child(_panel)
		_dock.queue_free()
	else:
		_plugin.remove_control_from_bottom_panel(_panel)


func _add_dock(title: String, shortcut: Shortcut) -> void:
	_dock = ClassDB.instantiate(_DOCK_CLASS)
	_dock.set(&"title", title)
	_dock.set(&"layout_key", "fast_variant_%s" % String(_panel.name).to_lower())
	_dock.set(&"default_slot", ClassDB.class_get_integer_constant(_DOCK_CLASS, &"DOCK_SLOT_BOTTOM"))
	var layouts := ClassDB.class_get_integer_constant(_DOCK_CLASS, &"DOCK_LAYOUT_HORIZONTAL")
	_dock.set(&"available_layouts", layouts | ClassDB.class_get_integer_constant(_DOCK_CLASS, &"DOCK_LAYOUT_FLOATING"))
	_dock.set(&"global", false)
	_dock.set(&"transient", true)
	_dock.set(&"force_show_icon", true)
	_dock.set(&"dock_shortcut", shortcut)
	_dock.add_child(_panel)
	_plugin.call(&"add_dock", _dock)
