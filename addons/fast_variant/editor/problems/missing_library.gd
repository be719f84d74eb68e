@tool
extends HBoxContainer
## Replaces the Problems panel if the native library is missing, and says so.

const _Addon := preload("../shared/addon.gd")
const _Native := preload("../shared/native.gd")

var _icon := TextureRect.new()
var _label := Label.new()


## The missing library, and the remedy.
static func message() -> String:
	if _Native.is_outdated():
		return "The native library is of another version than the addon. Restart the editor."
	return (
		"There is no native library for this platform in %s/bin. Install a release of the addon that has one, or build it "
		+ "with scripts/build.sh of its repository; then restart the editor."
	) % _Addon.folder()


func _init() -> void:
	# The rules speak English, so all of it does.
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	name = "Problems"
	custom_minimum_size = Vector2(0, 80) * EditorInterface.get_editor_scale()
	_icon.stretch_mode = TextureRect.STRETCH_KEEP_CENTERED
	_label.text = message()
	_label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_label.vertical_alignment = VERTICAL_ALIGNMENT_CENTER
	_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_label.size_flags_vertical = Control.SIZE_EXPAND_FILL
	add_child(_icon)
	add_child(_label)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_icon.texture = get_theme_icon(&"StatusError", &"EditorIcons")
