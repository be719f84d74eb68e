@tool
extends RefCounted
## The native library. Its classes are reached by name, so that all scripts load without a library for the platform. Results are
## copied into our own typed objects.

const _Conflict := preload("../merging/conflict.gd")
const _Diagnostic := preload("../checking/diagnostic.gd")
const _Loss := preload("../saving/loss.gd")
const _Rewrite := preload("../fixing/rewrite.gd")

const _COMPARISON := &"SceneComparison"
const _GIT := &"SceneGitJob"
const _LINTER := &"SceneLinter"
const _LOSS := &"SceneLoss"
const _MERGE := &"SceneMerge"
const _REWRITER := &"SceneRewriter"
const _VALUES := &"FastVariant"
## The methods that this version of the addon calls; an older library lacks them.
const _NEWEST_METHODS: Dictionary[StringName, StringName] = {
	_COMPARISON: &"take_back",
	_GIT: &"set_up",
	_LINTER: &"_lint_text_in_background",
	_LOSS: &"side_by_side",
	_MERGE: &"has_markers",
	_REWRITER: &"_write_file",
}


static func is_available() -> bool:
	for type: StringName in _NEWEST_METHODS:
		if not ClassDB.class_exists(type) or not ClassDB.class_has_method(type, _NEWEST_METHODS[type]):
			return false
	return true


## Whether there is a library, but one of another version of the addon.
static func is_outdated() -> bool:
	return ClassDB.class_exists(_LINTER) and not is_available()


static func lint_file(path: String) -> Array[_Diagnostic]:
	var natives: Array = ClassDB.class_call_static(_LINTER, &"lint_file", path)
	return diagnostics(natives)


## Whether `lint_file` already knows the project's other files. If not, they begin to be read.
static func is_project_ready() -> bool:
	return ClassDB.class_call_static(_LINTER, &"is_project_ready")


## Looks for changes in the project in the background. `lint_project` does so by itself.
static func refresh() -> void:
	ClassDB.class_call_static(_LINTER, &"refresh")


## Reads which classes the editor has, for a few milliseconds. Returns whether all are read.
static func read_classes() -> bool:
	return ClassDB.class_call_static(_LINTER, &"_read_classes")


## Lets all classes be read again.
static func forget_classes() -> void:
	ClassDB.class_call_static(_LINTER, &"_forget_classes")


## The error in `gdscene.toml`: `line` and `message`; empty without one.
static func configuration_error() -> Dictionary:
	return ClassDB.class_call_static(_LINTER, &"configuration_error")


## The same, in a text of `gdscene.toml` that need not be saved.
static func configuration_error_of(text: String) -> Dictionary:
	return ClassDB.class_call_static(_LINTER, &"_configuration_error_of", text)


## A `SceneLintJob` that checks a text of this file in the background, saved or not.
static func lint_text_in_background(text: String, path: String) -> RefCounted:
	return ClassDB.class_call_static(_LINTER, &"_lint_text_in_background", text, path)


## A `SceneLintJob` that checks these files in the background.
static func lint_paths(paths: PackedStringArray) -> RefCounted:
	return ClassDB.class_call_static(_LINTER, &"lint_paths", paths)


## A `SceneLintJob` that checks the whole project in the background.
static func lint_project() -> RefCounted:
	return ClassDB.class_call_static(_LINTER, &"lint_project")


## Lists all rules.
static func codes() -> PackedStringArray:
	return ClassDB.class_call_static(_LINTER, &"codes")


## Markdown.
static func explain(code: String) -> String:
	return ClassDB.class_call_static(_LINTER, &"explain", code)


static func lost(before: PackedByteArray, after: PackedByteArray) -> Array[_Loss]:
	var found: Array = ClassDB.class_call_static(_LINTER, &"_lost", before, after)
	return losses(found)


## A `SceneLossJob` that does the same in the background.
static func lost_in_background(before: PackedByteArray, after: PackedByteArray) -> RefCounted:
	return ClassDB.class_call_static(_LINTER, &"_lost_in_background", before, after)


## The property at this place of a text, as a loss; null if there is no property.
static func property_at(text: PackedByteArray, line: int, column: int) -> _Loss:
	var found: RefCounted = ClassDB.class_call_static(_LOSS, &"property_at", text, line, column)
	return _loss(found) if found != null else null


## A resource file with the value of the property at this place in its metadata `value`; empty if it refers to nothing.
static func value_resource(text: PackedByteArray, line: int, column: int) -> PackedByteArray:
	return ClassDB.class_call_static(_LOSS, &"value_resource", text, line, column)


## The content of `after` that is not in `before`, each in a few words.
static func edits(before: PackedByteArray, after: PackedByteArray) -> PackedStringArray:
	return ClassDB.class_call_static(_LOSS, &"edits", before, after)


## For each row of the two texts side by side the line before and after, from 1, or 0.
static func side_by_side(before: PackedByteArray, after: PackedByteArray) -> PackedInt32Array:
	return ClassDB.class_call_static(_LOSS, &"side_by_side", before, after)


