@tool
extends "part.gd"
## Does by chance what users, other programs and the addon do, and knows by a model what must be in each file and in the
## editor's memory after each step: what the user did does not vanish unless he chose it.
##
## `FV_SEED` begins the numbers by chance, and `FV_STEPS` says how many steps: as many on a slow machine as on a fast one.
## With `FV_CONTROL`, the addon is switched off: what goes wrong then is the editor's own doing.

const Document := preload("document.gd")
const History := preload("history.gd")
const Outside := preload("outside.gd")
const Step := preload("step.gd")

const SCENES: PackedStringArray = ["res://front.tscn", "res://behind.tscn", "res://third.tscn"]
const RESOURCES: PackedStringArray = ["res://stats.tres", "res://spare.tres"]
const CONFIGURATION := "res://gdscene.toml"
const PLUGIN := "fast_variant"
## After so many, nothing new is learnt.
const MAX_FAILURES := 5
## Every so many steps all is compared, node by node.
const STEPS_PER_COMPARISON := 10

var _random := RandomNumberGenerator.new()
var _documents: Dictionary[String, Document] = {}
var _histories: Dictionary[int, History] = {}
var _outside := Outside.new()
## So that the editor goes on holding the resources.
var _held: Array[Resource] = []
## Counts the values that the user sets, so that each is another one.
var _value := 100
var _steps := 0
## How often each action was done, and how often the addon refused one.
var _counts: Dictionary[String, int] = {}
## Weights, by action.
var _actions: Dictionary[Callable, int] = {
	_edit_scene: 6, _add_node: 2, _edit_resource: 4, _save: 5,
	_fix_one: 4, _fix_all: 3, _format: 3, _ignore_here: 2, _ignore_in_project: 1, _save_text: 3, _restore: 5, _fix_shown: 2, _move_value: 3,
	_undo: 8, _redo: 5,
	_break_file: 6, _change_file: 2, _check_out: 2, _delete_file: 1,
	_show_scene: 4, _close_scene: 1, _inspect: 2, _switch_off_and_on: 1,
}


func run() -> void:
	var random_seed := int(OS.get_environment("FV_SEED"))
	_random.seed = random_seed
	print("seed ", random_seed)
	await _begin()
	if OS.has_environment("FV_CONTROL"):
		EditorInterface.set_plugin_enabled(PLUGIN, false)
		for action: Callable in [
			_fix_one, _fix_all, _fix_shown, _format, _ignore_here, _ignore_in_project, _save_text, _restore, _move_value,
			_switch_off_and_on
		]:
			_actions.erase(action)
	var steps := int(OS.get_environment("FV_STEPS"))
	while _steps < steps and failures.size() < MAX_FAILURES:
		await _step()
	var names := _counts.keys()
	names.sort()
	for action: String in names:
		print("%6d %s" % [_counts[action], action])
	passed = _steps - failures.size()


func _begin() -> void:
	for path: String in SCENES + RESOURCES:
		_documents[path] = Document.new(path)
		_outside.keep_version(path)
		var text := read(path)
		_documents[path].disk = Document.values_of_text(text)
	for path: String in RESOURCES:
		_held.append(load(path))
		_documents[path].settle(_documents[path].disk)
	for path: String in SCENES:
		await _open(path)


# --- A step -------------------------------------------------------------------------------------------

func _step() -> void:
	_steps += 1
	var before := failures.size()
	var action := _choose()
	print("%d %s (%.1f s)" % [_steps, action.get_method(), Time.get_ticks_msec() / 1000.0])
	_count(action.get_method())
	await action.call()
	await _settle()
	_compare(_steps % STEPS_PER_COMPARISON == 0)
	if failures.size() > before:
		print("FAIL  step %d: %s" % [_steps, action.get_method()])
		_adopt()


func _choose() -> Callable:
	var sum := 0
	for weight: int in _actions.values():
		sum += weight
	var at := _random.randi_range(1, sum)
	for action: Callable in _actions:
		at -= _actions[action]
		if at <= 0:
			return action
	return _save


