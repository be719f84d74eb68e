@tool
extends EditorPlugin
## Does in the editor what a new user does: enables the plugin. Then it uses the addon's classes, and quits.
##
## The classes are reached by name, so that this compiles whatever was installed.

const Uses := preload("uses.gd")
const ADDON := "fast_variant"


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	EditorInterface.set_plugin_enabled(ADDON, true)
	await get_tree().process_frame
	var reason := Uses.failure() if EditorInterface.is_plugin_enabled(ADDON) else "the plugin cannot be enabled"
	print("package test in the editor: %s" % ("SUCCESS" if reason.is_empty() else "FAILED, " + reason))
	EditorInterface.set_plugin_enabled(ADDON, false)
	get_tree().quit(0 if reason.is_empty() else 1)
