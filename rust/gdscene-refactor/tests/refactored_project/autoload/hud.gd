extends CanvasLayer

@export var title := "Refactored"

@onready var label: Label = $Box/Title


func _ready() -> void:
	label.text = tr("TITLE")
	Events.fell.connect(_on_fell)
	Events.picked.connect(_on_picked.bind("picked"))


func _on_fell(actor: Actor) -> void:
	$Box/Fallen.text = str(Events.fallen)
	Trace.note("hud: %s fell" % actor.shown_name())


func _on_picked(item: Item, by: Actor, how: String) -> void:
	Trace.note("hud: %s %s by %s" % [item.title, how, by.shown_name()])
