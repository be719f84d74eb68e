extends RefCounted
## Objects of every kind that the wire format tells apart, shared by the values of one run.

const RandomNumbers := preload("res://tests/support/random_numbers.gd")
const ScriptedNode := preload("res://tests/fixtures/scripted_node.gd")
const ScriptedRef := preload("res://tests/fixtures/scripted_ref.gd")
const ScriptedResource := preload("res://tests/fixtures/scripted_resource.gd")

## For typed containers: a class or script, and the objects that may go in.
var classes: Array[StringName] = [&"Resource", &"RefCounted"]
var scripts: Array[GDScript] = [ScriptedRef, ScriptedResource]

var _numbers: RandomNumbers
## Untyped: a freed object can be handed on in nothing else.
var _freed: Array = []
var _nodes: Array[Node] = []
var _refs: Array[RefCounted] = []
var _resources: Array[Resource] = []
var _inner: Inner = Inner.new()


## Its script is part of a file and has no path of its own: no encoding with objects can name it.
class Inner:
	extends RefCounted
	@export_storage var value: int = 1


## Without nodes, whatever is made of the objects' bytes goes away by itself.
func _init(numbers: RandomNumbers, with_nodes: bool) -> void:
	_numbers = numbers
	if with_nodes:
		classes.append_array([&"Node", &"Object"])
		scripts.append(ScriptedNode)
	_nodes = [Node.new(), Node2D.new(), ScriptedNode.new()]
	_nodes[1].name = "Named"
	_refs = [RefCounted.new(), ScriptedRef.new(), EncodedObjectAsID.new()]
	_resources = [Resource.new(), ScriptedResource.new(), Gradient.new()]
	_resources[0].resource_name = "a resource"
	for index: int in 3:
		var node := Node.new()
		_freed.append(node)
		node.free()


## Must be called: nodes are not counted.
func free_nodes() -> void:
	for node in _nodes:
		node.free()
	_nodes.clear()


## Null, freed or alive.
func any() -> Variant:
	match _numbers.below(16):
		0: return null_object()
		1: return _freed[_numbers.below(_freed.size())]
		2: return _inner
	return instance_of(_any_class())


## A variant of type Object that holds none: not the same as null.
static func null_object() -> Variant:
	var none: Object = null
	return none


func instance_of(type: StringName) -> Object:
	match type:
		&"Node": return _nodes[_numbers.below(_nodes.size())]
		&"Resource": return _resources[_numbers.below(_resources.size())]
		&"RefCounted":
			return _refs[_numbers.below(_refs.size())] if _numbers.one_in(2) else instance_of(&"Resource")
	return instance_of(_any_class())


func _any_class() -> StringName:
	return classes[_numbers.below(classes.size())]


func instance_of_script(script: GDScript) -> Object:
	if script == ScriptedNode:
		return _nodes[2]
	return _refs[1] if script == ScriptedRef else _resources[1]


func live_node() -> Node:
	return _nodes[_numbers.below(_nodes.size())]


## A node that exists no more when this returns, in a signal that remembers its id.
func signal_of_freed() -> Signal:
	var node := Node.new()
	var gone := Signal(node, &"ready")
	node.free()
	return gone
