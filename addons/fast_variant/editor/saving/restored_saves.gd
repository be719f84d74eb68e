@tool
extends RefCounted
## Saves that the user has restored. An undo lists their dropped data again, a redo removes it from the list.

const _FileRewriter := preload("../writing/file_rewriter.gd")
const _LossList := preload("loss_list.gd")
const _SaveLosses := preload("save_losses.gd")
const _SafeFile := preload("../writing/safe_file.gd")

## The oldest go when there are more.
const _MAX_COUNT := 20

var _list: _LossList
## The contents of each file before and after its text was restored.
var _contents: Dictionary[_SaveLosses, Array] = {}


func _init(list: _LossList, rewriter: _FileRewriter) -> void:
	_list = list
	rewriter.rewritten.connect(_on_rewritten)


## The file of `losses` had the bytes `before`, or did not exist, and has the earlier text now.
func add(losses: _SaveLosses, before: Variant) -> void:
	_contents[losses] = [before, _SafeFile.content(losses.path)]
	if _contents.size() > _MAX_COUNT:
		_contents.erase(_contents.keys()[0])
	_list.remove(losses)


func _on_rewritten(paths: PackedStringArray) -> void:
	for losses: _SaveLosses in _contents:
		if losses.path not in paths:
			continue
		var now: Variant = _SafeFile.content(losses.path)
		if _is_equal(now, _contents[losses][1]):
			_list.remove(losses)
		elif _is_equal(now, _contents[losses][0]) and not _list.has(losses):
			_list.add(losses)


func _is_equal(one: Variant, other: Variant) -> bool:
	return typeof(one) == typeof(other) and one == other
