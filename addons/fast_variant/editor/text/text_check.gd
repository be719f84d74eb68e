@tool
extends Node
## Checks a text while the user types it: in the background, a moment after the last key.

## The findings in the editor's current text.
signal checked(found: Array[_Diagnostic])

const _ConfigurationWatch := preload("../settings/configuration_watch.gd")
const _Diagnostic := preload("../checking/diagnostic.gd")
const _Native := preload("../shared/native.gd")
const _OpenScripts := preload("../writing/open_scripts.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _TextSource := preload("text_source.gd")

## In seconds.
const _PAUSE := 0.4

var _editor: CodeEdit
var _path := ""
var _source: _TextSource
var _timer := Timer.new()
## Null while no check runs. It is kept to its end, because the editor waits for one that is freed before.
var _job: RefCounted
## Counts the texts, so that a result for an older one is not taken.
var _epoch := 0
var _job_epoch := 0
## Whether the pause is over while another check runs.
var _is_due := false


func _init(editor: CodeEdit) -> void:
	_editor = editor
	_timer.one_shot = true
	_timer.wait_time = _PAUSE
	_timer.timeout.connect(_check)
	add_child(_timer)


func _exit_tree() -> void:
	_job = null


## The errors in a text of `gdscene.toml`, each at its line.
static func in_configuration(text: String) -> Array[_Diagnostic]:
	var found: Array[_Diagnostic] = []
	var error := _Native.configuration_error_of(text)
	if not error.is_empty():
		var diagnostic := _Diagnostic.new()
		diagnostic.severity = "error"
		diagnostic.path = _ConfigurationWatch.PATH
		diagnostic.message = error["message"]
		diagnostic.line = error["line"]
		diagnostic.column = 1
		found.append(diagnostic)
	return found


## Checks the text of the file at `path`, which was read as `source`, or by the script editor.
func check_soon(path: String, source: _TextSource = null) -> void:
	_epoch += 1
	_path = path
	_source = source
	_is_due = false
	_timer.start()


func stop() -> void:
	_epoch += 1
	_is_due = false
	_timer.stop()


func _check() -> void:
	_is_due = _job != null
	if _path == _ConfigurationWatch.PATH:
		checked.emit(in_configuration(_editor.text))
	elif not _is_due and (_SceneFiles.is_text(_path) or _SceneFiles.is_settings(_path) or _OpenScripts.is_script(_path)):
		_job_epoch = _epoch
		var text := _source.as_saved(_editor.text) if _source != null else _editor.text
		_job = _Native.lint_text_in_background(text, _path)
		_job.connect(&"finished", _on_finished, CONNECT_DEFERRED)


func _on_finished() -> void:
	# The addon may have been disabled meanwhile.
	if _job == null:
		return
	var natives: Array = _job.call(&"diagnostics")
	_job = null
	if _job_epoch == _epoch:
		checked.emit(_Native.diagnostics(natives))
	elif _is_due:
		_check()
