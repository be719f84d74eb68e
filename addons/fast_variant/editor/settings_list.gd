@tool
extends Resource
## The addon's settings, as they stand under Project Settings > Fast Variant > Scenes.
##
## Their order, types, hints, defaults, and what the editor says of them: this file is the only list. They are about the
## editor alone. Which rules there are and where they are off, [code]gdscene.toml[/code] says, which counts more.

## Checks a scene or resource when the editor has saved it. What [code]gdscene.toml[/code] switches off stays off.
@export var check_on_save := true
## Checks a scene when it is opened.
@export var check_on_open := true
## Checks all scenes and resources of the project when files have changed, also by another program.
@export var check_project_in_background := true
## Compares each file before and after a save, and tells what is gone that you did not remove.
@export var report_what_saving_drops := true
## Brings the Problems panel to the front when a save has dropped something.
@export var show_panel_when_saving_drops_something := true
## Lays scenes and resources out as Godot does when they are saved. Only where that provably says the same.
@export var format_on_save := false
## What is told in the corner of the editor.
@export_enum("None", "Errors", "Errors and Warnings") var toasts := 2
## Prints what is found in the Output panel, too.
@export var print_findings := false
## Whether errors in scenes that are exported let the export fail, are warnings there, or are ignored. What is an error,
## [code]gdscene.toml[/code] says.
@export_enum("Ignore", "Warn", "Fail") var errors_on_export := 2
## Files in these folders are not checked unless you ask for it. To switch off single rules in a folder, write
## [code][per-path-ignores][/code] into [code]gdscene.toml[/code].
@export var excluded_folders: PackedStringArray = ["res://addons"]
