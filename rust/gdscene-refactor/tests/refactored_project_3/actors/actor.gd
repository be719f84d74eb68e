class_name Actor
extends Node2D

signal fell

export var health = 10
export(NodePath) var target
export(Resource) var item
export(Array, NodePath) var friends = []

onready var body = $Body
onready var shape = get_node("Body/Shape")


func fall():
	health = 0
	emit_signal("fell")
