class_name SchemaTestUnit
extends Resource
## A unit of a game, as its packets and saves have it.

enum State { IDLE, RUNNING, DEAD = 10 }

@export var id: int
@export var title: String = "no name"
@export var at: Vector2
@export var state: State = State.IDLE
@export var is_armed: bool
@export var scores: Array[int] = []
@export var weapon: O3deTestWeapon
@export var crew: Array[O3deTestWeapon] = []
@export var tag: StringName = &"none"
@export var path: PackedVector2Array
@export var leader: SchemaTestUnit
