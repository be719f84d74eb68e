@tool
extends RefCounted
## The tab of the Variant inspector, while the setting does not hide it.

const _PanelHost := preload("../shared/panel_host.gd")
const _Settings := preload("../settings/settings.gd")
const _SettingsWatch := preload("../settings/settings_watch.gd")
const _VariantInspector := preload("variant_inspector.gd")

## The editor would translate "Variant" alone.
const _TITLE := "Variant Bytes"

var _plugin: EditorPlugin
## Null while the setting hides it.
var _inspector: _VariantInspector
var _host: _PanelHost


func _init(settings: _SettingsWatch) -> void:
	settings.changed.connect(_show.unbind(1))


func attach(plugin: EditorPlugin) -> void:
	_plugin = plugin
	_show()


func detach(_from: EditorPlugin) -> void:
	if _inspector != null:
		_host.remove()
		_host = null
		_inspector.queue_free()
		_inspector = null


func _show() -> void:
	if not _Settings.is_on(_Settings.VARIANT_TAB):
		detach(_plugin)
	elif _inspector == null:
		_inspector = _VariantInspector.new()
		_host = _PanelHost.new(_plugin, _inspector, _TITLE)
