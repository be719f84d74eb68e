class_name O3deTestHero
extends Resource
## A class with a property of each kind that a schema is derived from.

enum State { IDLE, RUNNING, DEAD = 10 }

@export var title: String = "nobody"
@export var hp: int = 100
@export var state: State = State.IDLE
@export_flags("Fire:1", "Water:2", "Air:4") var elements: int = 0
@export_enum("Low", "Mid:5", "High") var rank: int = 0
@export var position: Vector3 = Vector3.ZERO
@export var tint: Color = Color.WHITE
@export var scores: Array[int] = []
@export var states: Array[State] = []
@export var stock: Dictionary[String, float] = {}
@export var weapon: O3deTestWeapon
@export var items: Array[O3deTestWeapon] = []
@export var target: NodePath = ^"."
@export var tag: StringName = &"none"
var level: int = 1
var anything: Variant = null
var _secret: int = 7


func secret() -> int:
	return _secret
