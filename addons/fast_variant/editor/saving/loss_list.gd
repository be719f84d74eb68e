@tool
extends RefCounted
## Data that saves dropped, until the user dismisses it or brings it back: through later saves, in other scenes, and in later
## sessions of the editor.

signal changed

const _Loss := preload("loss.gd")
const _LossStore := preload("loss_store.gd")
const _SaveLosses := preload("save_losses.gd")

## The oldest saves go when there are more of them, or when their texts have more bytes.
const MAX_COUNT := 100
const MAX_BYTES := 64 << 20

## The oldest save first.
var _all: Array[_SaveLosses] = []
var _store := _LossStore.new()


## Adds those of earlier sessions.
func read_kept() -> void:
	var found := _store.read_all(MAX_COUNT)
	found.append_array(_all)
	_all = found
	_keep_bounds()
	changed.emit()


func add(losses: _SaveLosses) -> void:
	_all.append(losses)
	_all.sort_custom(func(one: _SaveLosses, other: _SaveLosses) -> bool: return one.time < other.time)
	_store.put(losses)
	_keep_bounds()
	changed.emit()


## Removes the losses of one save.
func remove(losses: _SaveLosses) -> void:
	if losses in _all:
		_all.erase(losses)
		_store.remove(losses)
		changed.emit()


## One thing, and the save with its last one.
func remove_loss(losses: _SaveLosses, loss: _Loss) -> void:
	losses.losses.erase(loss)
	if losses.losses.is_empty():
		remove(losses)
	elif losses in _all:
		_store.put(losses)
		changed.emit()


func remove_all() -> void:
	for losses: _SaveLosses in _all:
		_store.remove(losses)
	_all.clear()
	changed.emit()


func has(losses: _SaveLosses) -> bool:
	return losses in _all


## The files from which saves dropped something.
func paths() -> PackedStringArray:
	var found: PackedStringArray = []
	for losses: _SaveLosses in _all:
		if losses.path not in found:
			found.append(losses.path)
	found.sort()
	return found


## The newest save first.
func of(path: String) -> Array[_SaveLosses]:
	var found := _all.filter(func(losses: _SaveLosses) -> bool: return losses.path == path)
	found.reverse()
	return found


## The losses of the newest save; null without any.
func newest() -> _SaveLosses:
	return _all[-1] if not _all.is_empty() else null


## How many saves there are.
func size() -> int:
	return _all.size()


## How many things they dropped.
func count() -> int:
	var total := 0
	for losses: _SaveLosses in _all:
		total += losses.losses.size()
	return total


## The user has moved a file.
func follow(old: String, new: String) -> void:
	for losses: _SaveLosses in of(old):
		losses.path = new
		_store.put(losses)
		changed.emit()


func _keep_bounds() -> void:
	var bytes := 0
	for losses: _SaveLosses in _all:
		bytes += losses.size()
	# The newest stays, whatever its size.
	while _all.size() > 1 and (_all.size() > MAX_COUNT or bytes > MAX_BYTES):
		var oldest: _SaveLosses = _all.pop_front()
		bytes -= oldest.size()
		_store.remove(oldest)