func _count(what: String) -> void:
	_counts[what] = _counts.get(what, 0) + 1


## Waits until nothing is on its way any more.
func _settle() -> void:
	await frames(4)
	await until(func() -> bool: return not _is_busy(), "the editor at rest")
	await frames(2)


func _is_busy() -> bool:
	if EditorInterface.get_resource_filesystem().is_scanning():
		return true
	return parts() != null and parts().repairs.rewriter.is_working()


# --- What must be true --------------------------------------------------------------------------------

func _compare(is_thorough: bool) -> void:
	for path: String in _documents:
		var document := _documents[path]
		check_equal(_on_disk(path), document.disk, "the file %s" % path)
		check_equal(_in_memory(path), document.memory, "%s in memory" % path)
		if is_thorough:
			_compare_thoroughly(document)
	for path: String in SCENES:
		var root := SceneFiles.root_of(path)
		if root != null and root.get("stats") != null and not _documents[path].is_edited():
			check(root.get("stats") == _held[0], "%s has another object of %s than the editor" % [path, RESOURCES[0]])


func _compare_thoroughly(document: Document) -> void:
	if document.memory == null or document.disk == null or document.is_touched or document.is_stale:
		return
	var difference := Contents.difference_of_resource(document.path)
	if document.is_scene():
		difference = Contents.difference_of_scene(SceneFiles.root_of(document.path), document.path)
	check_equal(difference, "", "%s in memory and file" % document.path)


## Null if there is no file. A file that is not whole has no values.
func _on_disk(path: String) -> Variant:
	if not FileAccess.file_exists(path):
		return null
	var text := read(path)
	if not text.begins_with("[gd_") or not text.ends_with("\n"):
		return "not whole: %s" % text
	return Document.values_of_text(text)


func _in_memory(path: String) -> Variant:
	if path in RESOURCES:
		return Document.values_of_object(_held[RESOURCES.find(path)])
	var root := SceneFiles.root_of(path)
	return Document.values_of_object(root) if root != null else null


## Goes on after a failure with what there is.
func _adopt() -> void:
	for path: String in _documents:
		var document := _documents[path]
		document.disk = _on_disk(path)
		document.settle(_in_memory(path))
		if document.memory != document.disk:
			document.base = document.disk
			document.is_touched = true
	_histories.clear()


# --- The user -----------------------------------------------------------------------------------------

func _edit_scene() -> void:
	var root := EditorInterface.get_edited_scene_root()
	await hands.select(root)
	if _random.randi() % 2 == 0:
		_set_value(root.scene_file_path, root, "", "brightness")
	else:
		_set_value(root.scene_file_path, root.get_node("Glass"), "Glass", "rotation")


func _edit_resource() -> void:
	var index := _random.randi() % RESOURCES.size()
	EditorInterface.edit_resource(_held[index])
	_set_value(RESOURCES[index], _held[index], "", "hours")


func _set_value(path: String, object: Object, section: String, property: StringName) -> void:
	_value += 1
	var step := _step_of_user("Set %d" % _value, path)
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action(step.title)
	undo_redo.add_do_property(object, property, _value)
	undo_redo.add_undo_property(object, property, object.get(property))
	undo_redo.commit_action()
	step.after[property if section.is_empty() else "%s:%s" % [section, property]] = float(_value)
	_push_of_user(step, object)


func _add_node() -> void:
	_value += 1
	var root := EditorInterface.get_edited_scene_root()
	var step := _step_of_user("Add %d" % _value, root.scene_file_path)
	var node := Node2D.new()
	node.name = Document.ADDED + str(_value)
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action(step.title)
	undo_redo.add_do_method(root, &"add_child", node)
	undo_redo.add_do_property(node, &"owner", root)
	undo_redo.add_do_reference(node)
	undo_redo.add_undo_method(root, &"remove_child", node)
	undo_redo.commit_action()
	step.after[str(node.name)] = 1.0
	_push_of_user(step, root)


