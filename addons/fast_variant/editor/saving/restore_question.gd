@tool
extends ConfirmationDialog
## Asks before the earlier text of a file comes back with which other work would go.

const _LiveValues := preload("live_values.gd")
const _Loss := preload("loss.gd")
const _Native := preload("../shared/native.gd")
const _OverwrittenLines := preload("overwritten_lines.gd")
const _SaveLosses := preload("save_losses.gd")
const _SceneFiles := preload("../shared/scene_files.gd")

## At most this many edits are named.
const _MAX_NAMED := 10

## The losses that the question is about; null if it is answered.
var losses: _SaveLosses
## The contents of the file when the user was asked: bytes, or null.
var now: Variant


func _init() -> void:
	auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	title = "Restore the Earlier Text"
	ok_button_text = "Restore"
	canceled.connect(forget)


## Prepares the question for a file that holds `now_` and would hold `then`. Returns whether there is anything to ask.
func needs_answer(losses_: _SaveLosses, now_: Variant, then: PackedByteArray, has_unsaved: bool) -> bool:
	losses = losses_
	now = now_
	var taken_back := _taken_back(then)
	dialog_text = _question(taken_back, has_unsaved)
	return has_unsaved or not taken_back.is_empty()


func forget() -> void:
	losses = null
	now = null


## The user's changes in that save and since then: they are in the current file, and not in the restored one.
func _taken_back(then: PackedByteArray) -> PackedStringArray:
	var edits: PackedStringArray = []
	if now != null:
		var current: PackedByteArray = now
		edits = _edits(then, current)
	for loss: _Loss in losses.removed:
		if _was_removed(loss):
			edits.append("that %s is gone" % loss.describe())
	return edits


## The overwritten text goes, because the user asked for that; the text saved over it stays.
func _edits(then: PackedByteArray, current: PackedByteArray) -> PackedStringArray:
	if not _SceneFiles.is_text(losses.path):
		return _lines(then, current)
	var read := _Native.edits(then, losses.base) if losses.is_overwrite() else PackedStringArray()
	var edits: PackedStringArray = []
	for edit: String in _Native.edits(then, current):
		if edit not in read:
			edits.append(edit)
	return edits


## The lines that a script would lose.
func _lines(then: PackedByteArray, current: PackedByteArray) -> PackedStringArray:
	var lines: PackedStringArray = []
	for loss: _Loss in _OverwrittenLines.find(then, current, then):
		if loss.cause == "new":
			lines.append(loss.describe())
	# If the two can be merged, only earlier text goes.
	return lines if then == losses.before else PackedStringArray()


## Not if Godot left it out because it is the default.
func _was_removed(loss: _Loss) -> bool:
	var object := _LiveValues.object_of(losses.path, loss)
	return loss.kind != "property" or object == null or object.get(loss.name) != str_to_var(loss.value)


func _question(taken_back: PackedStringArray, has_unsaved: bool) -> String:
	var name_of_file := losses.path.get_file()
	var parts: PackedStringArray = []
	if not taken_back.is_empty():
		var named := taken_back.slice(0, _MAX_NAMED)
		if taken_back.size() > _MAX_NAMED:
			named.append("and %d more" % (taken_back.size() - _MAX_NAMED))
		parts.append("Restoring %s also takes back:\n\n%s" % [name_of_file, "\n".join(named)])
	if has_unsaved:
		parts.append("%s has changes that are not saved. They are lost, too." % name_of_file)
	return "\n\n".join(parts)
