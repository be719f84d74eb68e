@tool
extends "part.gd"
## Each action that writes, many times: forwards, Undo, Redo and Undo again; of a scene in front, of one in another tab, and of
## a resource in the Inspector. After each step, the file has exactly the expected text, the editor holds what the file says,
## and the user has selected and inspects what he did before.

const FRONT := "res://front.tscn"
const BEHIND := "res://behind.tscn"
const STATS := "res://stats.tres"
const CONFIGURATION := "res://gdscene.toml"
const FIXABLE := "REF007"

var _rounds := int(OS.get_environment("FV_ROUNDS"))
## The only ones to run, such as `restore of res://stats.tres`; empty for all.
var _only := OS.get_environment("FV_ONLY")
## What the actions are done to.
var _path: String
## The texts that the files have in the beginning.
var _texts: Dictionary[String, String] = {}


func run() -> void:
	for path: String in [FRONT, BEHIND, STATS]:
		_texts[path] = read(path)
	await open(BEHIND)
	await open(FRONT)
	for path: String in [FRONT, BEHIND, STATS]:
		_path = path
		await _repeat("fix one", _fix_one)
		await _repeat("fix all", _fix_all)
		await _repeat("format", _format)
		await _repeat("ignore here", _ignore_here)
		await _repeat("ignore in project", _ignore_in_project)
		await _repeat("text window", _save_text)
		await _repeat("restore", _restore)
	_path = FRONT
	await _repeat("edit meanwhile", _edit_meanwhile)
	await _come_back()


func _repeat(action: String, round_of_it: Callable) -> void:
	if not "%s of %s" % [action, _path] in _only and not _only.is_empty():
		return
	var failures_before := failures.size()
	for number: int in _rounds:
		await _choose()
		await round_of_it.call()
		if failures.size() > failures_before:
			print("FAIL  %s of %s, round %d" % [action, _path, number])
			return
	passed += 1
	print("ok    %s of %s, %d rounds" % [action, _path, _rounds])


## Selects the root of the scene in front, or inspects the resource.
func _choose() -> void:
	await hands.select(EditorInterface.get_edited_scene_root())
	if _path == STATS:
		EditorInterface.edit_resource(load(STATS))
		await frames(2)


# --- Actions ------------------------------------------------------------------------------------------

func _fix_one() -> void:
	var diagnostic := await _diagnostic(FIXABLE)
	var text: String = parts().repairs._Native.fix_one(read(_path), diagnostic).text
	await _forth_and_back(_path, text, parts().repairs.fix.bind(diagnostic))


func _fix_all() -> void:
	var text: String = parts().repairs._Native.fix(read(_path), _path, false).text
	await _forth_and_back(_path, text, parts().repairs.fix_files.bind(PackedStringArray([_path])))


func _format() -> void:
	var text: String = parts().repairs._Native.format(read(_path), _path).text
	await _forth_and_back(_path, text, parts().repairs.format_files.bind(PackedStringArray([_path])))


func _ignore_here() -> void:
	var diagnostic := await _diagnostic(FIXABLE)
	var text: String = parts().repairs._Ignores.here(read(_path), diagnostic).text
	await _forth_and_back(_path, text, parts().repairs.ignore_here.bind(diagnostic))


func _ignore_in_project() -> void:
	var diagnostic := await _diagnostic(FIXABLE)
	await _forth_and_back(CONFIGURATION, 'ignore = ["%s"]\n' % FIXABLE, parts().repairs.ignore_in_project.bind(diagnostic))


func _save_text() -> void:
	var text := read(_path)
	var window := parts().text_window
	window.open(_path, 1, 1)
	await frames(2)
	var editor: CodeEdit = window.find_children("*", "CodeEdit", true, false)[0]
	# Typed, but not here: it is the saving that is tried.
	editor.set_caret_line(editor.get_line_count() - 1)
	editor.set_caret_column(0)
	editor.insert_text_at_caret("; typed\n")
	await frames(2)
	await _forth_and_back(_path, text + "; typed\n", func() -> void:
		for button: Button in window.find_children("*", "Button", true, false):
			if button.text == "Save" and button.get_window() == window:
				button.pressed.emit()
		window.hide())


## A save drops the comment, and what the scripts do not have.
func _restore() -> void:
	var text := read(_path)
	parts().problems.losses.remove_all()
	await _save_changed()
	await until(func() -> bool: return losses_of(_path) != null, "what the save of %s dropped" % _path)
	if losses_of(_path) == null:
		return
	var saved := read(_path)
	check(saved != text, "the save dropped nothing")
	await _do(_path, text, parts().repairs.restore.bind(losses_of(_path), saved.to_utf8_buffer()))
	await _do(_path, saved, hands.undo)
	await _do(_path, text, hands.redo)


