@tool
extends "../suite.gd"
## What the Problems panel costs with as many problems as a large project has. Nothing is judged by time; the costs are
## printed.

const View := preload("res://addons/fast_variant/editor/problems/problems_view.gd")

const FILES := 600
const PER_FILE := 20


func test_many_problems() -> void:
	var panel := parts().panel
	parts().tab.show()
	# There are no such files, which a check would notice.
	ProjectSettings.set_setting(Settings.CHECK_PROJECT, false)
	await frames(3)
	await until(parts().checker.is_at_rest, "no check is on its way")
	for number: int in FILES:
		parts().problems.set_diagnostics("res://many/file_%d.tscn" % number, _diagnostics(number))
	await frames(3)
	panel.filter.clear()
	await _print_frames("what is new", func() -> void: pass)
	await _print_frames("nothing", func() -> void: pass)
	panel.refresh_now()
	for grouping: View._Grouping in [View._Grouping.RULE, View._Grouping.SEVERITY, View._Grouping.FILE]:
		panel.filter.grouping.select(panel.filter.grouping.get_item_index(grouping))
		await _print_frames("grouping %d" % grouping, panel.filter._on_changed)
	for words: String in ["node 7", "node 77", "nothing like this", ""]:
		panel.filter.text.text = words
		await _print_frames("the filter `%s`" % words, panel.filter._on_changed)
	check_equal(panel.shown_diagnostics().size(), FILES * PER_FILE, "diagnostics shown")
	panel.refresh_now()
	var rows := panel.tree.row_count()
	check(rows < 1000, "%d rows are made before anybody scrolls" % rows)
	await _scroll_down()
	check(panel.tree.row_count() > rows, "%d rows are made while somebody scrolls" % panel.tree.row_count())
	var last := panel.shown_diagnostics()[800]
	check(panel.tree.select_diagnostic(last), "a row further down is selected")
	check_equal(panel.tree.selected_diagnostic(), last, "the selected row")
	await _type_fast(panel.filter.text)
	parts().problems.retain([])
	ProjectSettings.set_setting(Settings.CHECK_PROJECT, true)
	await settled()
	panel.filter.restore({})


## A key a frame: one search, when the last was typed.
func _type_fast(text: LineEdit) -> void:
	var searches := [0]
	var count := func() -> void: searches[0] += 1
	parts().panel.filter.changed.connect(count)
	var longest := 0
	for typed: String in ["n", "no", "nod", "node", "node ", "node 7", "node 77"]:
		text.text = typed
		text.text_changed.emit(typed)
		var began := Time.get_ticks_usec()
		await get_tree().process_frame
		longest = maxi(longest, Time.get_ticks_usec() - began)
	await until(func() -> bool: return searches[0] > 0, "the filter works")
	check_equal(searches[0], 1, "searches for seven keys")
	print("cost of the longest frame while typing at %d problems: %.1f ms" % [FILES * PER_FILE, longest / 1000.0])
	parts().panel.filter.changed.disconnect(count)
	text.text = ""


func _diagnostics(number: int) -> Array[Diagnostic]:
	var found: Array[Diagnostic] = []
	for line: int in PER_FILE:
		var diagnostic := Diagnostic.new()
		diagnostic.code = "TST%03d" % (line % 7)
		diagnostic.rule_name = "test-rule-%d" % (line % 7)
		diagnostic.severity = ["error", "warning", "info"][line % 3]
		diagnostic.message = "the property `position` of the node %d is not one of its class; remove it" % (number * PER_FILE + line)
		diagnostic.help = "A longer help."
		diagnostic.path = "res://many/file_%d.tscn" % number
		diagnostic.line = line + 1
		diagnostic.column = 1
		diagnostic.fix_title = "remove it"
		diagnostic.fix_applicability = "safe"
		found.append(diagnostic)
	return found


func _scroll_down() -> void:
	var bar := parts().panel.tree._scroll_bar()
	await frames(2)
	for step: int in 5:
		bar.value = bar.max_value
		await frames(1)


func _print_frames(what: String, work: Callable) -> void:
	var count := 0
	var longest := 0
	var began := Time.get_ticks_usec()
	var frame_began := began
	work.call()
	while count < 10 or not parts().panel.is_at_rest():
		await get_tree().process_frame
		longest = maxi(longest, Time.get_ticks_usec() - frame_began)
		frame_began = Time.get_ticks_usec()
		count += 1
	print("cost of %s at %d problems: %.1f ms in %d frames, the longest of which took %.1f ms" % [
		what, FILES * PER_FILE, (Time.get_ticks_usec() - began) / 1000.0, count, longest / 1000.0
	])
