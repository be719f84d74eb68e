@tool
extends RefCounted
## What the Problems panel shows: the problems that are wanted, in groups, what matters most first.

enum Grouping { FILE, RULE, SEVERITY }

const Diagnostic := preload("diagnostic.gd")
const Group := preload("problems_group.gd")
const Problems := preload("problems.gd")
const Query := preload("problems_query.gd")

## Equal problems in so many files are one group; so many of one file are one row.
const _FOLDED_FILES := 5
const _FOLDED_ROWS := 4

## With what a save dropped first.
var groups: Array[Group] = []
## All that is wanted, whether there is a row for it or not.
var diagnostics: Array[Diagnostic] = []
## By severity, how many there are, and how many of them are wanted but for their severity.
var totals: Dictionary[String, int] = {}
var matching: Dictionary[String, int] = {}


func _init(problems: Problems, query: Query, grouping: Grouping) -> void:
	_select(problems, query)
	match grouping:
		Grouping.FILE:
			_group_by_file(problems, query)
		Grouping.RULE:
			_group_by(Group.Kind.RULE, func(diagnostic: Diagnostic) -> String: return diagnostic.code)
		Grouping.SEVERITY:
			_group_by(Group.Kind.SEVERITY, func(diagnostic: Diagnostic) -> String: return diagnostic.severity)
	if grouping != Grouping.FILE:
		_add_losses(problems, query)


## What is there and not wanted.
func hidden_count() -> int:
	return count_of(totals) - diagnostics.size()


static func count_of(counts: Dictionary[String, int]) -> int:
	var total := 0
	for count: int in counts.values():
		total += count
	return total


## In the order in which they are shown.
func in_order() -> Array[Diagnostic]:
	var ordered: Array[Diagnostic] = []
	for group: Group in groups:
		ordered.append_array(group.diagnostics)
	return ordered


## What stands below a group: diagnostics, and groups of those of a file that are equal.
static func rows_of(group: Group) -> Array[RefCounted]:
	var rows: Array[RefCounted] = []
	if group.kind != Group.Kind.FILE:
		rows.assign(group.diagnostics)
		return rows
	var equal := _equal(group.diagnostics, " in " + group.key)
	for diagnostic: Diagnostic in group.diagnostics:
		var same := equal[diagnostic.code + diagnostic.message]
		if same.diagnostics.size() < _FOLDED_ROWS:
			rows.append(diagnostic)
		elif same.diagnostics[0] == diagnostic:
			rows.append(same)
	return rows


func _select(problems: Problems, query: Query) -> void:
	for severity: String in Query.SEVERITIES:
		totals[severity] = 0
		matching[severity] = 0
	for path: String in problems.paths():
		var is_in_sight := not query.is_one_file or path == query.path
		# The worst of a file come first, each severity from its first line on.
		var wanted: Dictionary[String, Array] = {"error": [], "warning": [], "info": []}
		for diagnostic: Diagnostic in problems.diagnostics_of(path):
			totals[diagnostic.severity] += 1
			if is_in_sight and (query.words.is_empty() or diagnostic.mentions(query.words)):
				wanted[diagnostic.severity].append(diagnostic)
		for severity: String in wanted:
			matching[severity] += wanted[severity].size()
			if query.is_shown[severity]:
				diagnostics.append_array(wanted[severity])


## Equal ones in many files are taken out of their files: they would hide all else.
func _group_by_file(problems: Problems, query: Query) -> void:
	var folded: Dictionary[String, bool] = {}
	var found: Array[Group] = []
	var equal := _equal(diagnostics, "")
	for key: String in equal:
		if equal[key].diagnostics.size() >= _FOLDED_FILES and equal[key].paths().size() >= _FOLDED_FILES:
			folded[key] = true
			found.append(equal[key])
	var files: Dictionary[String, Group] = {}
	for diagnostic: Diagnostic in diagnostics:
		if not folded.has(diagnostic.code + diagnostic.message):
			if not files.has(diagnostic.path):
				files[diagnostic.path] = Group.new(Group.Kind.FILE, diagnostic.path)
			files[diagnostic.path].diagnostics.append(diagnostic)
	for path: String in problems.paths_with_losses():
		if not query.is_one_file or path == query.path:
			if not files.has(path):
				files[path] = Group.new(Group.Kind.FILE, path)
			files[path].losses = problems.losses_of(path)
	found.append_array(files.values())
	groups = _sorted(found)


func _group_by(kind: Group.Kind, key_of: Callable) -> void:
	var found: Dictionary[String, Group] = {}
	for diagnostic: Diagnostic in diagnostics:
		var key: String = key_of.call(diagnostic)
		if not found.has(key):
			found[key] = Group.new(kind, key)
		found[key].diagnostics.append(diagnostic)
	groups = _sorted(found.values())


## Whatever the grouping, what a save dropped is shown, file by file.
func _add_losses(problems: Problems, query: Query) -> void:
	var files: Array[Group] = []
	for path: String in problems.paths_with_losses():
		if not query.is_one_file or path == query.path:
			var group := Group.new(Group.Kind.FILE, path)
			group.losses = problems.losses_of(path)
			files.append(group)
	groups = files + groups


static func _equal(of: Array[Diagnostic], suffix: String) -> Dictionary[String, Group]:
	var equal: Dictionary[String, Group] = {}
	for diagnostic: Diagnostic in of:
		var message := diagnostic.code + diagnostic.message
		var group: Group = equal.get(message)
		if group == null:
			group = Group.new(Group.Kind.EQUAL, message + suffix)
			equal[message] = group
		group.diagnostics.append(diagnostic)
	return equal


## By what a save dropped, by the worst severity, by how often, by name. Sorted as texts, for speed.
static func _sorted(groups_: Array) -> Array[Group]:
	var by_order: Dictionary[String, Group] = {}
	for group: Group in groups_:
		var worst := group.severity()
		var rank := Query.SEVERITIES.find(worst) if not worst.is_empty() else Query.SEVERITIES.size()
		var order := "%d%d%08d%08d%s" % [
			int(group.losses == null), rank, 99999999 - group.count(worst), 99999999 - group.diagnostics.size(), group.key
		]
		by_order[order] = group
	var orders := by_order.keys()
	orders.sort()
	var sorted: Array[Group] = []
	for order: String in orders:
		sorted.append(by_order[order])
	return sorted
