@tool
extends "../suite.gd"
## The editor follows all that `gdscene.toml` says, and says so.

const ConfigurationTemplate := preload("res://addons/fast_variant/editor/settings/configuration_template.gd")
const FirstRun := preload("res://addons/fast_variant/editor/problems/first_run.gd")

const CONFIGURATION := "res://gdscene.toml"
const PATH := "res://configuration/scene.tscn"
const OTHER := "res://configuration/deep/other.tscn"
## An unused resource (REF007), one that is not there (RES001), and a node with a name that is not of the usual style.
const TEXT := """[gd_scene format=3]

[ext_resource type="Texture2D" path="res://configuration/gone.png" id="1"]

[node name="root_node" type="Node"]
"""


func test_without_a_file() -> void:
	make(PATH, TEXT)
	make(OTHER, TEXT)
	await scan()
	await settled()
	check_equal(_found(PATH), PackedStringArray(["REF007 warning", "RES001 error"]), "diagnostics without a file")
	check_equal(_found(OTHER), _found(PATH), "diagnostics in another file")
	check_equal(parts().panel.configuration_button.text, "Create gdscene.toml", "the button without a file")


func test_severity() -> void:
	await _configure("[severity]\nREF007 = \"error\"\nRES = \"info\"\n")
	check_equal(_found(PATH), PackedStringArray(["REF007 error", "RES001 info"]), "severities")
	check_equal(parts().panel.configuration_button.text, "gdscene.toml", "the button with a file")


func test_ignore_and_select() -> void:
	await _configure("ignore = [\"unused-ext-resource\"]\n")
	check_equal(_found(PATH), PackedStringArray(["RES001 error"]), "ignored by name")
	await _configure("select = [\"REF\"]\n")
	check_equal(_found(PATH), PackedStringArray(["REF007 warning", "REF012 info"]), "only one group")
	await _configure("select = [\"DEFAULT\", \"STY\"]\n[naming]\nnodes = \"PascalCase\"\n")
	var styles := Array(_found(PATH)).filter(func(found: String) -> bool: return found.begins_with("STY"))
	check(styles.size() > 0, "rules that are off by default: %s" % _found(PATH))


func test_per_path_ignores() -> void:
	await _configure("[per-path-ignores]\n\"configuration/deep/**\" = [\"ALL\"]\n")
	check_equal(_found(PATH), PackedStringArray(["REF007 warning", "RES001 error"]), "diagnostics outside")
	check_equal(_found(OTHER), PackedStringArray(), "diagnostics in the folder")
	parts().checker.check(OTHER)
	check_equal(_found(OTHER), PackedStringArray(), "of one file by itself")


func test_the_panel_says_so_from_the_start() -> void:
	await _configure("ignore = [\"REF007\"]\n")
	EditorInterface.set_plugin_enabled("fast_variant", false)
	await frames(5)
	EditorInterface.set_plugin_enabled("fast_variant", true)
	await frames(5)
	check_equal(parts().panel.configuration_button.text, "gdscene.toml", "the button with a file")
	await settled()


## The script scripts/test/editor/plugin.sh counts the warnings.
func test_a_file_that_is_wrong() -> void:
	printerr("[expected errors")
	await _configure("ignore = [\"REF007\"]\n\nserious = true\n")
	for round_: int in 3:
		parts().checker.check(PATH)
		await settled()
	printerr("expected errors]")
	check_equal(_found(PATH), PackedStringArray(["REF007 warning", "RES001 error"]), "diagnostics, as without the file")
	var button := parts().panel.configuration_button
	check(button.visible and button.tooltip_text.contains("3") and button.tooltip_text.contains("serious"),
		"the panel says what is wrong: %s" % button.tooltip_text)
	parts().tab.show()
	await frames(3)
	await click(button)
	var window := parts().text_window
	check_equal(window.title, CONFIGURATION, "the file is shown")
	check_equal(window.editor.get_caret_line(), 2, "the line, from 0")
	check_equal(window.editor.findings_in(2).size(), 1, "marks in the line")
	check(window.findings_bar.is_visible_in_tree() and window.findings_bar.message.text.contains("serious"),
		"the message: %s" % window.findings_bar.message.text)
	check(not window.findings_bar.code.visible, "there is no rule")
	window.close()


