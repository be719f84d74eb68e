@tool
extends RefCounted
## What the Problems panel shows: the problems that are wanted, in groups, what matters most first. Below a broken file are the
## files that it breaks.

enum _Grouping { FILE, RULE, SEVERITY }

const _Diagnostic := preload("../checking/diagnostic.gd")
const _Group := preload("problems_group.gd")
const _Problems := preload("problems.gd")
const _Query := preload("problems_query.gd")
const _RootCauses := preload("root_causes.gd")

## The number of files with an equal problem that become one group, and of equal problems in a file that become one row.
const _FOLDED_FILES := 5
const _FOLDED_ROWS := 4
## More files that a broken one breaks become one row.
const _FOLDED_DEPENDENTS := 10

## With dropped data first.
var groups: Array[_Group] = []
## All that is wanted, whether there is a row for it or not.
var diagnostics: Array[_Diagnostic] = []
## By severity, how many there are, and how many of them match the filter, apart from their severity.
var totals: Dictionary[String, int] = {"error": 0, "warning": 0, "info": 0}
var matching: Dictionary[String, int] = {"error": 0, "warning": 0, "info": 0}
var query: _Query

var _causes := _RootCauses.new()
## The files with a wanted problem that no other file causes.
var _own_paths: Dictionary[String, bool] = {}
var _problems: _Problems
var _grouping: _Grouping
## How long it may go on in one frame, and until when in this one.
var _budget_usec := 0
var _deadline_usec := 0


func _init(problems: _Problems, query_: _Query, grouping: _Grouping) -> void:
	_problems = problems
	query = query_
	_grouping = grouping


## Goes on in the next frames if it takes longer than `budget_usec`. With a budget that is never used up all is there when
## it returns.
func build(budget_usec: int) -> void:
	_budget_usec = budget_usec
	_deadline_usec = Time.get_ticks_usec() + budget_usec
	await _select()
	match _grouping:
		_Grouping.FILE:
			await _group_by_file()
		_Grouping.RULE:
			await _group_by(_Group._Kind.RULE, func(diagnostic: _Diagnostic) -> String: return diagnostic.code)
		_Grouping.SEVERITY:
			await _group_by(_Group._Kind.SEVERITY, func(diagnostic: _Diagnostic) -> String: return diagnostic.severity)
	if _grouping != _Grouping.FILE:
		_add_losses()


## The number of problems that are not wanted.
func hidden_count() -> int:
	return count_of(totals) - diagnostics.size()


static func count_of(counts: Dictionary[String, int]) -> int:
	var total := 0
	for count: int in counts.values():
		total += count
	return total


## In the order in which they are shown.
func in_order() -> Array[_Diagnostic]:
	var ordered: Array[_Diagnostic] = []
	for group: _Group in groups:
		ordered.append_array(group.diagnostics)
	return ordered


## The content of a group: diagnostics, and groups of those of a file that are equal.
static func rows_of(group: _Group) -> Array[RefCounted]:
	var rows: Array[RefCounted] = []
	if group.kind != _Group._Kind.FILE:
		rows.assign(group.diagnostics)
		return rows
	var equal: Dictionary[String, _Group] = {}
	var dependents := _Group.new(_Group._Kind.DEPENDENTS, "broken by " + group.key)
	dependents.broken_paths = group.broken_paths
	for diagnostic: _Diagnostic in group.diagnostics:
		if group.is_elsewhere(diagnostic):
			dependents.add(diagnostic)
		else:
			_add_equal(equal, diagnostic, " in " + group.key)
	for diagnostic: _Diagnostic in group.diagnostics:
		if group.is_elsewhere(diagnostic):
			continue
		var same := equal[diagnostic.what()]
		if same.diagnostics.size() < _FOLDED_ROWS:
			rows.append(diagnostic)
		elif same.diagnostics[0] == diagnostic:
			rows.append(same)
	if dependents.diagnostics.size() > _FOLDED_DEPENDENTS:
		rows.append(dependents)
	else:
		rows.append_array(dependents.diagnostics)
	return rows


func _select() -> void:
	for path: String in _problems.paths():
		var is_in_sight := not query.is_one_file or path == query.path
		# The worst of a file come first, each severity from its first line on.
		var wanted: Dictionary[String, Array] = {"error": [], "warning": [], "info": []}
		for diagnostic: _Diagnostic in _problems.diagnostics_of(path):
			_causes.add(diagnostic)
			totals[diagnostic.severity] += 1
			if is_in_sight and (query.words.is_empty() or diagnostic.mentions(query.words)):
				wanted[diagnostic.severity].append(diagnostic)
		for severity: String in wanted:
			matching[severity] += wanted[severity].size()
			if query.is_shown[severity]:
				diagnostics.append_array(wanted[severity])
		if _is_time_up():
			await _next_frame()