func _step_of_user(title: String, path: String) -> Step:
	var step := Step.new()
	step.title = title
	step.path = path
	step.before = _documents[path].copy_of_memory()
	step.after = _documents[path].copy_of_memory()
	return step


func _push_of_user(step: Step, object: Object) -> void:
	_history_of(object).push(step)
	_documents[step.path].memory = step.after
	_documents[step.path].is_touched = true
	print("    ", step.title, " in ", step.path)


## Godot saves the scene in front, and every resource that was touched.
func _save() -> void:
	var root := EditorInterface.get_edited_scene_root()
	await hands.select(root)
	var saved: Array[String] = []
	var listen := func(path: String) -> void: saved.append(path)
	var plugin: EditorPlugin = get_parent()
	plugin.scene_saved.connect(listen)
	await hands.save()
	await until(func() -> bool: return not saved.is_empty(), "%s is saved" % root.scene_file_path)
	plugin.scene_saved.disconnect(listen)
	await frames(2)
	for path: String in _documents:
		var document := _documents[path]
		if path == root.scene_file_path or (not document.is_scene() and document.is_touched):
			document.disk = document.memory
			document.settle(document.memory)
			_outside.keep_version(path)


func _undo() -> void:
	await _move(false)


func _redo() -> void:
	await _move(true)


## Which history the editor goes back in is seen by its version. The global one comes first: its steps read scenes again,
## and the histories of those are gone then.
func _move(is_forward: bool) -> void:
	var root := EditorInterface.get_edited_scene_root()
	await hands.select(root)
	var histories: Array[History] = [_history_of(null), _history_of(root)]
	var versions: Array = histories.map(func(history: History) -> int: return history.version())
	var files := _files()
	if is_forward:
		await hands.redo()
	else:
		await hands.undo()
	for index: int in 2:
		if histories[index].version() != versions[index]:
			await _settle()
			_take(histories[index].move(is_forward), is_forward, files)
			return


## What the model says of a step that was undone or done again.
func _take(step: Step, is_forward: bool, files: Dictionary[String, Variant]) -> void:
	if step == null:
		# The addon has set something on what the editor holds.
		for path: String in _documents:
			_documents[path].is_touched = true
		return
	print("    ", "redo of " if is_forward else "undo of ", step.title)
	if step.is_of_addon():
		for path: String in step.done:
			_take_file(step, path, is_forward, files)
		return
	var document := _documents[step.path]
	var from := step.before if is_forward else step.after
	var to := step.after if is_forward else step.before
	var memory := document.copy_of_memory()
	_replace_values(memory, from, to)
	document.memory = memory
	document.is_touched = true


func _take_file(step: Step, path: String, is_forward: bool, files: Dictionary[String, Variant]) -> void:
	var from: Variant = step.files_before[path] if is_forward else step.files_after[path]
	var to: Variant = step.files_after[path] if is_forward else step.files_before[path]
	var was: Variant = files[path]
	var now: Variant = _outside.bytes(path)
	if _is_same(was, now):
		var may_stay := step.is_dead or step.done[path] == is_forward or not _is_free(path)
		check(may_stay or not _is_same(was, from) or _is_same(from, to), "the step was not taken in %s, though nothing has changed" % path)
		if _is_same(was, to) and _is_free(path) and not step.is_dead:
			# The file is as it is to be.
			step.done[path] = is_forward
			return
		_count("refused: %s" % ("redo" if is_forward else "undo"))
		return
	check(not step.is_dead and step.done[path] != is_forward, "a step was taken twice in %s" % path)
	step.done[path] = is_forward
	if path not in _documents:
		return
	check(not _documents[path].is_edited(), "a step was taken in %s, which has unsaved edits" % path)
	if _is_same(was, from):
		check(_is_same(now, to), "%s has another text than before" % path)
	var values: Variant = _documents[path].disk
	if values is Dictionary and from != null and to != null:
		values = (values as Dictionary).duplicate()
		_replace_values(values as Dictionary, _values_of(from), _values_of(to))
	else:
		values = null if to == null else _values_of(to)
	_documents[path].disk = values
	_read_again(path)


