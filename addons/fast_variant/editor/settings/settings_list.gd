@tool
extends Resource
## The settings of the team, in Project Settings > Fast Variant > Scenes.
##
## This file is the only list of their order, types, hints, defaults and descriptions. They are for the editor only.
## [code]gdscene.toml[/code] chooses the rules and the folders without them, and overrides these settings.
## Personal preferences are in personal_settings_list.gd.

## Checks a scene or resource when the editor has saved it. What [code]gdscene.toml[/code] switches off stays off.
@export var check_on_save := true
## Checks a scene when it is opened.
@export var check_on_open := true
## Checks all scenes and resources of the project when files have changed, also by another program.
@export var check_project_in_background := true
## Compares each file before and after a save, and reports lost data that you did not remove.
@export var report_what_saving_drops := true
## Formats scenes and resources as Godot does when they are saved, if Godot then loads the same data.
@export var format_on_save := false
## The effect of errors in scenes on an export. [code]Ask[/code] and [code]Stop[/code] stop it for files that Godot cannot load, or
## loads without a part: [code]Ask[/code] lets you choose when you export in the editor, and stops an export without a window.
## Other errors, such as a connection to a missing method, are warnings then. [code]Warn[/code] makes all errors warnings,
## [code]Ignore[/code] reports nothing, and [code]Stop for Every Error[/code] stops for each. The severity of a rule can be changed
## in [code]gdscene.toml[/code].
@export_enum("Ignore", "Warn", "Ask", "Stop", "Stop for Every Error") var errors_on_export := 2
## Files in these folders are not checked unless you ask for it. The command [code]gdscene[/code] does not read this setting. In
## third-party folders, such as those in [code]res://addons[/code], only errors are reported: [code]third-party[/code] in
## [code]gdscene.toml[/code] lists them, and [code][per-path-ignores][/code] switches off single rules in a folder.
@export_dir var excluded_folders: PackedStringArray = []
