@tool
extends PanelContainer
## What a new user is told at the top of the Problems panel, until it is closed: what the addon does, where its settings are,
## and the question whether there shall be a `gdscene.toml`.

signal configuration_chosen
signal documentation_chosen

const ConfigurationWatch := preload("../settings/configuration_watch.gd")

## Where the editor keeps, project by project, how far the user is with it.
const STATE_SECTION := "fast_variant"
const STATE_KEY := "first_run"
const _SHOWN := "shown"
const _CLOSED := "closed"

const _TEXT := (
	"FastVariant checks scenes and resources when they are opened and saved. What is broken, or dropped by a save, is listed here.\n"
	+ "Settings: Project Settings > Fast Variant for the team, Editor Settings > Fast Variant for yourself.\n"
	+ "A file gdscene.toml says which rules there are, here and for the command gdscene alike."
)

var configuration: ConfigurationWatch

var _label := Label.new()
# No higher than the lines beside them: the list of problems is what the panel is for.
var _create := LinkButton.new()
var _documentation := LinkButton.new()
var _close := LinkButton.new()


## Whether the user is still to be told. Without a window it would not be read.
static func is_wanted() -> bool:
	return DisplayServer.get_name() != "headless" and _state() != _CLOSED


## Whether the user has never seen it. Says so once.
static func is_news() -> bool:
	var is_first := _state() != _SHOWN
	_keep(_SHOWN)
	return is_first


func _init() -> void:
	_label.text = _TEXT
	_label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_create.text = "Create gdscene.toml"
	_create.tooltip_text = "Writes a small file beside project.godot in which all is commented out, and shows it."
	_create.pressed.connect(configuration_chosen.emit)
	_documentation.text = "Documentation"
	_documentation.pressed.connect(documentation_chosen.emit)
	_close.text = "Close"
	_close.pressed.connect(close)
	var buttons := VBoxContainer.new()
	for button: LinkButton in [_close, _documentation, _create]:
		button.size_flags_horizontal = Control.SIZE_SHRINK_END
		buttons.add_child(button)
	var row := HBoxContainer.new()
	row.add_child(_label)
	row.add_child(buttons)
	add_child(row)


func _ready() -> void:
	configuration.changed.connect(_show_question)
	_show_question()


## For good.
func close() -> void:
	_keep(_CLOSED)
	queue_free()


func _show_question() -> void:
	_create.visible = not configuration.is_there()


static func _state() -> String:
	return str(EditorInterface.get_editor_settings().get_project_metadata(STATE_SECTION, STATE_KEY, ""))


static func _keep(state: String) -> void:
	EditorInterface.get_editor_settings().set_project_metadata(STATE_SECTION, STATE_KEY, state)