## The one of `names` that was probably meant; empty if none is near.
static func nearest(name: String, names: PackedStringArray) -> String:
	return ClassDB.class_call_static(_LOSS, &"nearest", name, names)


## Where the project's texts have one of these words: dictionaries of `path`, `line` and `text`.
static func mentions(words: PackedStringArray) -> Array[Dictionary]:
	return ClassDB.class_call_static(_LINTER, &"_mentions", words)


## Saves a value without objects, as a whole or not at all. Returns whether it is saved.
static func save_value(path: String, value: Variant) -> bool:
	var result: RefCounted = ClassDB.class_call_static(_VALUES, &"save_file", path, value, {"compress": true})
	return result.get(&"ok")


## The value that `save_value` has saved; null if the file is damaged, another one or too large.
static func load_value(path: String, max_bytes: int) -> Variant:
	var result: RefCounted = ClassDB.class_call_static(_VALUES, &"load_file", path, {"max_bytes": max_bytes})
	return result.get(&"value") if result.get(&"ok") else null


## Writes a file as a whole or not at all. Returns why not, or nothing.
static func write_file(path: String, bytes: PackedByteArray) -> String:
	return ClassDB.class_call_static(_REWRITER, &"_write_file", path, bytes)


static func format(text: String, path: String) -> _Rewrite:
	var result: RefCounted = ClassDB.class_call_static(_REWRITER, &"format", text, path)
	return _rewrite(result)


static func fix(text: String, path: String, with_unsafe: bool) -> _Rewrite:
	var result: RefCounted = ClassDB.class_call_static(_REWRITER, &"fix", text, path, with_unsafe)
	return _rewrite(result)


static func fix_one(text: String, diagnostic: _Diagnostic) -> _Rewrite:
	var result: RefCounted = ClassDB.class_call_static(
		_REWRITER, &"fix_one", text, diagnostic.path, diagnostic.code, diagnostic.line, diagnostic.column
	)
	return _rewrite(result)


## Applies safe fixes: those at these places, each `CODE:LINE:COLUMN`.
static func fix_listed(text: String, path: String, places: PackedStringArray) -> _Rewrite:
	var result: RefCounted = ClassDB.class_call_static(_REWRITER, &"fix_listed", text, path, places)
	return _rewrite(result)


## Makes the changes from `before` to `after` in `now`.
static func merge(before: String, after: String, now: String) -> _Rewrite:
	var result: RefCounted = ClassDB.class_call_static(_REWRITER, &"merge", before, after, now)
	return _rewrite(result)


## Merges two sides of a scene or resource by their contents. Returns nothing if the two do not agree, or cannot be merged.
static func merge_sides(path: String, base: PackedByteArray, ours: PackedByteArray, theirs: PackedByteArray) -> PackedByteArray:
	var result: Dictionary = ClassDB.class_call_static(_MERGE, &"merge", path, base, ours, theirs)
	return result["text"] if result["conflicts"] == 0 else PackedByteArray()


static func ignore(text: String, diagnostic: _Diagnostic) -> _Rewrite:
	var result: RefCounted = ClassDB.class_call_static(
		_REWRITER, &"ignore", text, diagnostic.code, diagnostic.line, diagnostic.column
	)
	return _rewrite(result)


## `configuration` is the text of `gdscene.toml`.
static func ignore_rule(configuration: String, code: String) -> _Rewrite:
	var result: RefCounted = ClassDB.class_call_static(_REWRITER, &"ignore_rule", configuration, code)
	return _rewrite(result)


## The conflicts that `gdscene merge` left in a text.
static func conflicts(text: PackedByteArray) -> Array[_Conflict]:
	var found: Array[Dictionary] = ClassDB.class_call_static(_MERGE, &"conflicts", text)
	var copies: Array[_Conflict] = []
	for native: Dictionary in found:
		copies.append(_conflict(native))
	return copies


static func has_conflicts(text: PackedByteArray) -> bool:
	return ClassDB.class_call_static(_MERGE, &"has_conflicts", text)


## Whether git has left its markers in the text of a file.
static func has_markers(path: String, text: PackedByteArray) -> bool:
	return ClassDB.class_call_static(_MERGE, &"has_markers", path, text)


## A `SceneGitJob` that merges the sides that git has of a file: `text` and `notes`.
static func merge_from_git(path: String) -> RefCounted:
	return ClassDB.class_call_static(_GIT, &"merge", path)


## A `SceneGitJob` that asks how git merges: nothing without a repository, else `is_set_up` and `has_program`.
static func merge_setup() -> RefCounted:
	return ClassDB.class_call_static(_GIT, &"setup")


## A `SceneGitJob` that lets git merge by nodes.
static func set_up_merging() -> RefCounted:
	return ClassDB.class_call_static(_GIT, &"set_up")


## Where `text` differs from `other`: pairs of a first character and the one after the last.
static func marks(other: String, text: String) -> PackedInt32Array:
	return ClassDB.class_call_static(_MERGE, &"marks", other, text)


