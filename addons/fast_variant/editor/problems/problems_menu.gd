@tool
extends RefCounted
## The menu of the selection in the Problems panel: a problem, a file, or a group.

enum _Action {
	OPEN, OPEN_TEXT, RESOLVE, SHOW_IN_FILE_SYSTEM, EXPLAIN, SHOW_ONLY_RULE, CHECK, FIX, FIX_RULE, FORMAT, IGNORE_HERE,
	IGNORE_IN_FILE, IGNORE_IN_FOLDER, IGNORE_IN_PROJECT, COPY, COPY_PATH, COPY_ALL, SHOW_SIGNALS, CONNECT_TO, CREATE_METHOD,
	DISCONNECT
}

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Group := preload("problems_group.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Words := preload("../shared/words.gd")

const _ICONS: Dictionary[_Action, StringName] = {
	_Action.OPEN: &"Load",
	_Action.OPEN_TEXT: &"TextFile",
	_Action.RESOLVE: &"StatusWarning",
	_Action.SHOW_IN_FILE_SYSTEM: &"ShowInFileSystem",
	_Action.EXPLAIN: &"Help",
	_Action.SHOW_ONLY_RULE: &"AnimationFilter",
	_Action.CHECK: &"Reload",
	_Action.FIX: &"Tools",
	_Action.FIX_RULE: &"Tools",
	_Action.FORMAT: &"TextFile",
	_Action.IGNORE_HERE: &"GuiVisibilityHidden",
	_Action.IGNORE_IN_FILE: &"GuiVisibilityHidden",
	_Action.IGNORE_IN_FOLDER: &"GuiVisibilityHidden",
	_Action.IGNORE_IN_PROJECT: &"GuiVisibilityHidden",
	_Action.COPY: &"ActionCopy",
	_Action.COPY_PATH: &"ActionCopy",
	_Action.COPY_ALL: &"ActionCopy",
	_Action.SHOW_SIGNALS: &"Signals",
	_Action.CONNECT_TO: &"Slot",
	_Action.CREATE_METHOD: &"MemberMethod",
	_Action.DISCONNECT: &"Unlinked",
}
## Rules on connections to missing methods, and to methods that take another number of arguments.
const _NO_METHOD := "SIG003"
const _OTHER_ARGUMENTS := "SIG005"


## `same_rule_count` says how many are shown that are of the same rule as the problem, and can safely be fixed.
static func fill(menu: PopupMenu, group: _Group, diagnostic: _Diagnostic, same_rule_count: int) -> void:
	menu.clear()
	if diagnostic != null:
		_add_for_diagnostic(menu, diagnostic, same_rule_count)
	elif group != null and group.kind == _Group._Kind.FILE:
		_add_for_file(menu, group)
	elif group != null:
		_add_for_group(menu, group)
	_add(menu, _Action.COPY_ALL, "Copy All Shown")


static func _add_for_diagnostic(menu: PopupMenu, diagnostic: _Diagnostic, same_rule_count: int) -> void:
	_add(menu, _Action.OPEN, "Open")
	_add(menu, _Action.OPEN_TEXT, "Open Text at Line %d" % diagnostic.line)
	if diagnostic.is_merge_conflict():
		_add(menu, _Action.RESOLVE, "Resolve...")
	_add(menu, _Action.SHOW_IN_FILE_SYSTEM, "Show in FileSystem")
	_add(menu, _Action.EXPLAIN, "Explain %s" % diagnostic.code)
	_add(menu, _Action.SHOW_ONLY_RULE, "Show Only %s" % diagnostic.code)
	menu.add_separator()
	var fix := _Words.in_a_row(diagnostic.fix_words())
	_add(menu, _Action.FIX, fix if not fix.is_empty() else "Fix", diagnostic.is_fixable())
	_add(menu, _Action.FIX_RULE, "Fix All of %s (%d Safe)" % [diagnostic.code, same_rule_count], same_rule_count > 0)
	if diagnostic.is_of_connection():
		_add_for_connection(menu, diagnostic)
	menu.add_separator()
	var is_text := _SceneFiles.is_text(diagnostic.path)
	_add(menu, _Action.IGNORE_HERE, "Ignore Here", is_text)
	_add(menu, _Action.IGNORE_IN_FILE, "Ignore in This File", is_text)
	_add(menu, _Action.IGNORE_IN_FOLDER, "Ignore in This Folder", is_text and _has_folder(diagnostic.path))
	_add(menu, _Action.IGNORE_IN_PROJECT, "Ignore %s in Project" % diagnostic.code)
	menu.add_separator()
	_add(menu, _Action.COPY, "Copy")
	_add(menu, _Action.COPY_PATH, "Copy Path")


static func _add_for_connection(menu: PopupMenu, diagnostic: _Diagnostic) -> void:
	menu.add_separator()
	_add(menu, _Action.SHOW_SIGNALS, "Show in Signals Dock")
	if diagnostic.code == _NO_METHOD:
		_add(menu, _Action.CREATE_METHOD, "Create Method")
	if diagnostic.code in [_NO_METHOD, _OTHER_ARGUMENTS]:
		_add(menu, _Action.CONNECT_TO, "Connect to...")
	_add(menu, _Action.DISCONNECT, "Disconnect")


static func _add_for_file(menu: PopupMenu, file: _Group) -> void:
	var is_text := _SceneFiles.is_text(file.key)
	var count := file.safe_count()
	_add(menu, _Action.OPEN, "Open Scene" if _SceneFiles.is_scene(file.key) else "Open")
	_add(menu, _Action.OPEN_TEXT, "Open Text")
	if file.diagnostics.any(func(each: _Diagnostic) -> bool: return each.is_merge_conflict()):
		_add(menu, _Action.RESOLVE, "Resolve Conflicts...")
	_add(menu, _Action.SHOW_IN_FILE_SYSTEM, "Show in FileSystem")
	menu.add_separator()
	_add(menu, _Action.CHECK, "Check", is_text)
	_add(menu, _Action.FIX, "Fix %d Safe" % count, count > 0)
	_add(menu, _Action.FORMAT, "Format", is_text)
	menu.add_separator()
	_add(menu, _Action.IGNORE_IN_FILE, "Ignore These Rules in This File", is_text and not file.diagnostics.is_empty())
	menu.add_separator()
	_add(menu, _Action.COPY_PATH, "Copy Path")
	_add(menu, _Action.COPY, "Copy", not file.diagnostics.is_empty())


static func _add_for_group(menu: PopupMenu, group: _Group) -> void:
	var count := group.safe_count()
	var codes := group.codes()
	if codes.size() == 1:
		_add(menu, _Action.EXPLAIN, "Explain %s" % codes[0])
		_add(menu, _Action.SHOW_ONLY_RULE, "Show Only %s" % codes[0])
		menu.add_separator()
	_add(menu, _Action.FIX, "Fix %d Safe" % count, count > 0)
	if codes.size() == 1:
		_add(menu, _Action.IGNORE_IN_PROJECT, "Ignore %s in Project" % codes[0])
	menu.add_separator()
	_add(menu, _Action.COPY, "Copy")


static func _has_folder(path: String) -> bool:
	return path.get_base_dir() != "res://"


static func _add(menu: PopupMenu, action: _Action, text: String, is_enabled := true) -> void:
	menu.add_icon_item(EditorInterface.get_editor_theme().get_icon(_ICONS[action], &"EditorIcons"), text, action)
	menu.set_item_disabled(menu.item_count - 1, not is_enabled)