## Makes in `values` the changes from one to the other.
func _replace_values(values: Dictionary, from: Dictionary, to: Dictionary) -> void:
	for key: String in from:
		if not to.has(key):
			values.erase(key)
	for key: String in to:
		if from.get(key) != to[key]:
			values[key] = to[key]


# --- The addon ----------------------------------------------------------------------------------------

func _fix_one() -> void:
	var path := _any_path()
	var diagnostics := _diagnostics(path).filter(func(each: Diagnostic) -> bool: return each.is_fixable())
	if not diagnostics.is_empty():
		var diagnostic: Diagnostic = diagnostics[_random.randi() % diagnostics.size()]
		await _rewrite([path], parts().repairs.fix.bind(diagnostic), diagnostic.code)


func _fix_all() -> void:
	var paths: PackedStringArray = SCENES + RESOURCES if _random.randi() % 2 == 0 else PackedStringArray([_any_path()])
	await _rewrite(paths, parts().repairs.fix_files.bind(paths), "")


## Of several files.
func _fix_shown() -> void:
	var paths := SCENES + RESOURCES
	var diagnostics: Array[Diagnostic] = []
	for path: String in paths:
		if FileAccess.file_exists(path):
			diagnostics.append_array(_diagnostics(path))
	await _rewrite(paths, parts().repairs.fix_shown.bind(diagnostics), "")


func _format() -> void:
	var path := _any_path()
	await _rewrite([path], parts().repairs.format_files.bind(PackedStringArray([path])), "")


func _ignore_here() -> void:
	var path := _any_path()
	var diagnostics := _diagnostics(path)
	if not diagnostics.is_empty():
		var diagnostic: Diagnostic = diagnostics[_random.randi() % diagnostics.size()]
		await _rewrite([path], parts().repairs.ignore_here.bind(diagnostic), diagnostic.code)


func _ignore_in_project() -> void:
	var diagnostic := Diagnostic.new()
	# Of no rule that is needed here.
	diagnostic.code = ["MIG001", "MIG003", "MIG005"][_random.randi() % 3]
	await _rewrite([CONFIGURATION], parts().repairs.ignore_in_project.bind(diagnostic), diagnostic.code)


## As the text window does: between the reading and the saving, anything may happen.
func _save_text() -> void:
	var path := _any_path()
	var before := file_bytes(path)
	_value += 1
	var text := _outside.with_value(before.get_string_from_utf8(), _value)
	if _random.randi() % 4 == 0:
		await [_edit_scene, _edit_resource, _change_file, _save, _undo][_random.randi() % 5].call()
		await _settle()
	await _rewrite([path], func() -> void:
		var reason: String = parts().repairs.replace("Edit the Text of %s" % path.get_file(), path, before, text)
		print("    answer: ", reason), "", before, Document.values_of_text(text))


## Also long after the save. Without a question, what was written since stays.
func _restore() -> void:
	var losses := _any_losses()
	if losses != null:
		var restore := parts().loss_actions.restore.bind(losses)
		var now: Variant = _outside.bytes(losses.path)
		await _rewrite([losses.path], restore, "", now, _values_of(parts().repairs.restored(losses, now)))


## Sets what a save dropped on the node or resource, which comes to the front. The user's values are others.
func _move_value() -> void:
	var losses := _any_losses()
	if losses == null:
		return
	var document := _documents[losses.path]
	for loss: SaveLosses._Loss in losses.losses:
		if not loss.near_name.is_empty() and document.disk != null:
			await parts().loss_actions.move(losses, loss)
			await _settle()
			if document.memory == null:
				document.settle(document.disk)
			document.is_touched = true
			_count("done: move of %s" % loss.name)
			return


