@tool
extends EditorPlugin
## Checks every text scene when it is saved: prints what is found, and shows one toast.
##
## The classes of the native library are reached by name, so that this script loads, and can say what is missing, where
## there is no library for the platform.

const LINTER := &"SceneLinter"
const TEXT_SCENES: PackedStringArray = ["tscn", "escn"]


func _enter_tree() -> void:
	if not ClassDB.class_exists(LINTER):
		push_warning(
			"FastVariant: there is no native library for this platform in res://addons/fast_variant/bin. "
			+ "Install a release of the addon that has one, or build it with scripts/build.sh."
		)
		return
	scene_saved.connect(_on_scene_saved)


func _exit_tree() -> void:
	if scene_saved.is_connected(_on_scene_saved):
		scene_saved.disconnect(_on_scene_saved)


func _on_scene_saved(path: String) -> void:
	if path.get_extension().to_lower() not in TEXT_SCENES:
		return
	var text := FileAccess.get_file_as_string(path)
	var diagnostics: Array = ClassDB.class_call_static(LINTER, &"lint_text", text, path)
	for diagnostic: RefCounted in diagnostics:
		_print_diagnostic(diagnostic)
	_show_toast(path, diagnostics)


## Errors go where the editor shows them in red.
func _print_diagnostic(diagnostic: RefCounted) -> void:
	var line: String = diagnostic.call(&"describe")
	if diagnostic.get(&"severity") == "error":
		printerr(line)
	else:
		print(line)


func _show_toast(path: String, diagnostics: Array) -> void:
	var errors := _count(diagnostics, "error")
	var warnings := _count(diagnostics, "warning")
	if errors + warnings == 0:
		return
	var message := "%s: %d error(s), %d warning(s)" % [path.get_file(), errors, warnings]
	var severity := EditorToaster.SEVERITY_ERROR if errors > 0 else EditorToaster.SEVERITY_WARNING
	EditorInterface.get_editor_toaster().push_toast(message, severity, "The Output panel lists them.")


func _count(diagnostics: Array, severity: String) -> int:
	return diagnostics.filter(
		func(diagnostic: RefCounted) -> bool: return diagnostic.get(&"severity") == severity
	).size()
