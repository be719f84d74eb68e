@tool
extends Resource
## The settings of the team, as they stand under Project Settings > Fast Variant > Scenes.
##
## Their order, types, hints, defaults, and what the editor says of them: this file is the only list. They are about the
## editor alone. Which rules there are and where they are off, [code]gdscene.toml[/code] says, which counts more. What is a
## matter of taste stands in personal_settings_list.gd.

## Checks a scene or resource when the editor has saved it. What [code]gdscene.toml[/code] switches off stays off.
@export var check_on_save := true
## Checks a scene when it is opened.
@export var check_on_open := true
## Checks all scenes and resources of the project when files have changed, also by another program.
@export var check_project_in_background := true
## Compares each file before and after a save, and tells what is gone that you did not remove.
@export var report_what_saving_drops := true
## Lays scenes and resources out as Godot does when they are saved. Only where that provably says the same.
@export var format_on_save := false
## Whether errors in scenes that are exported let the export fail, are warnings there, or are ignored. The severity of a
## rule can be changed in [code]gdscene.toml[/code].
@export_enum("Ignore", "Warn", "Fail") var errors_on_export := 2
## Files in these folders are not checked unless you ask for it. The command [code]gdscene[/code] does not read this. In
## folders of others, as those in [code]res://addons[/code], only errors are reported: [code]third-party[/code] in
## [code]gdscene.toml[/code] lists them, and [code][per-path-ignores][/code] switches off single rules in a folder.
@export_dir var excluded_folders: PackedStringArray = []
