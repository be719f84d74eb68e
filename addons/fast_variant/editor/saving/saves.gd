@tool
extends Node
## The steps for a file that the editor saves: it is compared with its earlier text, formatted and checked, in this order.

## Emitted before anything is done.
signal saved(path: String)

const Checker := preload("../checking/checker.gd")
const FileRewriter := preload("../writing/file_rewriter.gd")
const Problems := preload("../problems/problems.gd")
const Repairs := preload("../fixing/repairs.gd")
const SaveAudit := preload("save_audit.gd")
const SceneFiles := preload("../shared/scene_files.gd")
const Settings := preload("../settings/settings.gd")

var audit: SaveAudit

var _checker: Checker
var _repairs: Repairs


func _init(checker: Checker, problems: Problems, repairs: Repairs, rewriter: FileRewriter) -> void:
	_checker = checker
	_repairs = repairs
	audit = SaveAudit.new(problems)
	audit.saved_along.connect(_on_resource_saved)
	add_child(audit)
	rewriter.rewritten.connect(_on_rewritten)


func attach(plugin: EditorPlugin) -> void:
	audit.attach(plugin)
	plugin.scene_saved.connect(on_saved)
	plugin.resource_saved.connect(_on_resource_saved)


## To be called before the editor saves.
func before_save() -> void:
	if Settings.is_on(Settings.AUDIT_SAVES):
		audit.keep_texts()


func on_saved(path: String) -> void:
	saved.emit(path)
	if Settings.is_on(Settings.AUDIT_SAVES):
		audit.compare(path)
	if not SceneFiles.is_text(path):
		return
	if Settings.is_on(Settings.FORMAT_ON_SAVE):
		_repairs.format_saved(path)
		audit.keep_text(path)
	if Settings.is_on(Settings.CHECK_ON_SAVE):
		_checker.check(path)


func _on_resource_saved(resource: Resource) -> void:
	if not resource is PackedScene:
		on_saved(resource.resource_path)


func _on_rewritten(paths: PackedStringArray) -> void:
	for path: String in paths:
		audit.keep_text(path)
