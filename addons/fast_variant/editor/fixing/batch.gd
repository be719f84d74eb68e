@tool
extends RefCounted
## Files that are rewritten as one step: first all are checked, then the changed ones are written. One call is the work
## on one file, so that many can be spread over frames.

const _FileChange := preload("../writing/file_change.gd")
const _FileRewriter := preload("../writing/file_rewriter.gd")
const _Rewrite := preload("rewrite.gd")
const _SafeFile := preload("../writing/safe_file.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Words := preload("../shared/words.gd")

const NOT_UTF_8 := "it is not UTF-8"

## The name of the step.
var title: String
var paths: PackedStringArray
## The changes to make, and the changes made.
var changes: Array[_FileChange] = []
var made: Array[_FileChange] = []
## Why files are left alone, by path.
var refusals: Dictionary[String, String] = {}
## How many fixes each file gets.
var fix_counts: Dictionary[String, int] = {}
## Whether changes in the editor that are not saved may go.
var discards_edits := false

var _rewriter: _FileRewriter
## Takes a text and its path, and returns a `Rewrite`.
var _rewrite: Callable
var _planned_count := 0
var _written_count := 0


func _init(rewriter: _FileRewriter, title_: String, paths_: PackedStringArray, rewrite: Callable) -> void:
	_rewriter = rewriter
	title = title_
	paths = paths_
	_rewrite = rewrite


## Looks at the next file. Returns whether there was one.
func plan_next() -> bool:
	if _planned_count == paths.size():
		return false
	var path := paths[_planned_count]
	_planned_count += 1
	var reason := _plan(path)
	if not reason.is_empty():
		refusals[path] = reason
	return true


## Writes the next file that changes. Returns whether there was one.
func write_next() -> bool:
	if _written_count == changes.size():
		return false
	var change := changes[_written_count]
	_written_count += 1
	var reason := _rewriter.write(change, discards_edits)
	if reason.is_empty():
		made.append(change)
	else:
		refusals[change.path] = reason
	return true


## From 0 to 1: both looking and writing.
func progress() -> float:
	var total := paths.size() + changes.size()
	return float(_planned_count + _written_count) / total if total > 0 else 1.0


## Makes the written changes a step of the editor's undo.
func finish() -> void:
	_rewriter.remember(title, made, discards_edits)


## The changes made, in one sentence.
func summary() -> String:
	if made.is_empty() and refusals.size() == 1:
		var path: String = refusals.keys()[0]
		return "%s: %s was left alone: %s." % [title, path.get_file(), refusals[path]]
	var sentence := "%s: %s." % [title, _described(made)]
	if _written_count < changes.size():
		sentence += " Cancelled before the other %d." % (changes.size() - _written_count)
	if not refusals.is_empty():
		sentence += " " + _Words.counted(refusals.size(), "%d file was left alone.", "%d files were left alone.")
	return sentence


## Which files were left alone, and why.
func details() -> String:
	var lines: PackedStringArray = []
	for path: String in refusals:
		lines.append("%s: %s" % [path, refusals[path]])
	return "\n".join(lines)


## The changes to make: `118 fixes in 60 files`.
func plan() -> String:
	return _described(changes)


func _plan(path: String) -> String:
	var before: Variant = _SafeFile.content(path)
	if before == null:
		return "it is not there any more"
	var bytes: PackedByteArray = before
	var text: Variant = _SceneFiles.as_text(bytes)
	if text == null:
		return NOT_UTF_8
	var result: _Rewrite = _rewrite.call(text, path)
	if not result.error.is_empty():
		return result.error
	if not result.is_changed:
		return ""
	var reason := _rewriter.refusal(path, before, discards_edits)
	if reason.is_empty():
		changes.append(_FileChange.new(path, before, result.text.to_utf8_buffer()))
		fix_counts[path] = result.fix_count
	return reason


func _described(some: Array[_FileChange]) -> String:
	if some.is_empty():
		return "nothing to change" if changes.is_empty() else "no file changed"
	var files := _Words.counted(some.size(), "%d file", "%d files")
	var fix_count := 0
	for change: _FileChange in some:
		fix_count += fix_counts[change.path]
	if fix_count == 0:
		return "%s changed" % files
	return "%s in %s" % [_Words.counted(fix_count, "%d fix", "%d fixes"), files]
