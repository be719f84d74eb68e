@tool
extends Node
## Offers, in a line of the Problems panel, to let git merge scenes by nodes, where git merges those of the project line by
## line. A user who closes it is not asked again in the project.

const _Native := preload("../shared/native.gd")
const _ProblemsPanel := preload("../problems/problems_panel.gd")
const _QuietNote := preload("../problems/quiet_note.gd")
const _Reader := preload("../reading/reader.gd")
const _Toasts := preload("../checking/toasts.gd")

## Where the editor keeps, project by project, that it was closed.
const STATE_SECTION := "fast_variant"
const STATE_KEY := "merge_offer"
const CLOSED := "closed"

const _TEXT := "Git merges scenes here line by line. The program gdscene lets it merge them by nodes and properties."
const _TOOLTIP := (
	_TEXT + "\n\n"
	+ "Set Up runs `gdscene git install`: it writes .gitattributes, which you commit, and the configuration of this repository.\n"
	+ "Without it, Resolve Conflicts settles scenes in which git has left its markers."
)

## The heading of the documentation on merging.
const _ANCHOR := "merge-conflicts"

var note := _QuietNote.new(_TEXT, _TOOLTIP)
var set_up: LinkButton
var explain: LinkButton

var _toasts: _Toasts
## Asks git, or sets merging up; null if there is nothing to wait for.
var _job: RefCounted
var _is_setting_up := false


func _init(panel: _ProblemsPanel, reader: _Reader, toasts: _Toasts) -> void:
	_toasts = toasts
	set_up = note.add_link("Set Up", "Runs `gdscene git install` in the folder of the project.", _on_set_up_pressed)
	explain = note.add_link("How...", "Shows how gdscene is installed.", reader.open_documentation.bind(_ANCHOR))
	note.close_pressed.connect(close)
	panel.notes.add(note)


func _ready() -> void:
	set_process(_job != null)


## Without a window, no user would read it.
func attach(_plugin: EditorPlugin) -> void:
	if DisplayServer.get_name() != "headless":
		look()


## Asks git how it merges, unless the offer was closed before.
func look() -> void:
	var state: Variant = EditorInterface.get_editor_settings().get_project_metadata(STATE_SECTION, STATE_KEY, "")
	if str(state) != CLOSED:
		_begin(_Native.merge_setup(), false)


## Whether git or gdscene is at work.
func is_working() -> bool:
	return _job != null


## For good.
func close() -> void:
	EditorInterface.get_editor_settings().set_project_metadata(STATE_SECTION, STATE_KEY, CLOSED)
	note.is_wanted = false


func _process(_delta: float) -> void:
	if not _Native.is_done(_job):
		return
	var reason := _Native.failure(_job)
	var answer := _Native.outcome(_job)
	_job = null
	set_process(false)
	if _is_setting_up:
		_tell_of_setup(reason, answer)
	elif reason.is_empty():
		_offer(answer)


func _begin(job: RefCounted, is_setting_up: bool) -> void:
	_job = job
	_is_setting_up = is_setting_up
	set_process(true)


## Nothing, where there is no repository.
func _offer(setup: Dictionary) -> void:
	var is_set_up: bool = setup.get("is_set_up", true)
	var has_program: bool = setup.get("has_program", false)
	note.is_wanted = not is_set_up
	set_up.visible = has_program
	explain.visible = not has_program


func _tell_of_setup(reason: String, answer: Dictionary) -> void:
	set_up.disabled = false
	if reason.is_empty():
		note.is_wanted = false
		_toasts.push(str(answer["printed"]), EditorToaster.SEVERITY_INFO)
	else:
		_toasts.push("Merging is not set up: %s." % reason, EditorToaster.SEVERITY_ERROR)


func _on_set_up_pressed() -> void:
	set_up.disabled = true
	_begin(_Native.set_up_merging(), true)
