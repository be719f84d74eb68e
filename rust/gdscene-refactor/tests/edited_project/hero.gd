class_name Hero
extends CharacterBody2D

signal died(reason: String)
signal healed

enum Mood { CALM, ANGRY }

@export var speed := 100.0
@export var lives: int = 3
@export var title: String
@export var target: Node2D
@export var weapon: Weapon
@export var mood: Mood = Mood.CALM
@export var tags: Array[String] = []
@export var path: NodePath
@export_group("Colors")
@export var tint := Color(1, 0, 0)
@export var offset: Vector2
@export var sizes: Dictionary = {}


func _on_pressed() -> void:
	healed.emit()


func _on_timeout(_by: int) -> void:
	died.emit("old")
