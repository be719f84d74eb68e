@tool
extends Node
## Notices the data that a save drops and overwrites: keeps the earlier text, and compares when the editor has saved. One save may
## write more than the scene at the front: every resource and script that was edited since the last one.

signal dropped(losses: _SaveLosses)
## The editor has written a resource, and emitted no signal: so it saves one along with a scene.
signal saved_along(resource: Resource)

const _Diagnostic := preload("../checking/diagnostic.gd")
const _KeptTexts := preload("kept_texts.gd")
const _LossJudge := preload("loss_judge.gd")
const _Native := preload("../shared/native.gd")
const _OverwrittenLines := preload("overwritten_lines.gd")
const _Problems := preload("../problems/problems.gd")
const _SaveLosses := preload("save_losses.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _ScriptTexts := preload("script_texts.gd")
const _Settings := preload("../settings/settings.gd")

## Larger files are compared in the background.
const _SMALL := 1 << 18
## Another program wrote whatever is written later.
const _LONGEST_SAVE_MSEC := 10_000

var _problems: _Problems
var _scripts := _ScriptTexts.new()
var _texts := _KeptTexts.new()
## When the editor began to save last.
var _saving_frame := -1
var _saving_msec := -_LONGEST_SAVE_MSEC


func _init(problems: _Problems) -> void:
	_problems = problems


func _ready() -> void:
	var file_system := EditorInterface.get_resource_filesystem()
	file_system.filesystem_changed.connect(_on_files_changed)
	file_system.resources_reload.connect(_on_files_changed_by_others)
	EditorInterface.get_inspector().edited_object_changed.connect(_on_inspected, CONNECT_DEFERRED)
	look.call_deferred()


func attach(plugin: EditorPlugin) -> void:
	plugin.scene_changed.connect(look.unbind(1))
	plugin.scene_closed.connect(_on_scene_closed)


## Call this before the editor saves: every open or loaded file may be written.
func keep_texts() -> void:
	# One save of several files says so before each of them.
	if Engine.get_process_frames() == _saving_frame:
		_find_saved_along()
	_saving_frame = Engine.get_process_frames()
	_saving_msec = Time.get_ticks_msec()
	_texts.keep_all()
	_scripts.keep_all()


## The editor has just read or written this text itself, or another part of the addon has, which notified the editor.
func keep_text(path: String) -> void:
	_texts.hold(path)
	_scripts.hold(path)


## To be called when the editor has saved.
func compare(path: String) -> void:
	_report_overwritten_scripts()
	if not _texts.has(path):
		return
	var held := _texts.held_of(path)
	var before := _texts.text_of(path)
	var was_newer := _texts.is_newer(path)
	_texts.hold(path)
	var after := _texts.text_of(path)
	if before == after:
		return
	if after.size() + before.size() > _SMALL:
		_compare_in_background(path, before, after)
	else:
		_judge(path, before, after, _Native.lost(before, after))
	if was_newer and Time.get_ticks_msec() - _saving_msec < _LONGEST_SAVE_MSEC:
		_report_overwritten(path, held, before, after)


## Reads files that are open by now, and not kept yet.
func look() -> void:
	if _Settings.is_on(_Settings.AUDIT_SAVES):
		_texts.keep_new_scenes()
		_scripts.look()


## Whether the text of an open scene or script on the disk differs from the text that the editor has read or written last.
func is_newer(path: String) -> bool:
	if not _SceneFiles.is_text(path):
		return not _scripts.newer(path).is_empty()
	_texts.keep(path)
	return _texts.is_newer(path)


## The text that another program wrote into such a file, as if the editor had saved over it; null without one. `known` is the
## earlier result of this function, or null.
func newer(path: String, known: _SaveLosses) -> _SaveLosses:
	var is_text := _SceneFiles.is_text(path)
	var held := _texts.held_of(path) if is_text else _scripts.held_of(path)
	var now := _texts.text_of(path) if is_text else _scripts.newer(path)
	if known != null and known.base == held and known.before == now:
		return known
	return _overwritten(path, held, now, held)


func _compare_in_background(path: String, before: PackedByteArray, after: PackedByteArray) -> void:
	var job := _Native.lost_in_background(before, after)
	while not job.call(&"is_finished"):
		await get_tree().process_frame
		# The addon may have been disabled meanwhile, and the scene saved again.
		if not is_inside_tree() or _texts.text_of(path) != after:
			return
	var natives: Array = job.call(&"losses")
	_judge(path, before, after, _Native.losses(natives))


func _judge(
	path: String, before: PackedByteArray, after: PackedByteArray, candidates: Array[_SaveLosses._Loss]
) -> void:
	var judge := _LossJudge.new(path, _problems.diagnostics_of(path))
	var result := _SaveLosses.new()
	result.path = path
	result.before = before
	result.after = after
	result.losses = judge.losses_among(candidates)
	result.removed = judge.removed
	if not result.losses.is_empty():
		dropped.emit(result)


func _report_overwritten(path: String, held: PackedByteArray, before: PackedByteArray, after: PackedByteArray) -> void:
	var losses := _overwritten(path, held, before, after)
	if losses != null:
		dropped.emit(losses)


func _report_overwritten_scripts() -> void:
	for path: String in _scripts.overwritten():
		_report_overwritten(path, _scripts.held_of(path), _scripts.newer_text_of(path), _SceneFiles.read(path))
		_scripts.hold(path)


## Null if nothing of `before` is gone that is not in `held` either.
func _overwritten(path: String, held: PackedByteArray, before: PackedByteArray, after: PackedByteArray) -> _SaveLosses:
	var lines := _OverwrittenLines.find(held, before, after)
	if lines.is_empty():
		return null
	var result := _SaveLosses.new()
	result.path = path
	result.base = held
	result.before = before
	result.after = after
	result.losses = lines
	return result


## The editor also emits this signal for each file that it writes.
func _on_files_changed() -> void:
	_texts.list_again()
	_scripts.list_again()
	if _Settings.is_on(_Settings.AUDIT_SAVES):
		_find_saved_along()


func _find_saved_along() -> void:
	_report_overwritten_scripts()
	for path: String in _texts.changed_resources():
		var resource := ResourceLoader.get_cached_ref(path)
		if resource != null:
			saved_along.emit(resource)
		else:
			_texts.hold(path)


## The editor did not save the files that it finds changed on the disk. It emits this signal first. Then it reads resources again,
## and asks about open scenes.
func _on_files_changed_by_others(paths: PackedStringArray) -> void:
	for path: String in paths:
		if not _texts.has(path):
			continue
		if _SceneFiles.is_scene(path):
			_texts.keep(path)
		else:
			_texts.hold(path)


func _on_scene_closed(path: String) -> void:
	_texts.forget(path)
	# It may be read again right now.
	look.call_deferred()


## Before it is edited. An inspected resource may be saved without any scene.
func _on_inspected() -> void:
	if _Settings.is_on(_Settings.AUDIT_SAVES):
		_texts.keep_new()
