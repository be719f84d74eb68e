@tool
extends RefCounted
## The introduction for new users, a line of the Problems panel until it is closed. It describes the addon and its settings, and
## asks whether to create a `gdscene.toml`.

const _ConfigurationTemplate := preload("../settings/configuration_template.gd")
const _ConfigurationWatch := preload("../settings/configuration_watch.gd")
const _Navigator := preload("../places/navigator.gd")
const _ProblemsTab := preload("problems_tab.gd")
const _QuietNote := preload("quiet_note.gd")
const _Reader := preload("../reading/reader.gd")
const _Repairs := preload("../fixing/repairs.gd")

## Where the editor keeps, project by project, how far the user is with it.
const STATE_SECTION := "fast_variant"
const STATE_KEY := "first_run"
const _SHOWN := "shown"
const _CLOSED := "closed"

const _TEXT := "FastVariant checks scenes and resources when you open or save them, and lists their problems here."
const _TOOLTIP := (
	_TEXT + "\n"
	+ "The panel also lists values that a save drops, and restores them.\n\n"
	+ "Settings: Project Settings > Fast Variant for the team, Editor Settings > Fast Variant for yourself.\n"
	+ "A file gdscene.toml chooses the rules, here and for the command gdscene."
)

var note := _QuietNote.new(_TEXT, _TOOLTIP)

var _configuration: _ConfigurationWatch
var _navigator: _Navigator
var _repairs: _Repairs
var _tab: _ProblemsTab
var _create: LinkButton


## Whether to show the introduction. Without a window, it cannot be read.
static func is_wanted() -> bool:
	return DisplayServer.get_name() != "headless" and _state() != _CLOSED


func _init(
	configuration: _ConfigurationWatch, navigator: _Navigator, reader: _Reader, repairs: _Repairs, tab: _ProblemsTab
) -> void:
	_configuration = configuration
	_navigator = navigator
	_repairs = repairs
	_tab = tab
	_create = note.add_link("Create gdscene.toml",
			"Creates a small file next to project.godot, with everything commented out, and opens it.", _on_create_pressed)
	note.add_link("Documentation", "", reader.open_documentation)
	note.close_pressed.connect(close)
	tab.panel.configuration_button.create_requested.connect(_on_create_pressed)
	tab.panel.notes.add(note)
	configuration.changed.connect(_show_question)


func attach(_plugin: EditorPlugin) -> void:
	_show_question()
	note.is_wanted = is_wanted()
	if note.is_wanted and _state() != _SHOWN:
		# The editor lays out its panels after this when it starts.
		_tab.show.call_deferred()
		_keep(_SHOWN)


## For good.
func close() -> void:
	_keep(_CLOSED)
	note.is_wanted = false


func _show_question() -> void:
	_create.visible = not _configuration.is_there()


## A file that another program has made meanwhile is left alone.
func _on_create_pressed() -> void:
	var path := _ConfigurationWatch.PATH
	if not FileAccess.file_exists(path):
		var reason := _repairs.replace("Create %s" % path.get_file(), path, PackedByteArray(), _ConfigurationTemplate.text())
		if not reason.is_empty():
			_repairs.toasts.push("%s: %s." % [path, reason], EditorToaster.SEVERITY_ERROR)
			return
	_configuration.look()
	_navigator.open_text(path, 1)


static func _state() -> String:
	return str(EditorInterface.get_editor_settings().get_project_metadata(STATE_SECTION, STATE_KEY, ""))


static func _keep(state: String) -> void:
	EditorInterface.get_editor_settings().set_project_metadata(STATE_SECTION, STATE_KEY, state)
