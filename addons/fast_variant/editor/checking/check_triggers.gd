@tool
extends RefCounted
## Makes the checker look at files that were opened, changed or rewritten, and at all files when something that decides about them
## changes.

const _Checker := preload("checker.gd")
const _ClassWatch := preload("class_watch.gd")
const _ConfigurationWatch := preload("../settings/configuration_watch.gd")
const _FileRewriter := preload("../writing/file_rewriter.gd")
const _HeldSettings := preload("../writing/held_settings.gd")
const _Native := preload("../shared/native.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Settings := preload("../settings/settings.gd")
const _SettingsWatch := preload("../settings/settings_watch.gd")

## More files that were rewritten at once are checked with the project.
const _MAX_CHECKED_BY_THEMSELVES := 10

var _checker: _Checker
var _configuration: _ConfigurationWatch


func _init(
	checker: _Checker, class_watch: _ClassWatch, configuration: _ConfigurationWatch, rewriter: _FileRewriter,
	settings: _SettingsWatch
) -> void:
	_checker = checker
	_configuration = configuration
	class_watch.changed.connect(_on_files_changed)
	configuration.changed.connect(checker.check_project)
	rewriter.rewritten.connect(_on_rewritten)
	settings.changed.connect(_on_settings_changed)


func attach(plugin: EditorPlugin) -> void:
	plugin.scene_changed.connect(_on_scene_changed)
	var file_system := EditorInterface.get_resource_filesystem()
	file_system.filesystem_changed.connect(_on_files_changed)
	file_system.resources_reimported.connect(_on_files_changed.unbind(1))
	# After another program has changed files, Godot emits only these, and nothing for files that it has not loaded.
	file_system.sources_changed.connect(_on_files_changed.unbind(1))
	file_system.resources_reload.connect(_on_files_changed.unbind(1))
	EditorInterface.get_base_control().get_window().focus_entered.connect(_on_files_changed)
	_on_scene_changed(EditorInterface.get_edited_scene_root())
	_on_files_changed()


## Another scene came to the front; perhaps it was opened just now.
func _on_scene_changed(root: Node) -> void:
	var path := root.scene_file_path if root != null else ""
	# A new scene, or one with a deleted file, has none.
	if not _SceneFiles.is_text(path) or not FileAccess.file_exists(path):
		return
	if _Settings.is_on(_Settings.CHECK_ON_OPEN) and not _checker.is_known(path) and not _Settings.is_excluded(path):
		_checker.check(path)


func _on_files_changed() -> void:
	if _Settings.is_on(_Settings.CHECK_PROJECT):
		_checker.check_project_soon()
	else:
		_Native.refresh()
		_checker.check_changed()


func _on_settings_changed(names: PackedStringArray) -> void:
	if _Settings.EXCLUDED in names:
		_checker.forget_excluded()
	if _Settings.EXCLUDED in names or _Settings.CHECK_PROJECT in names:
		_on_files_changed()


func _on_rewritten(paths: PackedStringArray) -> void:
	var are_few := paths.size() <= _MAX_CHECKED_BY_THEMSELVES
	for path: String in paths:
		if path == _HeldSettings.PATH:
			_on_files_changed()
		elif not _SceneFiles.is_text(path):
			_configuration.look()
		elif are_few:
			_checker.check(path, false)
	if not are_few:
		_checker.check_project()
