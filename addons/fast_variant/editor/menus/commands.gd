@tool
extends Node
## The addon's actions for keys and for the editor's command palette. Since Godot 4.6 the keys stand in Editor Settings > Shortcuts.

enum _Command { SHOW_PANEL, CHECK_PROJECT, NEXT_PROBLEM, PREVIOUS_PROBLEM, FIX_PROBLEM, RENAME, RESOLVE, COMPARE }

const TITLES: Dictionary[_Command, String] = {
	_Command.SHOW_PANEL: "Show Problems",
	_Command.CHECK_PROJECT: "Check Project",
	_Command.NEXT_PROBLEM: "Next Problem",
	_Command.PREVIOUS_PROBLEM: "Previous Problem",
	_Command.FIX_PROBLEM: "Fix Selected Problem",
	_Command.RENAME: "Rename Everywhere",
	_Command.RESOLVE: "Resolve Conflicts",
	_Command.COMPARE: "Compare with Last Commit",
}
## A letter goes to the tree that has the focus, which searches for it: new ones have a function key.
const _KEYS: Dictionary[_Command, int] = {
	_Command.SHOW_PANEL: KEY_MASK_ALT | KEY_P,
	_Command.CHECK_PROJECT: KEY_MASK_ALT | KEY_MASK_SHIFT | KEY_P,
	_Command.NEXT_PROBLEM: KEY_MASK_ALT | KEY_F8,
	_Command.PREVIOUS_PROBLEM: KEY_MASK_ALT | KEY_MASK_SHIFT | KEY_F8,
	_Command.FIX_PROBLEM: KEY_MASK_ALT | KEY_MASK_SHIFT | KEY_F,
	_Command.RENAME: KEY_MASK_ALT | KEY_MASK_SHIFT | KEY_F2,
	_Command.RESOLVE: KEY_MASK_ALT | KEY_MASK_SHIFT | KEY_F9,
	_Command.COMPARE: KEY_MASK_ALT | KEY_MASK_SHIFT | KEY_F3,
}

## The metadata of an editor's shortcut with keys that can be changed (editor/settings/editor_settings.cpp, Godot 4.6).
const _DEFAULT_KEYS := &"original"

## The action of each command: the part that carries it out puts a function here.
var actions: Dictionary[_Command, Callable] = {}

var _shortcuts: Dictionary[_Command, Shortcut] = {}


func attach(_plugin: EditorPlugin) -> void:
	for command: _Command in TITLES:
		_shortcuts[command] = _registered(command)
		EditorInterface.get_command_palette().add_command(
			"Fast Variant: " + TITLES[command], _path(command), actions[command], _shortcuts[command].get_as_text()
		)


## Keys that the user has chosen stay for the next time.
func detach(_plugin: EditorPlugin) -> void:
	var settings := EditorInterface.get_editor_settings()
	for command: _Command in _shortcuts:
		EditorInterface.get_command_palette().remove_command(_path(command))
		var shortcut := _shortcuts[command]
		if not shortcut.has_meta(_DEFAULT_KEYS):
			continue
		var default_keys: Array = shortcut.get_meta(_DEFAULT_KEYS)
		if _same_keys(shortcut.events, default_keys):
			settings.call(&"remove_shortcut", _path(command))
		else:
			# As with a shortcut that the editor has read and does not use: kept, and not shown.
			shortcut.remove_meta(_DEFAULT_KEYS)
	_shortcuts.clear()


func shortcut_of(command: _Command) -> Shortcut:
	return _shortcuts[command]


## The panel's own key is the editor's matter: its docks have one.
func _shortcut_input(event: InputEvent) -> void:
	if not event.is_pressed() or event.is_echo():
		return
	for command: _Command in _shortcuts:
		if command != _Command.SHOW_PANEL and _shortcuts[command].matches_event(event):
			get_viewport().set_input_as_handled()
			actions[command].call()
			return


func _registered(command: _Command) -> Shortcut:
	var press := InputEventKey.new()
	press.keycode = _KEYS[command] & KEY_CODE_MASK as Key
	press.alt_pressed = _KEYS[command] & KEY_MASK_ALT != 0
	press.shift_pressed = _KEYS[command] & KEY_MASK_SHIFT != 0
	var shortcut := Shortcut.new()
	shortcut.resource_name = TITLES[command]
	shortcut.events = [press]
	var settings := EditorInterface.get_editor_settings()
	if settings.has_method(&"add_shortcut"):
		settings.call(&"add_shortcut", _path(command), shortcut)
		return settings.call(&"get_shortcut", _path(command))
	return shortcut


func _same_keys(events: Array, others: Array) -> bool:
	if events.size() != others.size():
		return false
	for index: int in events.size():
		var event: InputEvent = events[index]
		var other: InputEvent = others[index]
		if not event.is_match(other):
			return false
	return true


func _path(command: _Command) -> String:
	return "fast_variant/" + TITLES[command].to_snake_case()
