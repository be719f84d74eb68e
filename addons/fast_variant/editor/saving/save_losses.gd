@tool
extends RefCounted
## The data that one save dropped from one file, or overwrote in it, and the text before and after it.

const _Loss := preload("loss.gd")
const _OpenScripts := preload("../writing/open_scripts.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Words := preload("../shared/words.gd")

## The stored fields of each loss.
const _LOSS_FIELDS: PackedStringArray = [
	"kind", "cause", "node_path", "name", "resource_class", "sub_resource", "has_script", "files", "target", "method",
	"changes_arguments", "value", "line", "column", "last_line", "reason", "near_name"
]

var path: String
## The file before and after the save.
var before: PackedByteArray
var after: PackedByteArray
## If another program changed the file before the save: the text that the editor had read or written before that.
var base: PackedByteArray
var losses: Array[_Loss] = []
## Data that the user removed.
var removed: Array[_Loss] = []
## When the editor saved, in seconds of Unix time.
var time := Time.get_unix_time_from_system()


## Whether it is about a text that another program had written.
func is_overwrite() -> bool:
	return losses.any(func(loss: _Loss) -> bool: return loss.kind == _Loss.OVERWRITTEN)


## How many lines were overwritten.
func line_count() -> int:
	var count := 0
	for loss: _Loss in losses:
		count += loss.line_count()
	return count


## In one sentence; it names the loss if there is only one.
func summary() -> String:
	if is_overwrite():
		var lines := _Words.counted(line_count(), "%d line that was", "%d lines that were")
		return "Saving %s overwrote %s changed on the disk." % [path.get_file(), lines]
	if losses.size() == 1:
		return "Saving %s dropped %s" % [path.get_file(), losses[0].describe()]
	return "Saving %s dropped %s." % [path.get_file(), _Words.counted(losses.size(), "%d thing", "%d things")]


## How many bytes its texts have.
func size() -> int:
	return before.size() + after.size() + base.size()


## The titles of the buttons that show the two texts, and bring back the lost data.
func show_title() -> String:
	return "Compare" if is_overwrite() else "Show What Was Dropped"


func restore_title() -> String:
	return "Restore" if is_overwrite() else "Restore the Earlier Text"


## When the editor saved: the time of day, with the date of another day.
func when() -> String:
	return _Words.moment(time)


## All of it as data, for a file.
func to_data() -> Dictionary:
	return {
		"path": path, "time": time, "before": before, "after": after, "base": base,
		"losses": losses.map(_loss_to_data), "removed": removed.map(_loss_to_data)
	}


## Null if the data is not a result of `to_data`.
static func from_data(data: Variant) -> RefCounted:
	var made := new()
	if not _has_fields(data, made.to_data()):
		return null
	made.path = data["path"]
	made.time = data["time"]
	made.before = data["before"]
	made.after = data["after"]
	made.base = data["base"]
	if not made.path.begins_with("res://") or made.path != made.path.simplify_path():
		return null
	if not _SceneFiles.is_text(made.path) and not _OpenScripts.is_script(made.path):
		return null
	if not _add_losses(data["losses"], made.losses) or not _add_losses(data["removed"], made.removed):
		return null
	return made if not made.losses.is_empty() else null


static func _add_losses(data: Array, to: Array[_Loss]) -> bool:
	for each: Variant in data:
		var loss := _Loss.new()
		if not _has_fields(each, _loss_to_data(loss)):
			return false
		for field: String in _LOSS_FIELDS:
			loss.set(field, each[field])
		to.append(loss)
	return true


static func _loss_to_data(loss: _Loss) -> Dictionary:
	var data := {}
	for field: String in _LOSS_FIELDS:
		data[field] = loss.get(field)
	return data


static func _has_fields(data: Variant, model: Dictionary) -> bool:
	if not data is Dictionary:
		return false
	var fields: Dictionary = data
	return model.keys().all(func(field: String) -> bool: return typeof(fields.get(field)) == typeof(model[field]))
