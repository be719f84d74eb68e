@tool
extends Resource
## The settings that are a matter of taste, in Editor Settings > Fast Variant > Scenes.
##
## This file is the only list of their order, types, hints, defaults and descriptions. A line of the same name in
## [code]project.godot[/code] overrides the setting in that project.

## The messages in the corner of the editor.
@export_enum("None", "Errors", "Errors and Warnings") var toasts := 2
## Brings the Problems panel to the front when a save has dropped something.
@export var show_panel_when_saving_drops_something := true
## Also prints findings in the Output panel.
@export var print_findings := false
## Shows the Problems panel instead of starting the project while it lists errors.
@export var check_before_play := false
## Shows the Variant tab at the bottom of the editor.
@export var variant_tab := true
## Marks nodes with problems in the Scene dock.
@export var badges_in_scene_dock := true
## Marks lines with problems in the script editor.
@export var marks_in_script_editor := true
## After files were moved or renamed in the FileSystem dock, looks for references to the old paths, and offers to repair them.
@export var offer_repair_after_moves := true
