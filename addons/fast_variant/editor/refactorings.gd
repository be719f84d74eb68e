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


func rename_node(scene: String, path: String) -> void:
	var make := func(new_name: String) -> Refactoring: return Refactoring.new(&"rename_node", [scene, path, new_name])
	var name_of_node := path.get_file()
	if path == ".":
		var root := EditorInterface.get_edited_scene_root()
		name_of_node = root.name if root != null else &""
	window.ask("Node %s of %s" % [path, scene], "Rename Everywhere", "New name:", name_of_node, make)


func rename_symbol(symbol: ScriptSymbol) -> void:
	var make := func(new_name: String) -> Refactoring: return symbol.renamed(new_name)
	window.ask(symbol.describe(), "Rename Everywhere", "New name:", symbol.name, make)


func move(path: String) -> void:
	var old := path.trim_suffix("/")
	var make := func(new_path: String) -> Refactoring: return Refactoring.new(&"move_files", [old, new_path])
	window.ask("%s, with all that names its path" % old, "Move with References", "New path:", old, make)


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
