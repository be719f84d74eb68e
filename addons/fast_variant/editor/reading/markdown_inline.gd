@tool
extends RefCounted
## The contents of a line of Markdown: code, bold and slanted words, links.

const _Style := preload("page_style.gd")

## The first that fits counts.
const _MARKS := (
	"\\\\(?<escaped>[\\\\`*_{}\\[\\]()#+.!|<>~-])"
	+ "|(?<ticks>`+)(?<code>.+?)(?<!`)\\k<ticks>(?!`)"
	+ "|!\\[(?<picture>[^\\]]*)\\]\\([^)]*\\)"
	+ "|\\[(?<label>(?:[^\\[\\]]|\\[[^\\[\\]]*\\])+)\\]\\((?<target>[^)\\s]+)[^)]*\\)"
	+ "|<(?<address>https?://[^>\\s]+)>"
	+ "|\\*\\*(?<bold>.+?)\\*\\*"
	+ "|(?<![\\w*])\\*(?<slanted>[^\\s*](?:[^*]*[^\\s*])?)\\*(?![\\w*])"
	+ "|(?<!\\w)_(?<slanted_too>[^\\s_](?:[^_]*[^\\s_])?)_(?!\\w)"
)
const _RULE_CODE := "\\b[A-Z]{2,5}[0-9]{3}\\b"

var _style: _Style
var _is_rule: Callable
var _marks := RegEx.create_from_string(_MARKS)
var _rule_code := RegEx.create_from_string(_RULE_CODE)


func _init(style: _Style, is_rule: Callable) -> void:
	_style = style
	_is_rule = is_rule


## With links to rules that it names.
func to_bbcode(text: String) -> String:
	return _converted(text, true)


func without_links(text: String) -> String:
	return _converted(text, false)


## The words alone.
func plain(text: String) -> String:
	var label := RegEx.create_from_string("\\[/?[a-z_]+(=[^\\]]*)?\\]")
	return label.sub(without_links(text).replace("[lb]", "\uE000"), "", true).replace("\uE000", "[")


static func escaped(text: String) -> String:
	return text.replace("[", "[lb]")


func _converted(text: String, has_links: bool) -> String:
	var result := ""
	var end := 0
	for found: RegExMatch in _marks.search_all(text):
		result += _linked(text.substr(end, found.get_start() - end), has_links) + _marked(found, has_links)
		end = found.get_end()
	return result + _linked(text.substr(end), has_links)


func _marked(found: RegExMatch, has_links: bool) -> String:
	if found.get_start("escaped") >= 0:
		return escaped(found.get_string("escaped"))
	if found.get_start("code") >= 0:
		var code := _linked(found.get_string("code"), has_links)
		return "[code][color=#%s]%s[/color][/code]" % [_style.code, code]
	if found.get_start("picture") >= 0:
		return escaped(found.get_string("picture"))
	if found.get_start("label") >= 0:
		var label := _converted(found.get_string("label"), false)
		return _link(found.get_string("target"), label) if has_links else label
	if found.get_start("address") >= 0:
		var address := found.get_string("address")
		return _link(address, escaped(address)) if has_links else escaped(address)
	if found.get_start("bold") >= 0:
		return "[b]%s[/b]" % _converted(found.get_string("bold"), has_links)
	var slanted := found.get_string("slanted") + found.get_string("slanted_too")
	return "[i]%s[/i]" % _converted(slanted, has_links)


func _linked(text: String, has_links: bool) -> String:
	if not has_links:
		return escaped(text)
	var result := ""
	var end := 0
	for found: RegExMatch in _rule_code.search_all(text):
		if _is_rule.call(found.get_string()):
			result += escaped(text.substr(end, found.get_start() - end)) + _link(found.get_string(), found.get_string())
			end = found.get_end()
	return result + escaped(text.substr(end))


func _link(target: String, shown: String) -> String:
	return "[url=%s][color=#%s]%s[/color][/url]" % [target.replace("[", "%5B").replace("]", "%5D"), _style.accent, shown]
