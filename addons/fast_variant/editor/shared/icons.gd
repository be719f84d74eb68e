@tool
extends RefCounted
## The addon's icons. They are drawn in the colour of the editor's theme, so that one file serves light and dark.

const _Addon := preload("addon.gd")

## The placeholder for the theme's color in the files.
const _FILE_COLOR := "#e0e0e0"


## For the tab: how bad it is.
static func status(errors: int, warnings: int) -> Texture2D:
	var theme := EditorInterface.get_editor_theme()
	if errors > 0:
		return theme.get_icon(&"StatusError", &"EditorIcons")
	if warnings > 0:
		return theme.get_icon(&"StatusWarning", &"EditorIcons")
	return of_addon("problems")


## `icons/NAME.svg`, in the size of the editor's own icons.
static func of_addon(name: String) -> Texture2D:
	var svg := FileAccess.get_file_as_string(_Addon.folder().path_join("icons/%s.svg" % name))
	var color := EditorInterface.get_editor_theme().get_color(&"font_color", &"Editor")
	var image := Image.new()
	var error := image.load_svg_from_string(
		svg.replace(_FILE_COLOR, "#" + color.to_html(false)), EditorInterface.get_editor_scale()
	)
	return ImageTexture.create_from_image(image) if error == OK else null