## The text without the conflicts in `choices`, by number: a side, or `Conflict.BY_HAND`.
static func settled(text: PackedByteArray, choices: Dictionary[int, String]) -> PackedByteArray:
	return ClassDB.class_call_static(_MERGE, &"settle", text, choices)


## A resource file with a side's value in a conflict in its metadata `value`; empty if it refers to nothing.
static func conflict_resource(text: PackedByteArray, number: int, side: String) -> PackedByteArray:
	return ClassDB.class_call_static(_MERGE, &"value_resource", text, number, side)


## A `SceneComparison` of a file with the last commit, in the background.
static func compare(path: String) -> RefCounted:
	return ClassDB.class_call_static(_COMPARISON, &"with_last_commit", path)


## Whether a `SceneComparison` or `SceneGitJob` is done.
static func is_done(job: RefCounted) -> bool:
	return job.call(&"is_finished")


## Why such a job has no result, or empty.
static func failure(job: RefCounted) -> String:
	return job.call(&"error")


static func outcome(job: RefCounted) -> Dictionary:
	return job.call(&"result")


## The text of the file that was compared.
static func compared_text(job: RefCounted) -> PackedByteArray:
	return job.call(&"now")


## Returns this text without one change, by its number, or without one entry of it; -1 for all entries. The result has `text`,
## or the reason as `error`.
static func without_change(job: RefCounted, change: int, entry: int) -> Dictionary:
	return job.call(&"take_back", change, entry)


## A `SceneRefactoring`, by the name of its method in `SceneRewriter`.
static func refactoring(method: StringName, arguments: Array) -> RefCounted:
	var call_static := ClassDB.class_call_static.bindv([_REWRITER, method] + arguments)
	return call_static.call()


static func diagnostics(natives: Array) -> Array[_Diagnostic]:
	var copies: Array[_Diagnostic] = []
	for native: RefCounted in natives:
		copies.append(_diagnostic(native))
	return copies


static func losses(natives: Array) -> Array[_Loss]:
	var copies: Array[_Loss] = []
	for native: RefCounted in natives:
		copies.append(_loss(native))
	return copies


static func _conflict(native: Dictionary) -> _Conflict:
	var conflict := _Conflict.new()
	conflict.number = native["number"]
	conflict.place = native["place"]
	conflict.what = native["what"]
	conflict.kind = native["kind"]
	conflict.name = native["name"]
	conflict.shown_name = native["shown_name"]
	conflict.node_path = native["node_path"]
	conflict.sub_resource = native["sub_resource"]
	conflict.sides = native["sides"]
	var values: Dictionary = native["values"]
	for side: String in values:
		var of_side: Dictionary = values[side]
		var value := _Conflict._Value.new()
		value.shown = of_side["shown"]
		value.path = of_side["path"]
		value.resource_class = of_side["resource_class"]
		value.line = of_side["line"]
		conflict.values[side] = value
	return conflict


static func _diagnostic(native: RefCounted) -> _Diagnostic:
	var diagnostic := _Diagnostic.new()
	diagnostic.code = native.get(&"code")
	diagnostic.rule_name = native.get(&"name")
	diagnostic.severity = native.get(&"severity")
	diagnostic.message = native.get(&"message")
	diagnostic.help = native.get(&"help")
	diagnostic.path = native.get(&"path")
	diagnostic.line = native.get(&"line")
	diagnostic.column = native.get(&"column")
	diagnostic.length = native.get(&"length")
	diagnostic.node_path = native.get(&"node_path")
	var fixes: Array = native.get(&"fixes")
	if not fixes.is_empty():
		var first: RefCounted = fixes[0]
		diagnostic.fix_title = first.get(&"title")
		diagnostic.fix_applicability = first.get(&"applicability")
		diagnostic.fix_files = first.get(&"other_files")
	return diagnostic


static func _loss(native: RefCounted) -> _Loss:
	var loss := _Loss.new()
	loss.kind = native.get(&"kind")
	loss.cause = native.get(&"cause")
	loss.node_path = native.get(&"node_path")
	loss.name = native.get(&"name")
	loss.resource_class = native.get(&"resource_class")
	loss.sub_resource = native.get(&"sub_resource")
	loss.has_script = native.get(&"has_script")
	loss.files = native.get(&"files")
	loss.target = native.get(&"target")
	loss.method = native.get(&"method")
	loss.changes_arguments = native.get(&"changes_arguments")
	loss.value = native.get(&"value")
	loss.line = native.get(&"line")
	loss.column = native.get(&"column")
	loss.last_line = native.get(&"last_line")
	return loss


static func _rewrite(native: RefCounted) -> _Rewrite:
	var rewrite := _Rewrite.new()
	rewrite.text = native.get(&"text")
	rewrite.is_changed = native.get(&"is_changed")
	rewrite.fix_count = native.get(&"fix_count")
	rewrite.error = native.get(&"error")
	return rewrite
