@tool
extends EditorPlugin
## Checks every scene when it is opened and saved, shows what is wrong in the Problems panel, and repairs it.
##
## The parts reach the classes of the native library by name, so that all scripts load, and this one can say what is
## missing, where there is no library for the platform.

const ExportGuard := preload("editor/exporting/export_guard.gd")
const Icons := preload("editor/shared/icons.gd")
const MissingLibrary := preload("editor/problems/missing_library.gd")
const Native := preload("editor/shared/native.gd")
const PanelHost := preload("editor/shared/panel_host.gd")
const SceneWatch := preload("editor/scene_watch.gd")
const Settings := preload("editor/settings/settings.gd")
const SettingsTooltips := preload("editor/settings/settings_tooltips.gd")
const VariantInspector := preload("editor/bytes/variant_inspector.gd")

## The editor would translate "Variant" alone.
const _INSPECTOR_TITLE := "Variant Bytes"

## What a release has beside `addons`, so that Godot's Asset Library puts that in its place (scripts/package.sh): an empty folder.
const _LEFT_BY_INSTALLATION := "res://.fast_variant_installed"

## Null without the native library.
var _scene_watch: SceneWatch
var _export_guard: ExportGuard
var _settings_tooltips: SettingsTooltips
## Null while the setting hides it.
var _inspector: VariantInspector
var _inspector_host: PanelHost
## Null with the native library.
var _missing: MissingLibrary
var _missing_host: PanelHost


func _enter_tree() -> void:
	if DirAccess.dir_exists_absolute(_LEFT_BY_INSTALLATION):
		DirAccess.remove_absolute(_LEFT_BY_INSTALLATION)
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
	_scene_watch.settings.changed.connect(_show_inspector.unbind(1))
	_show_inspector()


func _exit_tree() -> void:
	if _scene_watch != null:
		_hide_inspector()
		_scene_watch.detach()
		_scene_watch.queue_free()
		_scene_watch = null
		remove_export_plugin(_export_guard)
		_export_guard = null
		_settings_tooltips.detach()
		remove_inspector_plugin(_settings_tooltips)
		_settings_tooltips = null
	if _missing != null:
		_missing_host.remove()
		_missing_host = null
		_missing.queue_free()
		_missing = null


func _get_plugin_name() -> String:
	return "FastVariant"


func _get_plugin_icon() -> Texture2D:
	return Icons.of_addon("problems")


## Called before every save.
func _apply_changes() -> void:
	if _scene_watch != null:
		_scene_watch.before_save()


## Called before the project is started, when the editor has saved what is open.
func _build() -> bool:
	return _scene_watch == null or _scene_watch.may_play()


## Called when a scene or the editor is about to close; the text window has its own question for a scene.
func _get_unsaved_status(for_scene: String) -> String:
	if _scene_watch == null or not for_scene.is_empty():
		return ""
	return _scene_watch.text_window.unsaved_status()


## Called when the user saves what else is unsaved, and after a scene was saved.
func _save_external_data() -> void:
	if _scene_watch != null:
		_scene_watch.text_window.save()


## Called when the editor keeps its layout, at the latest when it closes.
func _get_window_layout(_configuration: ConfigFile) -> void:
	if _scene_watch != null:
		_scene_watch.panel.save_state()


## If the setting says so.
func _show_inspector() -> void:
	if _scene_watch == null:
		return
	if not Settings.is_on(Settings.VARIANT_TAB):
		_hide_inspector()
	elif _inspector == null:
		_inspector = VariantInspector.new()
		_inspector_host = PanelHost.new(self, _inspector, _INSPECTOR_TITLE)


func _hide_inspector() -> void:
	if _inspector != null:
		_inspector_host.remove()
		_inspector_host = null
		_inspector.queue_free()
		_inspector = null


## In the log for those who start Godot without a window, and where users of the editor look.
func _say_what_is_missing() -> void:
	push_warning("FastVariant: " + MissingLibrary.message())
	_missing = MissingLibrary.new()
	_missing_host = PanelHost.new(self, _missing, "Problems")
	_missing_host.set_title("Problems", Icons.status(1, 0))
	EditorInterface.get_editor_toaster().push_toast(
		"FastVariant has no native library.", EditorToaster.SEVERITY_ERROR, MissingLibrary.message()
	)
