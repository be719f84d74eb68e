extends Node2D

const Bow: Weapon = preload("../items/bow.tres")
const LIST := "res://texts/list.json"

@export var waves: Array[PackedScene] = []
@export_file("*.tscn") var next_level := "res://levels/second.tscn"
@export var heroes: Array[Actor] = []

var _arrow: Item = load("res://items/arrow.tres")

@onready var hero: Actor = $Hero
@onready var foes := get_node("Foes")


func _ready() -> void:
	hero.died.connect(_on_hero_died)
	Trace.note("%d heroes, bow %d, arrow %d" % [heroes.size(), Bow.worth(), _arrow.worth()])
	Events.picked.emit(_arrow, hero)
	for foe: Enemy in foes.get_children():
		foe.calm_down(1, "at the start")
	hero.fight()
	$Foes/First.take_hit(30)
	var level: PackedScene = load(next_level)
	var second := level.instantiate()
	add_child(second)
	Trace.note("second level: %s" % second.get_child_count())
	var list: Array = JSON.parse_string(FileAccess.get_file_as_string(LIST))
	for path: String in list:
		Trace.note("listed: %s" % (load(path) as Item).title)
	if $Foes/First/Sprite/Muzzle.has_node("Flash"):
		Trace.note("flash")


func _on_hero_died() -> void:
	Trace.note("the hero died")


func _on_foe_hit(amount: int, name_of_foe: String) -> void:
	Trace.note("foe %s hit by %d" % [name_of_foe, amount])
