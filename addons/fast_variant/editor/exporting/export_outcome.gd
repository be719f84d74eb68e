@tool
extends RefCounted
## The outcome of the exports that one click has started.

## The names of the games that are not written.
var stopped: PackedStringArray = []
## Why not, a line for each reason.
var reasons: PackedStringArray = []
## The names of the exports that succeeded although their messages list errors.
var listed: PackedStringArray = []
