@tool
extends RefCounted
## A page of the reader: a file of the addon, a rule, or the list of the rules.

const _Native := preload("../shared/native.gd")
const _SceneFiles := preload("../shared/scene_files.gd")
const _Self := preload("page.gd")

## The key of the list of the rules.
const RULES := "rules"
const _MARKDOWN: PackedStringArray = ["md", "markdown"]
const _MAX_BYTES := 4 << 20

## The path of a file, the code of a rule, or `RULES`.
var key: String
var title: String
var text: String
## Otherwise the text is shown as it is.
var is_markdown := true
## How far down the reader has it.
var scroll := 0.0


static func of(key_: String) -> _Self:
	var page := _Self.new()
	page.key = key_
	if key_ == RULES:
		page.title = "Rules"
		page.text = _list_of_rules()
	elif key_.begins_with("res://"):
		page._read_file()
	else:
		page._read_rule()
	return page


## Whether it is the code of a rule.
static func is_rule(code: String) -> bool:
	return not _Native.explain(code).is_empty()


func _read_file() -> void:
	title = key
	if not FileAccess.file_exists(key):
		text = "`%s` does not exist." % key
		return
	var bytes := _SceneFiles.read(key)
	var decoded: Variant = _SceneFiles.as_text(bytes) if bytes.size() <= _MAX_BYTES else null
	if decoded == null:
		text = "`%s` is not a text that can be shown here." % key
		return
	text = decoded
	is_markdown = key.get_extension().to_lower() in _MARKDOWN
	if is_markdown and text.begins_with("# "):
		title = _first_heading()


func _read_rule() -> void:
	var markdown := _Native.explain(key)
	title = key
	text = "No further information about %s." % key
	if not markdown.is_empty():
		text = markdown + "\n\nOn the command line: `gdscene explain %s`. All rules: `gdscene rules`." % key
		# `REF001 undefined-ext-id (error)`
		title = _first_heading()


func _first_heading() -> String:
	return text.get_slice("\n", 0).lstrip("# ").strip_edges()


## A table for each group.
static func _list_of_rules() -> String:
	var list := "# Rules"
	var group := ""
	for code: String in _Native.codes():
		if code.rstrip("0123456789") != group:
			group = code.rstrip("0123456789")
			list += "\n\n## %s\n\n| code | name | severity | what it does |\n|---|---|---|---|" % group
		# `# REF001 undefined-ext-id (error)`, and the first paragraph of the first section.
		var page := _Native.explain(code)
		var words := page.get_slice("\n", 0).lstrip("# ").split(" ")
		var section := page.get_slice("\n## ", 1)
		var paragraph := section.substr(section.find("\n")).strip_edges().get_slice("\n\n", 0)
		list += "\n| %s | %s | %s | %s |" % [
			code, words[1], words[2].trim_prefix("(").trim_suffix(")"), paragraph.replace("\n", " ").replace("|", "\\|")
		]
	return list