## Before it is saved.
func test_it_is_checked_while_it_is_typed() -> void:
	await _configure("ignore = [\"REF012\"]\n")
	parts().tab.show()
	await frames(3)
	await click(parts().panel.configuration_button)
	var window := parts().text_window
	window.editor.set_caret_column("ignore".length())
	press_key(window, KEY_BACKSPACE)
	await until(func() -> bool: return window.editor.findings_in(0).size() == 1, "the line is marked")
	check(window.findings_bar.message.text.contains("did you mean `ignore`?"), "the message: %s" % window.findings_bar.message.text)
	check_equal(read(CONFIGURATION), "ignore = [\"REF012\"]\n", "the file")
	press_key(window, KEY_E, "e")
	await until(func() -> bool: return window.editor.findings().is_empty(), "the mark is gone")
	check(not window.findings_bar.visible, "nothing is said any more")
	check_equal(window.editor.text, "ignore = [\"REF012\"]\n", "the text")
	window.close()
	window.question.custom_action.emit("discard")


func test_another_program_removes_it() -> void:
	await _configure("ignore = [\"REF007\"]\n")
	check_equal(_found(PATH), PackedStringArray(["RES001 error"]), "diagnostics with a file")
	DirAccess.remove_absolute(CONFIGURATION)
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_IN)
	await until(func() -> bool: return _found(PATH).size() == 2, "the project is checked again")
	check_equal(parts().panel.configuration_button.text, "Create gdscene.toml", "the button when the file is gone")
	await remove([PATH, OTHER])
	await settled()


## Nobody can read it here, so it is shown on demand.
func test_first_run() -> void:
	var note := parts().first_run.note
	check(not FirstRun.is_wanted() and not note.visible, "nothing is shown without a window")
	note.is_wanted = true
	check(note.is_visible_in_tree() == parts().panel.is_visible_in_tree(), "the note is shown")
	var create := _button(note, "Create gdscene.toml")
	check(create.visible, "it asks whether there shall be a file")
	create.pressed.emit()
	await settled()
	check_equal(read(CONFIGURATION), ConfigurationTemplate.text(), "the file")
	check_equal(parts().text_window.title, CONFIGURATION, "the file is shown")
	parts().text_window.hide()
	check(not create.visible, "it asks no more")
	DirAccess.remove_absolute(CONFIGURATION)
	parts().configuration.look()
	parts().panel.configuration_button.pressed.emit()
	await settled()
	check_equal(read(CONFIGURATION), ConfigurationTemplate.text(), "the file that the button makes")
	parts().text_window.hide()
	write(CONFIGURATION, "ignore = [\"REF007\"]\n")
	create.pressed.emit()
	check_equal(read(CONFIGURATION), "ignore = [\"REF007\"]\n", "a file that is there is left alone")
	parts().text_window.hide()
	_button(note, "Documentation").pressed.emit()
	check(parts().reader.visible, "the documentation is shown")
	parts().reader.close_requested.emit()
	_button(note, "Close").pressed.emit()
	await frames(2)
	check(not note.visible, "it is closed")
	var state: String = EditorInterface.get_editor_settings().get_project_metadata(FirstRun.STATE_SECTION, FirstRun.STATE_KEY)
	check_equal(state, "closed", "the editor remembers that")


func _button(parent: Node, text: String) -> LinkButton:
	for node: Node in parent.find_children("*", "LinkButton", true, false):
		var button: LinkButton = node
		if button.text == text:
			return button
	return null


## All that it shows is right, and nothing is decided.
func test_the_template() -> void:
	make(PATH, TEXT)
	await scan()
	await settled()
	await _configure(ConfigurationTemplate.text())
	check_equal(parts().configuration.error_message(), "", "of the file as it is")
	check_equal(_found(PATH), PackedStringArray(["REF007 warning", "RES001 error"]), "diagnostics, as without the file")
	var keys := RegEx.create_from_string("(?m)^#(?! )")
	await _configure(keys.sub(ConfigurationTemplate.text(), "", true))
	check_equal(parts().configuration.error_message(), "", "of the file with all that it shows")
	check_equal(_found(PATH), PackedStringArray(["RES001 error"]), "diagnostics with all that it shows")
	await remove([PATH, CONFIGURATION])
	parts().configuration.look()
	await settled()


## Writes the file as another program does; the editor looks when it gets the focus.
func _configure(text: String) -> void:
	write(CONFIGURATION, text)
	parts().configuration.notification(NOTIFICATION_APPLICATION_FOCUS_IN)
	check(parts().checker.is_running(), "the project is checked again")
	await settled()


## Codes and severities, sorted.
func _found(path: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for diagnostic: Diagnostic in parts().problems.diagnostics_of(path):
		found.append("%s %s" % [diagnostic.code, diagnostic.severity])
	found.sort()
	return found
