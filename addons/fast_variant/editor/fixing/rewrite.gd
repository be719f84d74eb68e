@tool
extends RefCounted
## What the formatter or a fix made of a text. A copy of `SceneRewriteResult`.

var text: String
var is_changed: bool
var fix_count: int
## Why the text was left alone, or empty.
var error: String
