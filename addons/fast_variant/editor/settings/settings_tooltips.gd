@tool
extends EditorInspectorPlugin
## Gives the addon's settings their tooltips in the Project Settings and the Editor Settings, and those of the project a note on
## `gdscene.toml` above them.
##
## Godot takes tooltips from the documentation of its classes `ProjectSettings` and `EditorSettings`, to which an addon cannot
## add. The rows are set to take them from the documentation of the lists of settings. In an editor without such rows
## there are no tooltips; nothing else changes.

const _ConfigurationNote := preload("configuration_note.gd")
const _ConfigurationWatch := preload("configuration_watch.gd")
const _Settings := preload("settings.gd")

## The class of both windows, which shows the settings of one section, with names relative to it
## (editor/inspector/editor_sectioned_inspector.cpp, Godot 4.6.3).
const _SECTION_CLASS := "SectionedInspectorFilter"

var _configuration: _ConfigurationWatch
## The note that is shown, if one is.
var _note: WeakRef
## Whether the editor has read the documentation of the lists.
var _is_documented := false


func _init(configuration: _ConfigurationWatch) -> void:
	_configuration = configuration


func attach(plugin: EditorPlugin) -> void:
	plugin.add_inspector_plugin(self)


## The Project Settings may stay open while the addon is switched off there.
func detach(plugin: EditorPlugin) -> void:
	plugin.remove_inspector_plugin(self)
	var note: _ConfigurationNote = _note.get_ref() if _note != null else null
	if note != null:
		note.queue_free()


func _can_handle(object: Object) -> bool:
	return object.get_class() == _SECTION_CLASS


func _parse_begin(object: Object) -> void:
	if not _has_settings(object, _Settings.team_names()):
		return
	var note := _ConfigurationNote.new()
	note.configuration = _configuration
	_note = weakref(note)
	add_custom_control(note)


## The rows are there a moment later.
func _parse_end(object: Object) -> void:
	if _has_settings(object, _Settings.team_names()) or _has_settings(object, _Settings.personal_names()):
		_read_documentation.call_deferred()
		_describe_rows.call_deferred(object.get_instance_id())


func _has_settings(object: Object, names: PackedStringArray) -> bool:
	var shown: Dictionary[String, bool] = {}
	for property: Dictionary in object.get_property_list():
		var name: String = property["name"]
		shown[name] = true
	for name: String in names:
		if not shown.has(name.get_file()):
			return false
	return true


## The editor may know the lists from an earlier session or an import, in which it did not read their documentation. It reads that
## of a script that is new to it or marked as changed (`EditorFileSystem::_update_script_documentation`,
## editor/file_system/editor_file_system.cpp, Godot 4.6.3).
func _read_documentation() -> void:
	if not _is_documented:
		_is_documented = true
		for list: Script in [_Settings._TeamList, _Settings._PersonalList]:
			EditorInterface.get_resource_filesystem().update_file(list.resource_path)


## A project that has a personal setting of its own shows it among those of the team.
func _describe_rows(object_id: int) -> void:
	var team := _Settings.team_names()
	var personal := _Settings.personal_names()
	for node: Node in EditorInterface.get_base_control().find_children("*", "EditorProperty", true, false):
		var row: EditorProperty = node
		var object := row.get_edited_object()
		if object == null or object.get_instance_id() != object_id:
			continue
		var name := row.get_edited_property()
		if team.has(_Settings.FOLDER + name):
			row.tooltip_text = _documented(_Settings._TeamList, name)
		elif personal.has(_Settings.FOLDER + name):
			row.tooltip_text = _documented(_Settings._PersonalList, name)


## How the editor refers to documentation.
func _documented(list: Script, name: String) -> String:
	return "property|\"%s\"|%s" % [list.resource_path.trim_prefix("res://"), name]