func _any_losses() -> SaveLosses:
	var paths := Array(SCENES + RESOURCES).filter(func(each: String) -> bool:
		return losses_of(each) != null)
	return losses_of(str(paths[_random.randi() % paths.size()])) if not paths.is_empty() else null


## What the model says of an action of the addon. Fixes and formats leave the user's values alone; `values` are those of
## another text. Of a text that was made from `made_from`, nothing else may be overwritten.
func _rewrite(
	paths: PackedStringArray, action: Callable, about: String, made_from: Variant = null, values: Variant = null
) -> void:
	var files := _files()
	var memory := {}
	for path: String in paths:
		memory[path] = _in_memory(path) if path in _documents else null
	var about_action := "a text" if values != null else str(action.get_method())
	await action.call()
	var answer := await _answer()
	var step := Step.new()
	for path: String in paths:
		var now: Variant = _outside.bytes(path)
		if _is_same(files[path], now):
			_count("left alone: %s" % about_action)
			continue
		print("    rewrote ", path, " ", about)
		step.files_before[path] = files[path]
		step.files_after[path] = now
		step.done[path] = true
		if path not in _documents:
			continue
		var document := _documents[path]
		check(not document.is_edited() or answer == "yes", "%s was rewritten, though it has unsaved edits" % path)
		check(made_from == null or _is_same(made_from, files[path]) or answer == "yes", "%s was overwritten, though it had changed" % path)
		if values != null:
			document.disk = values
		_read_again(path)
		_compare_thoroughly(document)
	if not step.done.is_empty():
		_count("done: %s" % about_action)
		step.title = _history_of(null).current_title()
		_history_of(null).push(step)


## The editor has read the file again, if it holds it.
func _read_again(path: String) -> void:
	var document := _documents[path]
	_outside.keep_version(path)
	if document.memory != null:
		document.settle(document.disk)


# --- Other programs -----------------------------------------------------------------------------------

## Writes faults into a file that the addon can mend.
func _break_file() -> void:
	var path := _any_path()
	await _write_outside(path, _outside.broken(file_bytes(path).get_string_from_utf8(), _random))


func _change_file() -> void:
	var path := _any_path()
	_value += 1
	await _write_outside(path, _outside.with_value(file_bytes(path).get_string_from_utf8(), _value))


## An earlier version of the file.
func _check_out() -> void:
	var path: String = (SCENES + RESOURCES)[_random.randi() % (SCENES.size() + RESOURCES.size())]
	await _write_outside(path, _outside.any_version(path, _random))


## Of those that no other file needs.
func _delete_file() -> void:
	var path: String = ["res://third.tscn", "res://spare.tres"][_random.randi() % 2]
	DirAccess.remove_absolute(path)
	_documents[path].disk = null
	_documents[path].is_stale = true
	print("    deleted ", path)
	await _come_back()


func _write_outside(path: String, text: String) -> void:
	if text.is_empty():
		return
	print("    another program wrote ", path)
	_outside.write(path, text)
	_documents[path].disk = Document.values_of_text(text)
	_documents[path].is_stale = true
	await _come_back()


## The user comes back to the editor, which looks at its files, reads changed resources again without a question, and asks
## what to do with scenes. "Ignore External Changes" is not tried: it saves the scene in front into all of them (Godot 4.6.3).
func _come_back() -> void:
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_IN)
	await _settle()
	for path: String in RESOURCES:
		var document := _documents[path]
		if document.is_stale and document.disk != null:
			await until(func() -> bool: return _in_memory(path) == document.disk, "the editor has read %s again" % path)
			document.settle(document.disk)
			# Godot takes what it has read for edited.
			document.is_touched = true
	var question := hands.question()
	if question == null:
		return
	var is_reloaded := _random.randi() % 4 > 0
	print("    the editor asks: ", question.title, ", reload: ", is_reloaded)
	if not is_reloaded:
		question.hide()
		return
	# Godot keeps the selection of the scene in front for the one that it reads again, and hands out nodes that are gone when
	# that one comes to the front (`EditorNode::_reload_modified_scenes`, 4.6.3).
	EditorInterface.get_selection().clear()
	EditorInterface.inspect_object(null)
	await hands.press(question.get_ok_button())
	await _settle()
	for path: String in SCENES:
		var document := _documents[path]
		if document.is_stale and document.memory != null and document.disk != null:
			document.settle(document.disk)


