extends SceneTree
## Makes a PNG of an SVG: picture_of_svg.gd -- FROM.svg TO.png WIDTH


func _init() -> void:
	var arguments := OS.get_cmdline_user_args()
	var image := Image.new()
	var error := image.load_svg_from_string(FileAccess.get_file_as_string(arguments[0]))
	if error == OK:
		image.load_svg_from_string(FileAccess.get_file_as_string(arguments[0]), arguments[2].to_float() / image.get_width())
		error = image.save_png(arguments[1])
	quit(0 if error == OK else 1)
