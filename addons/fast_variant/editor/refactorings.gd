@tool
extends Node
## Renames and moves with everything that names what is renamed: asks for the new name, and carries it out.

const FileRewriter := preload("file_rewriter.gd")
const Refactoring := preload("refactoring.gd")
const RefactoringWindow := preload("refactoring_window.gd")
const ScriptSymbol := preload("script_symbol.gd")
const Toasts := preload("toasts.gd")
const Words := preload("words.gd")

var rewriter: FileRewriter
var toasts: Toasts
var window := RefactoringWindow.new()


func _init() -> void:
	window.apply_requested.connect(_on_apply_requested)


func _ready() -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	while file_system.is_scanning():
		await get_tree().process_frame
	finish_interrupted()


## Finishes what a process that was killed has left half done, be it the editor or the command `gdscene`. Until then, there
## are no other refactorings.
func finish_interrupted() -> void:
	var interrupted := Refactoring.new(&"finish_interrupted", [])
	interrupted.wait()
	var reason := interrupted.error()
	if reason.is_empty() and interrupted.is_empty():
		return
	if reason.is_empty():
		reason = rewriter.refactor(interrupted)
	var outcome := "It is finished now. Undo: Ctrl+Z." if reason.is_empty() else "It is not finished yet: %s." % reason
	toasts.push("A refactoring was interrupted: %s. %s" % [interrupted.title, outcome], EditorToaster.SEVERITY_WARNING)


func rename_node(scene: String, path: String) -> void:
	var make := func(new_name: String) -> Refactoring: return Refactoring.new(&"rename_node", [scene, path, new_name])
	var name_of_node := path.get_file()
	if path == ".":
		var root := EditorInterface.get_edited_scene_root()
		name_of_node = root.name if root != null else &""
	_ask("Node %s of %s" % [path, scene], "Rename Everywhere", "New name:", name_of_node, make)


func rename_symbol(symbol: ScriptSymbol) -> void:
	var make := func(new_name: String) -> Refactoring: return symbol.renamed(new_name)
	_ask(symbol.describe(), "Rename Everywhere", "New name:", symbol.name, make)


func move(path: String) -> void:
	var old := path.trim_suffix("/")
	var make := func(new_path: String) -> Refactoring: return Refactoring.new(&"move_files", [old, new_path])
	_ask("%s, with all that names its path" % old, "Move with References", "New path:", old, make)


func _ask(subject: String, action: String, label: String, old: String, make: Callable) -> void:
	finish_interrupted()
	window.ask(subject, action, label, old, make)


func _on_apply_requested(refactoring: Refactoring) -> void:
	var reason := rewriter.refactor(refactoring)
	if not reason.is_empty():
		window.refuse(reason)
		return
	var count := refactoring.touched().size()
	window.done()
	var message := "%s: %s changed. Undo: Ctrl+Z." % [refactoring.title, Words.counted(count, "%d file", "%d files")]
	if not refactoring.doubts.is_empty():
		message += " " + Words.counted(refactoring.doubts.size(), "%d place is left to look at.", "%d places are left to look at.")
	toasts.push(message.left(1).to_upper() + message.substr(1), EditorToaster.SEVERITY_INFO, "\n".join(refactoring.notes()))
