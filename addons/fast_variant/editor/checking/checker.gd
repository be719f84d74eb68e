@tool
extends Node
## Lets the linter look at files: at one right away, at large ones and at the whole project in the background.

## Emitted when a file was looked at by itself; `is_announced` is true if a user changed it or requested the check.
signal file_checked(path: String, is_announced: bool)
## Emitted when the project was looked at, with the diagnostics of those files in which they changed.
signal project_checked(changes: Dictionary[String, Array])
signal progressed(done: int, total: int)
## Emitted when a check of the whole project begins and ends.
signal running_changed

const _Diagnostic := preload("diagnostic.gd")
const _Native := preload("../shared/native.gd")
const _Problems := preload("../problems/problems.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Settings := preload("../settings/settings.gd")

## Files of more bytes are checked in the background.
const _BACKGROUND_SIZE := 1 << 18
## Changes of files come in bursts.
const _SETTLE_SECONDS := 0.5
## The time for fetching results in one frame.
const _FRAME_BUDGET_USEC := 4000

var problems: _Problems

var _timer := Timer.new()
var _project_job: RefCounted
var _file_jobs: Dictionary[String, RefCounted] = {}
## Counts checks, so that a result that is older than another one is not taken.
var _epoch := 0
var _checked_at: Dictionary[String, int] = {}
## When the files with findings were modified, as their check saw them.
var _modified_at: Dictionary[String, int] = {}
## By path, the fingerprint of the findings in the last check of the project.
var _fingerprints: Dictionary[String, int] = {}
var _is_due := false
var _is_cancelled := false
## -1 before the first check.
var _file_count := -1


func _init(problems_: _Problems) -> void:
	problems = problems_
	_timer.one_shot = true
	_timer.wait_time = _SETTLE_SECONDS
	_timer.timeout.connect(check_project)
	add_child(_timer)


func _exit_tree() -> void:
	if _project_job != null:
		_project_job.call(&"cancel")
	_project_job = null
	_file_jobs.clear()


func is_running() -> bool:
	return _project_job != null


## Whether nothing is checked, nor about to be.
func is_at_rest() -> bool:
	return _project_job == null and _file_jobs.is_empty() and _timer.is_stopped()


## How many files the last check of the project looked at; -1 before the first.
func file_count() -> int:
	return _file_count


## Checks one file on request, even if it is excluded. A file that is only looked at again is not announced.
func check(path: String, is_announced := true) -> void:
	_epoch += 1
	_checked_at[path] = _epoch
	_modified_at[path] = FileAccess.get_modified_time(path)
	# A job waits until the project has been read.
	if _length(path) > _BACKGROUND_SIZE or not _Native.is_project_ready():
		_check_in_background(path, is_announced)
	else:
		_take(path, _Native.lint_file(path), is_announced)


func is_known(path: String) -> bool:
	return _checked_at.has(path) or _fingerprints.has(path)


## Looks at the whole project soon: calls that follow each other quickly count as one.
func check_project_soon() -> void:
	_timer.start()


## Looks at the whole project in the background.
func check_project() -> void:
	if _project_job != null:
		_is_due = true
		return
	_is_due = false
	_is_cancelled = false
	_epoch += 1
	_project_job = _Native.lint_project()
	_project_job.connect(&"progress", _on_progress)
	_project_job.connect(&"finished", _on_project_finished.bind(_epoch), CONNECT_DEFERRED)
	running_changed.emit()


## Looks again at the files with findings that were modified since they were checked.
func check_changed() -> void:
	for path: String in problems.paths():
		if FileAccess.get_modified_time(path) != _modified_at.get(path, 0):
			check(path, false)


## The findings in files of excluded folders.
func forget_excluded() -> void:
	for path: String in problems.paths():
		if _Settings.is_excluded(path):
			problems.set_diagnostics(path, [])
			_fingerprints.erase(path)


func cancel() -> void:
	_is_due = false
	_is_cancelled = true
	if _project_job != null:
		_project_job.call(&"cancel")


func _length(path: String) -> int:
	var file := FileAccess.open(path, FileAccess.READ)
	return file.get_length() if file != null else 0


func _check_in_background(path: String, is_announced: bool) -> void:
	var job := _Native.lint_paths([path])
	_file_jobs[path] = job
	job.connect(&"finished", _on_file_finished.bind(path, _epoch, is_announced), CONNECT_DEFERRED)


func _on_file_finished(path: String, epoch: int, is_announced: bool) -> void:
	if not _file_jobs.has(path) or _checked_at[path] != epoch:
		return
	var natives: Array = _file_jobs[path].call(&"diagnostics")
	_file_jobs.erase(path)
	_take(path, _Native.diagnostics(natives), is_announced)


func _take(path: String, diagnostics: Array[_Diagnostic], is_announced: bool) -> void:
	_fingerprints.erase(path)
	problems.set_diagnostics(path, diagnostics)
	file_checked.emit(path, is_announced)
	if is_announced and _Settings.is_on(_Settings.PRINT):
		for diagnostic: _Diagnostic in diagnostics:
			# Errors go where the editor shows them in red.
			if diagnostic.severity == "error":
				printerr(diagnostic.describe())
			else:
				print(diagnostic.describe())


func _on_progress(done: int, total: int) -> void:
	progressed.emit(done, total)


func _on_project_finished(epoch: int) -> void:
	var changes: Dictionary[String, Array] = {}
	var job := _project_job
	var paths: PackedStringArray = job.call(&"paths")
	var fingerprints: PackedInt64Array = job.call(&"_fingerprints")
	var began := Time.get_ticks_usec()
	for index: int in paths.size():
		if _is_news(paths[index], fingerprints[index], epoch):
			_fingerprints[paths[index]] = fingerprints[index]
			changes[paths[index]] = _fetch(job, index, paths[index])
		if Time.get_ticks_usec() - began > _FRAME_BUDGET_USEC:
			await get_tree().process_frame
			# The addon may have been disabled meanwhile.
			if not is_inside_tree() or _project_job != job:
				return
			began = Time.get_ticks_usec()
	if not _is_cancelled:
		_forget_all_but(paths)
		_file_count = paths.size()
	_project_job = null
	running_changed.emit()
	project_checked.emit(changes)
	if _is_due:
		check_project()


func _is_news(path: String, fingerprint: int, epoch: int) -> bool:
	if fingerprint == -1 or _checked_at.get(path, 0) > epoch or _Settings.is_excluded(path):
		return false
	return _fingerprints.get(path) != fingerprint


func _fetch(job: RefCounted, index: int, path: String) -> Array[_Diagnostic]:
	var natives: Array = job.call(&"diagnostics_of", index)
	var diagnostics := _Native.diagnostics(natives)
	_modified_at[path] = FileAccess.get_modified_time(path)
	problems.set_diagnostics(path, diagnostics)
	return diagnostics


## Files that are gone, and files that are excluded now. A file that was checked by itself stays, even if checks of the project
## leave it out because git ignores it or only a link leads to it; it is checked again.
func _forget_all_but(paths: PackedStringArray) -> void:
	var kept := PackedStringArray()
	for path: String in paths:
		if not _Settings.is_excluded(path) or _checked_at.has(path):
			kept.append(path)
	for path: String in _checked_at.keys():
		if path not in paths and FileAccess.file_exists(path):
			kept.append(path)
			check.call_deferred(path, false)
	problems.retain(kept)
	for known: Dictionary in [_fingerprints, _modified_at]:
		for path: String in known.keys():
			if path not in kept:
				known.erase(path)
