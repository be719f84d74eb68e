@tool
extends Resource
## The settings that are a matter of taste, as they stand under Editor Settings > Fast Variant > Scenes.
##
## Their order, types, hints, defaults, and what the editor says of them: this file is the only list. A line of the same name
## in [code]project.godot[/code] counts more, for that project.

## The messages in the corner of the editor.
@export_enum("None", "Errors", "Errors and Warnings") var toasts := 2
## Brings the Problems panel to the front when a save has dropped something.
@export var show_panel_when_saving_drops_something := true
## Prints what is found in the Output panel, too.
@export var print_findings := false
## Does not start the project while the Problems panel lists errors, but shows them.
@export var check_before_play := false
## Shows the Variant tab at the bottom of the editor.
@export var variant_tab := true
## Marks nodes with problems in the Scene dock.
@export var badges_in_scene_dock := true
## Marks lines with problems in the script editor.
@export var marks_in_script_editor := true
## Looks, when files were moved or renamed in the FileSystem dock, for what still names the old paths, and offers to repair it.
@export var offer_repair_after_moves := true