## As the user saves the scene, or the resource after he has changed it.
func _save_changed() -> void:
	var text := read(_path)
	if _path == BEHIND:
		EditorInterface.open_scene_from_path(BEHIND)
		await hands.select(EditorInterface.get_edited_scene_root())
	elif _path == STATS:
		var stats: LampStats = load(STATS)
		var undo_redo := EditorInterface.get_editor_undo_redo()
		undo_redo.create_action("change the hours")
		undo_redo.add_do_property(stats, &"hours", stats.hours + 1)
		undo_redo.add_undo_property(stats, &"hours", stats.hours)
		undo_redo.commit_action()
		EditorInterface.set_object_edited(stats, true)
	await hands.save()
	await until(func() -> bool: return read(_path) != text, "%s is saved" % _path)
	if _path == BEHIND:
		EditorInterface.open_scene_from_path(FRONT)
		await hands.select(EditorInterface.get_edited_scene_root())
	elif _path == STATS:
		# The scene in front was saved as well.
		await _put(FRONT, _texts[FRONT])
		await _choose()


## The user changes the scene before the editor has read it again: his change stays, and the rest of what is written is told.
func _edit_meanwhile() -> void:
	var text := read(_path)
	parts().repairs.fix_files(PackedStringArray([_path]))
	var lamp: Lamp = EditorInterface.get_edited_scene_root()
	var undo_redo := EditorInterface.get_editor_undo_redo()
	undo_redo.create_action("change the brightness")
	undo_redo.add_do_property(lamp, &"brightness", 7.0)
	undo_redo.add_undo_property(lamp, &"brightness", lamp.brightness)
	undo_redo.commit_action()
	await until(func() -> bool: return not parts().repairs.rewriter.is_working(), "the editor has read %s" % _path)
	await frames(5)
	check_equal((EditorInterface.get_edited_scene_root() as Lamp).brightness, 7.0, "what the user changed meanwhile")
	await _put(_path, text)


# --- Steps --------------------------------------------------------------------------------------------

func _forth_and_back(path: String, after: String, action: Callable) -> void:
	var before := read(path) if FileAccess.file_exists(path) else ""
	check(before != after, "there is nothing to do")
	await _do(path, after, action)
	await _do(path, before, hands.undo)
	await _do(path, after, hands.redo)
	await _do(path, before, hands.undo)


## One rewrite, and what has to be true after it.
func _do(path: String, text: String, action: Callable) -> void:
	var state := _state()
	await action.call()
	await until(func() -> bool: return _is_written(path, text), "%s is rewritten" % path)
	await hands.look_around()
	await frames(5)
	check_equal(read(path) if FileAccess.file_exists(path) else "", text, "the text of %s" % path)
	check_equal(_state(), state, "what is in front, selected and inspected")
	for scene: String in [FRONT, BEHIND]:
		check_equal(Contents.difference_of_scene(SceneFiles.root_of(scene), scene), "", "%s in memory" % scene)
	check_equal(Contents.difference_of_resource(STATS), "", "%s in memory" % STATS)


## Answers the question, if there is one.
func _is_written(path: String, text: String) -> bool:
	var question := hands.question()
	if question != null:
		hands.press(question.get_ok_button())
	return (read(path) if FileAccess.file_exists(path) else "") == text


## What the user sees of his place.
func _state() -> String:
	var root := EditorInterface.get_edited_scene_root()
	var selected: Array = EditorInterface.get_selection().get_selected_nodes().map(root.get_path_to)
	var inspected := EditorInterface.get_inspector().get_edited_object()
	var name_of_it := str(inspected)
	if inspected is Node:
		name_of_it = str(root.get_path_to(inspected as Node))
	elif inspected is Resource:
		name_of_it = (inspected as Resource).resource_path
	return "%s, selected: %s, inspected: %s" % [root.scene_file_path, selected, name_of_it]


func _diagnostic(code: String) -> Diagnostic:
	var found: Array[Diagnostic] = []
	await until(func() -> bool:
		found.assign(parts().problems.diagnostics_of(_path).filter(
			func(each: Diagnostic) -> bool: return each.code == code))
		return not found.is_empty(), "%s in %s" % [code, _path])
	return found[0]


## Puts a text back that this test has changed.
func _put(path: String, text: String) -> void:
	write(path, text)
	EditorInterface.get_selection().clear()
	EditorInterface.inspect_object(null)
	EditorInterface.get_resource_filesystem().update_file(path)
	EditorInterface.reload_scene_from_path(path)
	await frames(2)


## The editor looks at its files when the user comes back to it, and finds nothing that it does not know.
func _come_back() -> void:
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_IN)
	await frames(10)
	var question := hands.question()
	if question == null:
		passed += 1
	else:
		fail("the editor asks: %s" % question.title)
