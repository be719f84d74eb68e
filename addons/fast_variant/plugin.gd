@tool
extends EditorPlugin
## Checks every scene when it is opened and saved, shows what is wrong in the Problems panel, and repairs it.
##
## The parts reach the classes of the native library by name, so that all scripts load, and this one can say what is
## missing, where there is no library for the platform.

const ExportGuard := preload("editor/export_guard.gd")
const Icons := preload("editor/icons.gd")
const Native := preload("editor/native.gd")
const PanelHost := preload("editor/panel_host.gd")
const SceneWatch := preload("editor/scene_watch.gd")
const SettingsTooltips := preload("editor/settings_tooltips.gd")
const VariantInspector := preload("editor/variant_inspector.gd")

## Null without the native library.
var _scene_watch: SceneWatch
var _export_guard: ExportGuard
var _settings_tooltips: SettingsTooltips
var _inspector: VariantInspector
var _inspector_host: PanelHost


func _enter_tree() -> void:
	if not Native.is_available():
		_say_what_is_missing()
		return
	_scene_watch = SceneWatch.new()
	add_child(_scene_watch)
	_scene_watch.attach(self)
	_export_guard = ExportGuard.new()
	add_export_plugin(_export_guard)
	_settings_tooltips = SettingsTooltips.new()
	_settings_tooltips.configuration = _scene_watch.configuration
	add_inspector_plugin(_settings_tooltips)
	_inspector = VariantInspector.new()
	_inspector_host = PanelHost.new(self, _inspector, "Variant")


func _exit_tree() -> void:
	if _scene_watch != null:
		_scene_watch.detach()
		_scene_watch.queue_free()
		_scene_watch = null
		remove_export_plugin(_export_guard)
		_export_guard = null
		_settings_tooltips.detach()
		remove_inspector_plugin(_settings_tooltips)
		_settings_tooltips = null
		_inspector_host.remove()
		_inspector_host = null
		_inspector.queue_free()
		_inspector = null


func _get_plugin_name() -> String:
	return "FastVariant"


func _get_plugin_icon() -> Texture2D:
	return Icons.of_addon("problems")


## Called before every save.
func _apply_changes() -> void:
	if _scene_watch != null:
		_scene_watch.before_save()


## Called when the editor keeps its layout, at the latest when it closes.
func _get_window_layout(_configuration: ConfigFile) -> void:
	if _scene_watch != null:
		_scene_watch.panel.save_state()


func _say_what_is_missing() -> void:
	if Native.is_outdated():
		push_warning("FastVariant: the native library is of another version than the addon. Restart the editor.")
		return
	push_warning(
		"FastVariant: there is no native library for this platform in res://addons/fast_variant/bin. "
		+ "Install a release of the addon that has one, or build it with scripts/build.sh."
	)
