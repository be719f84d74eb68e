@tool
extends RefCounted
## The addon's folder, and the names of its menus. Its folder may have another name, and lie deeper than in `res://addons`.

## In menus of the editor.
const MENU := "Fast Variant Scenes"

const _Self := preload("addon.gd")


## Without a slash at its end.
static func folder() -> String:
	var script: Script = _Self
	return script.resource_path.trim_suffix("/editor/shared/addon.gd")
