@tool
extends EditorPlugin
## Says what the editor shows of the addon, and ends it. It names none of the addon's scripts, so that it runs where there is no
## library, and where the addon's folder has another name.

const MAX_FRAMES := 2000


var _frame := 0


## The environment variable FV_WITNESS has what the title of the tab has to begin with.
func _process(_delta: float) -> void:
	_frame += 1
	if _frame < MAX_FRAMES and EditorInterface.get_resource_filesystem().is_scanning():
		return
	if _frame < MAX_FRAMES and (_panel() == null or not _title().begins_with(OS.get_environment("FV_WITNESS"))):
		return
	_tell()
	get_tree().quit()


func _tell() -> void:
	print("tab: ", _title())
	for node: Node in _panel().find_children("*", "Label", true, false):
		var label: Label = node
		print("label: ", label.text)
	var icon: Texture2D = _dock().get(&"dock_icon")
	print("icon: ", "none" if icon == null else "there")


func _title() -> String:
	return str(_dock().get(&"title"))


func _dock() -> Node:
	return _panel().get_parent()


func _panel() -> Node:
	var found := get_tree().root.find_children("Problems", "BoxContainer", true, false)
	return found[0] if not found.is_empty() else null
