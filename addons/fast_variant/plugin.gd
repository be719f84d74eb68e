@tool
extends EditorPlugin
## Checks every scene when it is opened and saved, shows its problems in the Problems panel, and repairs them.
##
## The parts reach the classes of the native library by name. So all scripts load without a library for the platform, and this one
## can report that it is missing.

const _Icons := preload("editor/shared/icons.gd")
const _MissingLibrary := preload("editor/problems/missing_library.gd")
const _Native := preload("editor/shared/native.gd")
const _PanelHost := preload("editor/shared/panel_host.gd")
const _Parts := preload("editor/parts.gd")

## The folder that a release has next to `addons`, so that Godot's Asset Library installs `addons` correctly
## (scripts/package.sh): an empty folder.
const _LEFT_BY_INSTALLATION := "res://.fast_variant_installed"

## Null without the native library.
var _parts: _Parts
## Null with the native library.
var _missing: _MissingLibrary
var _missing_host: _PanelHost


func _enter_tree() -> void:
	if DirAccess.dir_exists_absolute(_LEFT_BY_INSTALLATION):
		DirAccess.remove_absolute(_LEFT_BY_INSTALLATION)
	if not _Native.is_available():
		_say_what_is_missing()
		return
	_parts = _Parts.new()
	add_child(_parts)
	_parts.attach(self)


func _exit_tree() -> void:
	if _parts != null:
		_parts.detach(self)
		_parts.queue_free()
		_parts = null
	if _missing != null:
		_missing_host.remove()
		_missing_host = null
		_missing.queue_free()
		_missing = null


func _get_plugin_name() -> String:
	return "FastVariant"


func _get_plugin_icon() -> Texture2D:
	return _Icons.of_addon("problems")


## Called before every save.
func _apply_changes() -> void:
	if _parts != null:
		_parts.saves.before_save()


## Called before the project is started, when the editor has saved the open files.
func _build() -> bool:
	return _parts == null or _parts.asked_check.may_play()


## Called when a scene or the editor is about to close; the text window has its own question for a scene.
func _get_unsaved_status(for_scene: String) -> String:
	if _parts == null or not for_scene.is_empty():
		return ""
	return _parts.text_window.unsaved_status()


## Called when the user saves other unsaved files, and after a scene was saved.
func _save_external_data() -> void:
	if _parts != null:
		_parts.text_window.save()


## Called when the editor keeps its layout, at the latest when it closes.
func _get_window_layout(_configuration: ConfigFile) -> void:
	if _parts != null:
		_parts.panel.save_state()


## In the log for users without a window, and in the editor for all others.
func _say_what_is_missing() -> void:
	push_warning("FastVariant: " + _MissingLibrary.message())
	_missing = _MissingLibrary.new()
	_missing_host = _PanelHost.new(self, _missing, "Problems")
	_missing_host.set_title("Problems", _Icons.status(1, 0))
	EditorInterface.get_editor_toaster().push_toast(
		"FastVariant has no native library.", EditorToaster.SEVERITY_ERROR, _MissingLibrary.message()
	)
