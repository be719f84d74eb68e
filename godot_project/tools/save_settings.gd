extends SceneTree
## Reads the settings of a project and saves them again, as the editor does.
##
##   godot --headless --path PROJECT -s res://tools/save_settings.gd


func _initialize() -> void:
	ProjectSettings.set_setting("application/config/description", "Saved")
	if ProjectSettings.save() == OK:
		print("settings: SAVED")
	quit()
