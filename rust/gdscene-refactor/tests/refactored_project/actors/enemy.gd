class_name Enemy
extends Actor

const Self := preload("res://actors/enemy.gd")

@export var anger := 1
@export_node_path("Node2D") var home: NodePath

@onready var _mark: Node2D = $"Zorn Größe/Mark"


func _ready() -> void:
	super()
	Trace.note("enemy: angry %d, %s" % [anger, _mark.visible])


func take_hit(amount: int) -> void:
	anger += 1
	super(amount - 1)


func calm_down(by: int, why := "") -> void:
	anger = maxi(0, anger - by)
	Trace.note("calmed down by %d: %s" % [by, why])
