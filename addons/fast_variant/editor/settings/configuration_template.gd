@tool
extends RefCounted
## A `gdscene.toml` to begin with: all of it is commented out, so that nothing changes until a user enables it.

const _TEXT := """# Chooses the rules for the scenes and resources of this project, in the editor and for the command gdscene.
# All keys are optional. In the Problems panel of the editor, click a code to read about its rule.

#target = "%s"                     # also report what other versions of Godot read or write differently
#ignore = ["unused-ext-resource"]   # codes, names, or groups such as "STY"
#third-party = ["addons/*"]         # folders of others: only errors are reported there

#[severity]                         # error, warning, info
#REF007 = "error"

#[per-path-ignores]                 # paths from the folder of the project
#"tests/**" = ["RES001"]
"""


## For the version of Godot that runs.
static func text() -> String:
	var version := Engine.get_version_info()
	return _TEXT % ("%d.%d" % [version["major"], version["minor"]])
