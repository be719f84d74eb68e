extends "res://tests/test_suite.gd"
## `SceneRewriter` hands the formatter and the fixes of the core through to GDScript.

const UNTIDY := "[gd_scene format=3]\n[node  name=\"Root\" type = \"Node2D\"]\nposition=Vector2( 1,2 )\n"
const TIDY := "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\nposition = Vector2(1, 2)\n"
const MISREAD := "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\n# comment\nvisible = True\nvisible = true\n"


func test_format() -> Outcome:
	var formatted := SceneRewriter.format(UNTIDY, "res://a.tscn")
	check_equal(formatted.text, TIDY, "text")
	check(formatted.is_changed, "is changed")
	check_equal(formatted.error, "", "error")
	check(not SceneRewriter.format(TIDY, "res://a.tscn").is_changed, "what is tidy stays")
	return DONE


func test_what_is_not_formatted() -> Outcome:
	var refused := SceneRewriter.format(MISREAD, "res://a.tscn")
	check_equal(refused.text, MISREAD, "text")
	check(not refused.is_changed and not refused.error.is_empty(), "is refused with a reason")
	check(not SceneRewriter.format(UNTIDY, "res://a.escn").error.is_empty(), "an exported scene is left alone")
	return DONE


func test_safe_fixes() -> Outcome:
	var fixed := SceneRewriter.fix(MISREAD, "res://a.tscn", false)
	check(fixed.is_changed and fixed.error.is_empty(), "is changed")
	check_equal(fixed.fix_count, 1, "fixes")
	check(fixed.text.contains("# comment\nvisible = true\n"), fixed.text)
	return DONE


func test_unsafe_fixes() -> Outcome:
	var fixed := SceneRewriter.fix(MISREAD, "res://a.tscn", true)
	check(fixed.fix_count >= 2, "fixes: %d" % fixed.fix_count)
	check(fixed.text.contains("; comment\nvisible = true\n"), fixed.text)
	return DONE


func test_nothing_to_fix() -> Outcome:
	var fixed := SceneRewriter.fix(TIDY, "res://a.tscn", true)
	check(not fixed.is_changed, "is not changed")
	check_equal(fixed.text, TIDY, "text")
	check(not SceneRewriter.fix(MISREAD, "res://a.escn", true).error.is_empty(), "an exported scene is left alone")
	return DONE


func test_one_fix() -> Outcome:
	var text := "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\na = True\nb = False\n"
	var fixed := SceneRewriter.fix_one(text, "res://a.tscn", "SYN013", 5, 5)
	check_equal(fixed.text, text.replace("False", "false"), "text")
	check_equal(SceneRewriter.fix_one(text, "res://a.tscn", "SYN013", 1, 1).text, text, "text without such a diagnostic")
	return DONE


func test_listed_fixes() -> Outcome:
	var text := "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\na = True\nb = False\nc = True\n"
	var fixed := SceneRewriter.fix_listed(text, "res://a.tscn", ["SYN013:6:5", "SYN013:4:5", "SYN013:1:1", "REF001:5:5", "junk"])
	check_equal(fixed.text, text.replace("True", "true"), "text")
	check_equal(fixed.fix_count, 2, "fixes")
	check(not SceneRewriter.fix_listed(text, "res://a.tscn", []).is_changed, "nothing is listed")
	check(not SceneRewriter.fix_listed(text, "res://a.escn", ["SYN013:6:5"]).error.is_empty(), "an exported scene is left alone")
	return DONE


func test_merge() -> Outcome:
	var before := "a\nb\nc\nd\ne\n"
	var after := "a\nb\nC\nd\ne\n"
	check_equal(SceneRewriter.merge(before, after, before).text, after, "the same text")
	check_equal(SceneRewriter.merge(before, after, "new\n" + before).text, "new\n" + after, "a text that moved on")
	var refused := SceneRewriter.merge(before, after, "a\nb\nx\nd\ne\n")
	check(not refused.error.is_empty() and not refused.is_changed, "other lines in the place")
	return DONE


func test_ignore() -> Outcome:
	var text := "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\na = True\n"
	var ignored := SceneRewriter.ignore(text, "SYN013", 4, 5)
	check_equal(ignored.text, text + "metadata/_lint_ignore = [\"SYN013\"]\n", "text")
	check_equal(SceneLinter.lint_text(ignored.text, "user://a.tscn").size(), 0, "diagnostics")
	var configuration := "# why\nignore = [\"REF007\"]\n"
	var changed := SceneRewriter.ignore_rule(configuration, "SYN013")
	check_equal(changed.text, "# why\nignore = [\"REF007\", \"SYN013\"]\n", "configuration")
	check(not SceneRewriter.ignore_rule("ignore = 1", "SYN013").error.is_empty(), "what is no list is refused")
	check(not SceneRewriter.ignore_rule("[", "SYN013").error.is_empty(), "what is no TOML is refused")
	return DONE
