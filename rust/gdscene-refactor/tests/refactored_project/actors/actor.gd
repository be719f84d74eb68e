class_name Actor
extends Node2D

signal hit(amount: int)
signal died

@export var health := 10
@export var weapon: Weapon
@export var loot: Array[Item] = []
@export var prices: Dictionary[String, Item] = {}
@export var target: Actor
@export var friends: Array[Node2D] = []
@export var aim: NodePath
@export var shown: Dictionary[String, NodePath] = {}

var _is_down := false

@onready var _sprite: Sprite2D = %Sprite
@onready var shape: CollisionShape2D = $Hurtbox/Shape


func _ready() -> void:
	hit.connect(_on_hit)
	Trace.note("%s: %d health, worth %d" % [shown_name(), health, worth()])


func shown_name() -> String:
	return "%s at %s" % ["hero" if weapon != null else "actor", position]


func worth() -> int:
	var sum := 0 if weapon == null else weapon.worth()
	for item in loot:
		sum += item.worth()
	for key in prices:
		sum += prices[key].worth()
	return sum


func take_hit(amount: int) -> void:
	health -= amount
	hit.emit(amount)
	if health <= 0 and not _is_down:
		_is_down = true
		died.emit()
		Events.tell_fall(self)


func fight() -> void:
	if target != null and weapon != null:
		weapon.strike(target)


func _on_hit(amount: int) -> void:
	_sprite.modulate.a = 0.5
	Trace.note("%s hit by %d, %s, aims at %s" % [shown_name(), amount, shape.shape != null, get_node_or_null(aim) != null])
