@tool
extends Node
## Notices what a save drops: keeps what was on the disk before, and compares when the editor has saved.

signal dropped(losses: SaveLosses)

const LossJudge := preload("loss_judge.gd")
const Native := preload("native.gd")
const SaveLosses := preload("save_losses.gd")
const SceneFiles := preload("scene_files.gd")

## Larger files are read again only if their time has changed.
const _SMALL := 1 << 18

## The files as they were before the save, by path.
var _texts: Dictionary[String, PackedByteArray] = {}
var _times: Dictionary[String, int] = {}


## To be called before the editor saves: what is open may be written.
func keep_texts() -> void:
	var open := EditorInterface.get_open_scenes()
	for path: String in open:
		keep_text(path)
	var edited: Resource = EditorInterface.get_inspector().get_edited_object() as Resource
	if edited != null:
		keep_text(edited.resource_path)
	for path: String in _texts.keys():
		if path not in open and (edited == null or path != edited.resource_path):
			_texts.erase(path)
			_times.erase(path)


func keep_text(path: String) -> void:
	if not SceneFiles.is_text(path) or not FileAccess.file_exists(path):
		return
	var time := FileAccess.get_modified_time(path)
	var is_large := _texts.has(path) and _texts[path].size() > _SMALL
	if is_large and _times[path] == time:
		return
	_texts[path] = SceneFiles.read(path)
	_times[path] = time


## To be called when the editor has saved. `saved` is the edited scene or the resource; null if it is not at hand.
func compare(path: String, saved: Object) -> void:
	if path not in _texts:
		return
	var before := _texts[path]
	var after := SceneFiles.read(path)
	_texts[path] = after
	_times[path] = FileAccess.get_modified_time(path)
	if before == after:
		return
	if after.size() + before.size() > _SMALL:
		_compare_in_background(path, before, after)
	else:
		_judge(path, before, Native.lost(before, after), saved)


func _compare_in_background(path: String, before: PackedByteArray, after: PackedByteArray) -> void:
	var job := Native.lost_in_background(before, after)
	while not job.call(&"is_finished"):
		await get_tree().process_frame
		# The addon may have been disabled meanwhile, and the scene saved again.
		if not is_inside_tree() or _texts.get(path) != after:
			return
	var natives: Array = job.call(&"losses")
	_judge(path, before, Native.losses(natives), SceneFiles.root_of(path))


func _judge(path: String, before: PackedByteArray, candidates: Array[SaveLosses.Loss], saved: Object) -> void:
	var result := SaveLosses.new()
	result.path = path
	result.before = before
	result.losses = LossJudge.new(saved).losses_among(candidates)
	if not result.losses.is_empty():
		dropped.emit(result)
