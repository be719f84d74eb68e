@tool
extends Node
## The actions for a connection with a problem: see it in the editor's list, remove it, make the method that it calls, let it call
## another one.

const _Diagnostic := preload("../checking/diagnostic.gd")
const _LiveConnection := preload("live_connection.gd")
const _Menu := preload("../problems/problems_menu.gd")
const _MethodMenu := preload("method_menu.gd")
const _MethodText := preload("method_text.gd")
const _Navigator := preload("../places/navigator.gd")
const _OpenScripts := preload("../writing/open_scripts.gd")
const _ProblemsPanel := preload("../problems/problems_panel.gd")
const _Repairs := preload("../fixing/repairs.gd")
const _Rewrite := preload("../fixing/rewrite.gd")
const _SceneConnection := preload("scene_connection.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _SignalsDock := preload("signals_dock.gd")

## The second connection of two that are equal: the editor holds the first one only.
const _DUPLICATE := "SIG004"

var method_menu := _MethodMenu.new()

var _navigator: _Navigator
var _repairs: _Repairs


func _init(navigator: _Navigator, panel: _ProblemsPanel, repairs: _Repairs) -> void:
	_navigator = navigator
	_repairs = repairs
	panel.actions.connection_asked.connect(_on_asked)
	method_menu.chosen.connect(_on_method_chosen)
	add_child(method_menu)


## Opens the scene, and shows the connection in the editor's list.
func show_in_dock(diagnostic: _Diagnostic) -> void:
	var connection := _connection_of(diagnostic)
	if connection == null or not await _open(diagnostic, connection):
		return
	if not await _SignalsDock.show(connection):
		_refuse("Show in Signals Dock", "this editor has no such dock that the addon knows")


## Takes the connection out of the file; if the editor has unsaved changes, out of the scene in the editor.
func remove(diagnostic: _Diagnostic) -> void:
	var connection := _connection_of(diagnostic)
	if connection == null:
		return
	var title := "Disconnect %s" % connection.describe()
	if not _repairs.rewriter.unsaved.has(diagnostic.path):
		_rewrite(title, diagnostic, func(now: _SceneConnection, text: String) -> _Rewrite: return now.without(text))
		return
	var live := _LiveConnection.find(diagnostic.path, connection) as _LiveConnection
	if live == null or diagnostic.code == _DUPLICATE:
		_tell("%s: the editor does not hold it; saving %s removes it." % [title, diagnostic.path.get_file()])
		return
	live.remove(_repairs.rewriter.undo_redo, title)
	_tell("%s: done in the editor; save %s to keep it." % [title, diagnostic.path.get_file()])


## Adds the method to the script of the node that is called, and opens it there.
func create_method(diagnostic: _Diagnostic) -> void:
	var connection := _connection_of(diagnostic)
	if connection == null or not await _open(diagnostic, connection):
		return
	var title := "Create Method %s" % connection.method
	var source := _node(diagnostic.path, connection.from)
	var target := _node(diagnostic.path, connection.to)
	var reason := _obstacle(source, target, connection)
	if reason.is_empty():
		var script: Script = target.get_script()
		reason = _write_method(title, script.resource_path, connection.method, _MethodText.arguments(source, connection))
	if not reason.is_empty():
		_refuse(title, reason)


## Offers the methods of the node that is called, those with a near name first.
func connect_to(diagnostic: _Diagnostic) -> void:
	var connection := _connection_of(diagnostic)
	if connection == null or not await _open(diagnostic, connection):
		return
	var source := _node(diagnostic.path, connection.from)
	var target := _node(diagnostic.path, connection.to)
	if source == null or target == null:
		_refuse("Connect to", "%s has no node %s" % [diagnostic.path.get_file(), connection.to if target == null else connection.from])
		return
	var count := connection.argument_count(_MethodText.signal_arguments(source, connection.signal_name).size())
	if not method_menu.offer(diagnostic, connection, target, count):
		_refuse("Connect to", "%s has no other method that takes %d arguments" % [target.name, count])


func _on_asked(action: _Menu._Action, diagnostic: _Diagnostic) -> void:
	match action:
		_Menu._Action.SHOW_SIGNALS:
			show_in_dock(diagnostic)
		_Menu._Action.DISCONNECT:
			remove(diagnostic)
		_Menu._Action.CREATE_METHOD:
			create_method(diagnostic)
		_Menu._Action.CONNECT_TO:
			connect_to(diagnostic)


func _on_method_chosen(diagnostic: _Diagnostic, method: String) -> void:
	var connection := _connection_of(diagnostic)
	if connection == null:
		return
	var title := "Connect %s to %s" % [connection.describe(), method]
	if not _repairs.rewriter.unsaved.has(diagnostic.path):
		_rewrite(title, diagnostic,
			func(now: _SceneConnection, text: String) -> _Rewrite: return now.with_method(text, method))
		return
	var live := _LiveConnection.find(diagnostic.path, connection) as _LiveConnection
	if live == null:
		_refuse(title, "%s has changes that are not saved; save it first" % diagnostic.path.get_file())
		return
	live.call_instead(_repairs.rewriter.undo_redo, title, method)
	_tell("%s: done in the editor; save %s to keep it." % [title, diagnostic.path.get_file()])


## The connection in the file as it is now. If it no longer exists, shows a message and returns null.
func _connection_of(diagnostic: _Diagnostic) -> _SceneConnection:
	var text: Variant = _SceneFiles.as_text(_SceneFiles.read(diagnostic.path))
	var found: _SceneConnection = null
	if text != null:
		found = _SceneConnection.at(str(text), diagnostic.line) as _SceneConnection
	if found == null:
		_refuse(diagnostic.code, "line %d of %s has no connection any more" % [diagnostic.line, diagnostic.path])
	return found


## With its node selected, or the nearest one above. Returns whether that could be done.
func _open(diagnostic: _Diagnostic, connection: _SceneConnection) -> bool:
	if _navigator.is_for_text(diagnostic.path):
		_refuse(diagnostic.code, "Godot cannot open %s; repair it first" % diagnostic.path)
		return false
	await _navigator.open_node(diagnostic.path, connection.from)
	# The addon may have been disabled meanwhile.
	return is_inside_tree()


func _node(path: String, node_path: String) -> Node:
	var root := _SceneFiles.root_of(path)
	return root.get_node_or_null(node_path) if root != null else null


func _obstacle(source: Node, target: Node, connection: _SceneConnection) -> String:
	if source == null or not source.has_signal(connection.signal_name):
		return "%s has no signal %s" % [connection.from, connection.signal_name]
	if target == null:
		return "the scene has no node %s" % connection.to
	if target.has_method(connection.method):
		return "%s has it already" % target.name
	var script: Script = target.get_script()
	if script == null:
		return "%s has no script; attach one first" % target.name
	if not script is GDScript or not _OpenScripts.is_script(script.resource_path):
		return "the script of %s is not a GDScript file" % target.name
	if not connection.method.is_valid_ascii_identifier():
		return "%s is not a valid name; expected letters, digits and _" % connection.method
	return ""


func _write_method(title: String, path: String, method: String, arguments: PackedStringArray) -> String:
	var before := _SceneFiles.read(path)
	var text: Variant = _SceneFiles.as_text(before)
	if text == null:
		return "%s is not UTF-8" % path
	var new_text := _MethodText.added_to(str(text), method, arguments)
	var reason := _repairs.replace(title, path, before, new_text)
	if reason.is_empty():
		_tell("%s: added to %s." % [title, path.get_file()])
		_show_method(path, new_text)
		return ""
	return "%s was left alone: %s" % [path.get_file(), reason]


## When the editor knows the new text.
func _show_method(path: String, text: String) -> void:
	while _repairs.rewriter.is_working():
		await get_tree().process_frame
		if not is_inside_tree():
			return
	EditorInterface.edit_script(load(path) as Script, text.strip_edges(false, true).count("\n") + 1)


## `rewrite` gets the connection as it is then, and the text.
func _rewrite(title: String, diagnostic: _Diagnostic, rewrite: Callable) -> void:
	_repairs.rewrite_file(title, diagnostic.path, func(text: String, _path: String) -> _Rewrite:
		var now := _SceneConnection.at(text, diagnostic.line) as _SceneConnection
		if now != null:
			return rewrite.call(now, text)
		var unchanged := _Rewrite.new()
		unchanged.error = "line %d has no connection any more" % diagnostic.line
		return unchanged)


func _tell(message: String) -> void:
	_repairs.toasts.push(message, EditorToaster.SEVERITY_INFO)


func _refuse(title: String, reason: String) -> void:
	_repairs.toasts.push("%s: %s." % [title, reason], EditorToaster.SEVERITY_WARNING)
