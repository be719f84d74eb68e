@tool
extends RefCounted
## The result of the formatter or a fix for a text. A copy of `SceneRewriteResult`.

var text: String
var is_changed: bool
var fix_count: int
## Why the text was left alone, or empty.
var error: String
