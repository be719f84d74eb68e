@tool
extends Node
## The steps for a file that the editor saves: it is compared with its earlier text, formatted and checked, in this order.

## Emitted before anything is done.
signal saved(path: String)

const _Checker := preload("../checking/checker.gd")
const _FileRewriter := preload("../writing/file_rewriter.gd")
const _Problems := preload("../problems/problems.gd")
const _Repairs := preload("../fixing/repairs.gd")
const _SaveAudit := preload("save_audit.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Settings := preload("../settings/settings.gd")

var audit: _SaveAudit

var _checker: _Checker
var _repairs: _Repairs


func _init(checker: _Checker, problems: _Problems, repairs: _Repairs, rewriter: _FileRewriter) -> void:
	_checker = checker
	_repairs = repairs
	audit = _SaveAudit.new(problems)
	audit.saved_along.connect(_on_resource_saved)
	add_child(audit)
	rewriter.rewritten.connect(_on_rewritten)


func attach(plugin: EditorPlugin) -> void:
	audit.attach(plugin)
	plugin.scene_saved.connect(on_saved)
	plugin.resource_saved.connect(_on_resource_saved)


## To be called before the editor saves.
func before_save() -> void:
	if _Settings.is_on(_Settings.AUDIT_SAVES):
		audit.keep_texts()


func on_saved(path: String) -> void:
	saved.emit(path)
	if _Settings.is_on(_Settings.AUDIT_SAVES):
		audit.compare(path)
	if not _SceneFiles.is_text(path):
		return
	if _Settings.is_on(_Settings.FORMAT_ON_SAVE):
		_repairs.format_saved(path)
		audit.keep_text(path)
	if _Settings.is_on(_Settings.CHECK_ON_SAVE):
		_checker.check(path)


func _on_resource_saved(resource: Resource) -> void:
	if not resource is PackedScene:
		on_saved(resource.resource_path)


func _on_rewritten(paths: PackedStringArray) -> void:
	for path: String in paths:
		audit.keep_text(path)
