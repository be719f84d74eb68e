class_name Note
extends Node

@export_multiline var text := ""
@export var weight := 1.0
@export var next: Node
