@tool
extends "../suite.gd"
## The editor's own help knows the classes of the library.

## Each class of the library, and one of its members.
const DOCUMENTED := {
	"FastVariant": "encode_with_objects",
	"FastVariantResult": "bytes_read",
	"SceneLinter": "lint_text",
	"SceneDiagnostic": "severity",
	"SceneLintJob": "fingerprints",
	"SceneLoss": "cause",
	"SceneLossJob": "is_finished",
	"SceneRewriter": "ignore_rule",
}


func test_help() -> void:
	for documented: String in DOCUMENTED:
		await _check_help(documented)


## What F1 shows: a page on the class, with a description of the class and of each method.
func _check_help(documented: String) -> void:
	EditorInterface.get_script_editor().goto_help("class_name:" + documented)
	await until(func() -> bool: return not _help_text(documented).is_empty(), "the help on %s" % documented)
	var text := _help_text(documented)
	var word: String = DOCUMENTED[documented]
	check(text.contains(word), "the help on %s mentions %s: %s" % [documented, word, text.left(500)])
	check(not text.contains("There is currently no description"), "all of %s has a description: %s" % [documented, text])


func _help_text(documented: String) -> String:
	for help: Node in EditorInterface.get_script_editor().find_children("*", "EditorHelp", true, false):
		if help.name == documented:
			for label: Node in help.find_children("*", "RichTextLabel", true, false):
				var rich: RichTextLabel = label
				if not rich.get_parsed_text().is_empty():
					return rich.get_parsed_text()
	return ""