# --- The editor ---------------------------------------------------------------------------------------

func _show_scene() -> void:
	var path: String = SCENES[_random.randi() % SCENES.size()]
	if FileAccess.file_exists(path) or _documents[path].memory != null:
		await _open(path)


func _open(path: String) -> void:
	var document := _documents[path]
	var is_new := document.memory == null
	await open(path)
	if is_new:
		document.settle(document.disk)


## The user discards what he has not saved.
func _close_scene() -> void:
	if SCENES.size() - Array(SCENES).filter(func(each: String) -> bool: return _documents[each].memory == null).size() < 2:
		return
	var document := _documents[edited_path()]
	print("    closing ", document.path)
	EditorInterface.close_scene()
	await _settle()
	document.settle(null)


func _inspect() -> void:
	EditorInterface.edit_resource(_held[_random.randi() % _held.size()])
	await frames(3)


## Meanwhile, the user does something. Steps of the addon are dead afterwards.
func _switch_off_and_on() -> void:
	EditorInterface.set_plugin_enabled(PLUGIN, false)
	await frames(5)
	for history: History in _histories.values():
		history.kill_steps_of_addon()
	for count: int in _random.randi_range(0, 3):
		await [_edit_scene, _edit_resource, _save, _show_scene, _change_file, _undo][_random.randi() % 6].call()
		await _settle()
	EditorInterface.set_plugin_enabled(PLUGIN, true)
	await rest()


# --- Tools --------------------------------------------------------------------------------------------

## Answers what the addon asks, if it does: `yes`, `no` or nothing.
func _answer() -> String:
	await _settle()
	var question := hands.question()
	if question == null:
		return ""
	var is_yes := _random.randi() % 2 == 0
	print("    the addon asks: %s; %s" % [question.dialog_text, "yes" if is_yes else "no"])
	_count("asked")
	if is_yes:
		await hands.press(question.get_ok_button())
	else:
		question.canceled.emit()
		question.hide()
	await _settle()
	return "yes" if is_yes else "no"


func _any_path() -> String:
	var paths := Array(SCENES + RESOURCES).filter(func(each: String) -> bool: return FileAccess.file_exists(each))
	return paths[_random.randi() % paths.size()]


func _diagnostics(path: String) -> Array[Diagnostic]:
	return parts().repairs._Native.lint_file(path)


## Whether the addon has no reason to leave the file alone.
func _is_free(path: String) -> bool:
	return path not in _documents or not _documents[path].is_touched


func _files() -> Dictionary[String, Variant]:
	var files: Dictionary[String, Variant] = {}
	for path: String in SCENES + RESOURCES + PackedStringArray([CONFIGURATION]):
		files[path] = _outside.bytes(path)
	return files


func _values_of(bytes: Variant) -> Dictionary:
	return Document.values_of_text((bytes as PackedByteArray).get_string_from_utf8())


func _is_same(one: Variant, other: Variant) -> bool:
	return typeof(one) == typeof(other) and one == other


## That of an object's steps, or the editor's global one.
func _history_of(object: Object) -> History:
	var undo_redo := EditorInterface.get_editor_undo_redo()
	var id := EditorUndoRedoManager.GLOBAL_HISTORY
	if object is Node:
		id = undo_redo.get_object_history_id(object)
	if not _histories.has(id):
		_histories[id] = History.new(id)
	return _histories[id]
