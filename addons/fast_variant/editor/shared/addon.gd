@tool
extends RefCounted
## Where the addon is: its folder may have another name, and lie deeper than in `res://addons`.

const _Self := preload("addon.gd")


## Without a slash at its end.
static func folder() -> String:
	var script: Script = _Self
	return script.resource_path.trim_suffix("/editor/shared/addon.gd")
