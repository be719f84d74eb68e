@tool
extends Node
## Notices what a save drops: keeps what was on the disk before, and compares when the editor has saved. One save may write
## more than the scene at the front: every resource that was edited since the last one.

signal dropped(losses: SaveLosses)
## The editor has written a resource, and emitted no signal: so it saves one along with a scene.
signal saved_along(resource: Resource)

const Diagnostic := preload("../checking/diagnostic.gd")
const KeptTexts := preload("kept_texts.gd")
const LossJudge := preload("loss_judge.gd")
const Native := preload("../shared/native.gd")
const Problems := preload("../problems/problems.gd")
const SaveLosses := preload("save_losses.gd")
const SceneFiles := preload("../shared/scene_files.gd")
const Settings := preload("../settings/settings.gd")

## Larger files are compared in the background.
const _SMALL := 1 << 18

var _problems: Problems
var _texts := KeptTexts.new()


func _init(problems: Problems) -> void:
	_problems = problems


func _ready() -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	file_system.filesystem_changed.connect(_on_files_changed)
	file_system.resources_reload.connect(_on_files_changed_by_others)
	EditorInterface.get_inspector().edited_object_changed.connect(_on_inspected, CONNECT_DEFERRED)


## To be called before the editor saves: what is open or loaded may be written.
func keep_texts() -> void:
	_texts.keep_all()


func keep_text(path: String) -> void:
	_texts.keep(path)


## To be called when the editor has saved.
func compare(path: String) -> void:
	if not _texts.has(path):
		return
	var before := _texts.text_of(path)
	_texts.keep(path)
	var after := _texts.text_of(path)
	if before == after:
		return
	if after.size() + before.size() > _SMALL:
		_compare_in_background(path, before, after)
	else:
		_judge(path, before, after, Native.lost(before, after))


func _compare_in_background(path: String, before: PackedByteArray, after: PackedByteArray) -> void:
	var job := Native.lost_in_background(before, after)
	while not job.call(&"is_finished"):
		await get_tree().process_frame
		# The addon may have been disabled meanwhile, and the scene saved again.
		if not is_inside_tree() or _texts.text_of(path) != after:
			return
	var natives: Array = job.call(&"losses")
	_judge(path, before, after, Native.losses(natives))


func _judge(
	path: String, before: PackedByteArray, after: PackedByteArray, candidates: Array[SaveLosses.Loss]
) -> void:
	var judge := LossJudge.new(path, _problems.diagnostics_of(path))
	var result := SaveLosses.new()
	result.path = path
	result.before = before
	result.after = after
	result.losses = judge.losses_among(candidates)
	result.removed = judge.removed
	if not result.losses.is_empty():
		dropped.emit(result)


## The editor tells this of each file that it writes, too.
func _on_files_changed() -> void:
	_texts.list_again()
	if not Settings.is_on(Settings.AUDIT_SAVES):
		return
	for path: String in _texts.changed_resources():
		var resource := ResourceLoader.get_cached_ref(path)
		if resource != null:
			saved_along.emit(resource)
		else:
			_texts.keep(path)


## What the editor finds to be other on the disk than it wrote it was not saved by it. It tells this first.
func _on_files_changed_by_others(paths: PackedStringArray) -> void:
	for path: String in paths:
		if _texts.has(path):
			_texts.keep(path)


## Before it is edited. What is inspected may be saved without any scene.
func _on_inspected() -> void:
	if Settings.is_on(Settings.AUDIT_SAVES):
		_texts.keep_new()
