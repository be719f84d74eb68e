extends Resource
## An object with the fields of a record of the benchmark.

@export var id: int
@export var name: String
@export var at: Vector3
@export var hp: int
@export var level: int
@export var experience: int
@export var angle: float
@export var team: String
@export var is_alive: bool
@export var speed: float
