@tool
extends EditorPlugin
## Does in a running editor what a user would do: saves a good scene and a broken one, and looks up the classes of the
## library. What our plugin prints about the scenes is checked by scripts/test_editor_plugin.sh.

const GOOD := "res://good.tscn"
const BROKEN := "res://broken.tscn"
## The editor repairs what it saves. So the broken scene is made while it is being saved: this plugin comes before ours
## in the list, and is told of the saved scene first.
const BROKEN_TEXT := """[gd_scene format=3]

[node name="Broken" type="Node2D"]
texture = ExtResource("1_gone")

[node name="Child" type="Node2D" parent="Nowhere"]
"""
## Each class of the library, and one of its members.
const DOCUMENTED := {
	"FastVariant": "encode_with_objects",
	"FastVariantResult": "bytes_read",
	"SceneLinter": "lint_text",
	"SceneDiagnostic": "severity",
}
const SUCCESS := "editor plugin test: SUCCESS"
const MAX_FRAMES := 2000

var _failed := false


func _enter_tree() -> void:
	scene_saved.connect(_on_scene_saved)
	_run.call_deferred()


func _run() -> void:
	await _until(func() -> bool: return not EditorInterface.get_resource_filesystem().is_scanning(), "the first scan")
	for path: String in [GOOD, BROKEN]:
		await _open_and_save(path)
	await _check_toasts()
	for documented: String in DOCUMENTED:
		await _check_help(documented)
	if not _failed:
		print(SUCCESS)
	get_tree().quit(1 if _failed else 0)


func _open_and_save(path: String) -> void:
	EditorInterface.open_scene_from_path(path)
	await _until(func() -> bool: return _edited_path() == path, "%s is open" % path)
	print("saving %s" % path)
	var error := EditorInterface.save_scene()
	if error != OK:
		_fail("%s cannot be saved: %s" % [path, error_string(error)])
	await get_tree().process_frame
	print("saved %s" % path)


## One for the broken scene, however much is wrong with it, and none for the good one.
func _check_toasts() -> void:
	var broken := BROKEN.get_file() + ": 2 error(s), 0 warning(s)"
	await _until(func() -> bool: return not _labels(broken).is_empty(), "a toast for the broken scene")
	if _labels(BROKEN.get_file() + ": ").size() != 1:
		_fail("more than one toast: %s" % [_labels(BROKEN.get_file() + ": ")])
	if not _labels(GOOD.get_file() + ": ").is_empty():
		_fail("a toast for the good scene")


## The texts in the editor's window that begin like this.
func _labels(beginning: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for node: Node in EditorInterface.get_base_control().find_children("*", "Label", true, false):
		var label: Label = node
		if label.text.begins_with(beginning):
			found.append(label.text)
	return found


func _edited_path() -> String:
	var root := EditorInterface.get_edited_scene_root()
	return root.scene_file_path if root != null else ""


func _on_scene_saved(path: String) -> void:
	if path == BROKEN:
		var file := FileAccess.open(path, FileAccess.WRITE)
		file.store_string(BROKEN_TEXT)
		file.close()


## What F1 shows: a page on the class, with a description of the class and of each method.
func _check_help(documented: String) -> void:
	EditorInterface.get_script_editor().goto_help("class_name:" + documented)
	await _until(func() -> bool: return not _help_text(documented).is_empty(), "the help on %s" % documented)
	var text := _help_text(documented)
	var word: String = DOCUMENTED[documented]
	if not text.contains(word):
		_fail("the help on %s does not mention %s: %s" % [documented, word, text.left(500)])
	if text.contains("There is currently no description"):
		_fail("something in %s has no description: %s" % [documented, text])


func _help_text(documented: String) -> String:
	for help: Node in EditorInterface.get_script_editor().find_children("*", "EditorHelp", true, false):
		if help.name == documented:
			for label: Node in help.find_children("*", "RichTextLabel", true, false):
				var rich: RichTextLabel = label
				if not rich.get_parsed_text().is_empty():
					return rich.get_parsed_text()
	return ""


func _until(condition: Callable, what: String) -> void:
	for frame: int in MAX_FRAMES:
		if condition.call():
			return
		await get_tree().process_frame
	_fail("waited in vain for: %s" % what)


func _fail(reason: String) -> void:
	_failed = true
	print("FAIL  ", reason)
