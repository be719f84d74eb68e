@tool
extends PanelContainer
## What a new user is told at the top of the Problems panel, until it is closed: what the addon does, where its settings are,
## and the question whether there shall be a `gdscene.toml`.

const ConfigurationTemplate := preload("../settings/configuration_template.gd")
const ConfigurationWatch := preload("../settings/configuration_watch.gd")
const Navigator := preload("../places/navigator.gd")
const ProblemsTab := preload("problems_tab.gd")
const Repairs := preload("../fixing/repairs.gd")

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

var _configuration: ConfigurationWatch
var _navigator: Navigator
var _repairs: Repairs
var _tab: ProblemsTab
var _label := Label.new()
# No higher than the lines beside them: the list of problems is what the panel is for.
var _create := LinkButton.new()
var _documentation := LinkButton.new()
var _close := LinkButton.new()


## Whether the user is still to be told. Without a window it would not be read.
static func is_wanted() -> bool:
	return DisplayServer.get_name() != "headless" and _state() != _CLOSED


func _init(configuration: ConfigurationWatch, navigator: Navigator, repairs: Repairs, tab: ProblemsTab) -> void:
	_configuration = configuration
	_navigator = navigator
	_repairs = repairs
	_tab = tab
	_label.text = _TEXT
	_label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_create.text = "Create gdscene.toml"
	_create.tooltip_text = "Writes a small file beside project.godot in which all is commented out, and shows it."
	_create.pressed.connect(_on_create_pressed)
	_documentation.text = "Documentation"
	_documentation.pressed.connect(navigator.open_documentation)
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
	hide()
	tab.panel.add_child(self)
	tab.panel.move_child(self, 0)


func _ready() -> void:
	_configuration.changed.connect(_show_question)
	_show_question()


func attach(_plugin: EditorPlugin) -> void:
	visible = is_wanted()
	if visible and _state() != _SHOWN:
		# The editor lays out its panels after this when it starts.
		_tab.show.call_deferred()
		_keep(_SHOWN)


## For good.
func close() -> void:
	_keep(_CLOSED)
	hide()


func _show_question() -> void:
	_create.visible = not _configuration.is_there()


## A file that another program has made meanwhile is left alone.
func _on_create_pressed() -> void:
	var path := ConfigurationWatch.PATH
	if not FileAccess.file_exists(path):
		var reason := _repairs.replace("Create %s" % path.get_file(), path, PackedByteArray(), ConfigurationTemplate.text())
		if not reason.is_empty():
			_repairs.toasts.push("%s: %s." % [path, reason], EditorToaster.SEVERITY_ERROR)
			return
	_configuration.look()
	_navigator.open_text(path, 1)


static func _state() -> String:
	return str(EditorInterface.get_editor_settings().get_project_metadata(STATE_SECTION, STATE_KEY, ""))


static func _keep(state: String) -> void:
	EditorInterface.get_editor_settings().set_project_metadata(STATE_SECTION, STATE_KEY, state)