## Equal ones in many files are taken out of their files: they would hide all else. What a broken file causes in others is
## below that one.
func _group_by_file() -> void:
	_causes.find_roots()
	for diagnostic: _Diagnostic in diagnostics:
		if _causes.root_of(diagnostic).is_empty():
			_own_paths[diagnostic.path] = true
	var folded := await _folded_groups()
	var found: Array[_Group] = []
	found.assign(folded.values())
	var files: Dictionary[String, _Group] = {}
	var dependents: Array[_Diagnostic] = []
	for diagnostic: _Diagnostic in diagnostics:
		if _is_below_root(diagnostic):
			dependents.append(diagnostic)
		elif folded.has(diagnostic.what()) and not _causes.is_root(diagnostic.path):
			folded[diagnostic.what()].add(diagnostic)
		else:
			_file_in(files, diagnostic.path).add(diagnostic)
		if _is_time_up():
			await _next_frame()
	for diagnostic: _Diagnostic in dependents:
		_file_in(files, _causes.root_of(diagnostic)).add(diagnostic)
	for path: String in files:
		files[path].broken_paths = _causes.broken_by(path)
	for path: String in _paths_with_losses():
		_file_in(files, path).losses = _problems.losses.of(path)
	found.append_array(files.values())
	groups = _sorted(found)


## Empty groups, by their problems. Most are of one file only, and no group is made for those.
func _folded_groups() -> Dictionary[String, _Group]:
	var last_path: Dictionary[String, String] = {}
	var file_count: Dictionary[String, int] = {}
	var folded: Dictionary[String, _Group] = {}
	for diagnostic: _Diagnostic in diagnostics:
		if _is_below_root(diagnostic) or _causes.is_root(diagnostic.path):
			continue
		var what := diagnostic.what()
		if last_path.get(what, "") != diagnostic.path:
			last_path[what] = diagnostic.path
			file_count[what] = file_count.get(what, 0) + 1
			if file_count[what] == _FOLDED_FILES:
				folded[what] = _Group.new(_Group._Kind.EQUAL, what)
		if _is_time_up():
			await _next_frame()
	return folded


## Whether its row is below the file that causes it, which has a row then.
func _is_below_root(diagnostic: _Diagnostic) -> bool:
	return _own_paths.has(_causes.root_of(diagnostic))


func _group_by(kind: _Group._Kind, key_of: Callable) -> void:
	var found: Dictionary[String, _Group] = {}
	for diagnostic: _Diagnostic in diagnostics:
		var key: String = key_of.call(diagnostic)
		if not found.has(key):
			found[key] = _Group.new(kind, key)
		found[key].add(diagnostic)
		if _is_time_up():
			await _next_frame()
	groups = _sorted(found.values())


## In every grouping, dropped data is shown, file by file.
func _add_losses() -> void:
	var files: Dictionary[String, _Group] = {}
	for path: String in _paths_with_losses():
		_file_in(files, path).losses = _problems.losses.of(path)
	groups = _sorted(files.values()) + groups


func _paths_with_losses() -> PackedStringArray:
	var found: PackedStringArray = []
	for path: String in _problems.losses.paths():
		if not query.is_one_file or path == query.path:
			found.append(path)
	return found


func _is_time_up() -> bool:
	return Time.get_ticks_usec() > _deadline_usec


func _next_frame() -> void:
	var tree: SceneTree = Engine.get_main_loop()
	await tree.process_frame
	_deadline_usec = Time.get_ticks_usec() + _budget_usec


static func _file_in(files: Dictionary[String, _Group], path: String) -> _Group:
	if not files.has(path):
		files[path] = _Group.new(_Group._Kind.FILE, path)
	return files[path]


static func _add_equal(equal: Dictionary[String, _Group], diagnostic: _Diagnostic, suffix: String) -> void:
	var what := diagnostic.what()
	if not equal.has(what):
		equal[what] = _Group.new(_Group._Kind.EQUAL, what + suffix)
	equal[what].add(diagnostic)


## By what saves dropped, by whether other files are broken by it, by the worst severity, by how often, by name. Sorted as
## texts, for speed.
static func _sorted(groups_: Array) -> Array[_Group]:
	var by_order: Dictionary[String, _Group] = {}
	for group: _Group in groups_:
		var worst := group.severity()
		var rank := _Query.SEVERITIES.find(worst) if not worst.is_empty() else _Query.SEVERITIES.size()
		var order := "%d%d%d%08d%08d%s" % [
			int(group.losses.is_empty()), int(group.broken_paths.is_empty()), rank,
			99999999 - group.count(worst), 99999999 - group.diagnostics.size(), group.key
		]
		by_order[order] = group
	var orders := by_order.keys()
	orders.sort()
	var sorted: Array[_Group] = []
	for order: String in orders:
		sorted.append(by_order[order])
	return sorted
