extends "res://tests/test_suite.gd"
## `FastVariantSchema`: values of engine memory in compact bytes, and back.

const LoggedErrors := preload("res://tests/support/logged_errors.gd")
const RandomNumbers := preload("res://tests/support/random_numbers.gd")

const UNIT := {
	"id": "u16",
	"at": {"kind": "vector2", "min": -512, "max": 512, "step": 0.25},
	"angle": {"kind": "float", "angle_bits": 10},
	"hp": {"kind": "int", "min": 0, "max": 100},
	"state": {"kind": "string", "one_of": ["idle", "running", "dead"]},
	"is_armed": "bool",
}


class Freeing:
	extends Node
	var first: int:
		set(value):
			call(&"free")
	var second: int


class Plain:
	extends RefCounted
	var id: int
	var at: Vector2
	var angle: float
	var hp: int
	var state: String
	var is_armed: bool


func _unit() -> Dictionary:
	return {"id": 7, "at": Vector2(-3.25, 511.5), "angle": 0.0, "hp": 93, "state": "running", "is_armed": true}


func test_a_record() -> Outcome:
	var schema := FastVariantSchema.of(UNIT)
	check(schema.is_valid(), schema.get_error())
	var unit := _unit()
	var bytes := schema.encode(unit)
	check_equal(bytes.size(), 8, "the size")
	check(bytes.size() * 10 < var_to_bytes(unit).size(), "a tenth of var_to_bytes")
	check_equal(schema.decode(bytes), unit, "the value")
	var result := schema.try_decode(bytes)
	check(result.ok and result.value == unit and result.bytes_read == bytes.size(), "the same with details")
	check_equal(schema.try_encode(unit).value, bytes, "the bytes with details")
	# Another order, names that are StringNames, and a typed dictionary.
	var mixed: Dictionary[StringName, Variant] = {}
	for name: String in ["state", "hp", "is_armed", "angle", "at", "id"]:
		mixed[StringName(name)] = unit[name]
	check_equal(schema.encode(mixed), bytes, "another order")
	check_equal(schema.fingerprint(), FastVariantSchema.of(UNIT.duplicate(true)).fingerprint(), "the fingerprint")
	return DONE


func test_each_type() -> Outcome:
	var rng := RandomNumberGenerator.new()
	rng.seed = options.rng_seed
	var numbers := RandomNumbers.new(rng)
	for round_: int in 200:
		var values: Array = [
			numbers.one_in(2), numbers.integer(), numbers.number(), Vector2(1.5, -2), Vector2i(-1, 7), Rect2(1, 2, 3, 4),
			Rect2i(1, -2, 3, 4), Vector3(0.5, 1, 2), Vector3i(1, 2, -3), Transform2D(0.5, Vector2(3, 4)), Vector4(1, 2, 3, 4),
			Vector4i(1, 2, 3, -4), Plane(Vector3.UP, 3), Quaternion(Vector3.UP, 1), AABB(Vector3.ONE, Vector3(1, 2, 3)),
			Basis(Vector3.RIGHT, 2), Transform3D(Basis.IDENTITY, Vector3(1, 2, 3)), Projection.IDENTITY, Color(0.5, 1, 2, 0.25),
			&"a name", ^"../Door:open", "texts: ä ʘ 😀", PackedByteArray([1, 2, 255]), PackedInt32Array([1, -2]),
			PackedInt64Array([1, -2]), PackedFloat32Array([0.5]), PackedFloat64Array([0.1]), PackedStringArray(["a", "ö", ""]),
			PackedVector2Array([Vector2.ONE]), PackedVector3Array([Vector3.ONE]), PackedColorArray([Color.RED]),
			PackedVector4Array([Vector4.ONE]),
		]
		var types: Array = values.map(func(value: Variant) -> int: return typeof(value))
		var schema := FastVariantSchema.of({"kind": "tuple", "items": types})
		if not check(schema.is_valid(), schema.get_error()):
			return DONE
		var decoded: Variant = schema.decode(schema.encode(values))
		# NaN is not itself.
		if not check(var_to_bytes(decoded) == var_to_bytes(values), "%s became %s" % [values, decoded]):
			return DONE
	return DONE


func test_objects() -> Outcome:
	var unit := SchemaTestUnit.new()
	unit.id = 9
	unit.title = "Ada"
	unit.at = Vector2(1, 2)
	unit.state = SchemaTestUnit.State.DEAD
	unit.scores = [1, -2]
	unit.weapon = O3deTestWeapon.new()
	unit.weapon.damage = 2.5
	unit.crew = [O3deTestWeapon.new()]
	unit.leader = SchemaTestUnit.new()
	unit.leader.tag = &"boss"
	unit.path = [Vector2(3, 4)]
	var schema := FastVariantSchema.of(SchemaTestUnit)
	if not check(schema.is_valid(), schema.get_error()):
		return DONE
	var bytes := schema.encode(unit)
	var again: SchemaTestUnit = schema.decode(bytes)
	_check_same(again, unit)
	var target := SchemaTestUnit.new()
	check(schema.decode_into(target, bytes), "into an object")
	_check_same(target, unit)
	check(target.scores.is_typed() and target.crew.is_typed(), "typed arrays stay typed")
	var many := FastVariantSchema.of([SchemaTestUnit])
	var units: Array[SchemaTestUnit] = [unit, unit]
	var decoded: Array = many.decode(many.encode(units))
	check_equal(decoded.size(), 2, "an array of objects")
	_check_same(decoded[1], unit)
	unit.weapon = null
	check(schema.decode(schema.encode(unit)).weapon == null, "null")
	unit.leader = unit
	check(schema.try_encode(unit).message.contains("contains itself"), "an object in itself")
	unit.leader = null
	return DONE


func _check_same(found: SchemaTestUnit, expected: SchemaTestUnit) -> void:
	for name: String in ["id", "title", "at", "state", "is_armed", "scores", "tag", "path"]:
		check_equal(found.get(name), expected.get(name), name)
	check_equal(found.weapon.damage, expected.weapon.damage, "the weapon")
	check_equal(found.crew.size(), expected.crew.size(), "the crew")
	check_equal(found.leader.tag, expected.leader.tag, "the leader")


func test_rows() -> Outcome:
	var schema := FastVariantSchema.of(UNIT)
	var units: Array = []
	for index: int in 500:
		var unit := _unit()
		unit["id"] = index
		units.append(unit)
	var bytes := schema.encode_rows(units)
	check(bytes.size() < 60, "%d bytes" % bytes.size())
	var result := schema.decode_rows(bytes)
	check(result.ok and result.value == units, result.message)
	check_equal(schema.decode_rows(bytes, 499).error, "invalid_bytes", "too many rows")
	check_equal(schema.decode_rows(bytes, -1).error, "invalid_bytes", "a negative limit")
	for length: int in bytes.size():
		check(not schema.decode_rows(bytes.slice(0, length)).ok, "%d bytes of them" % length)
	check_equal(schema.decode_rows(schema.encode_rows([])).value, [], "no rows")
	var weapons := FastVariantSchema.of(O3deTestWeapon)
	var weapon := O3deTestWeapon.new()
	weapon.damage = 7.5
	var decoded: Array = weapons.decode_rows(weapons.encode_rows([weapon, weapon])).value
	check_equal(decoded[1].damage, 7.5, "objects")
	return DONE


func test_a_record_of_any_object() -> Outcome:
	var schema := FastVariantSchema.of(UNIT)
	var plain := Plain.new()
	check(schema.decode_into(plain, schema.encode(_unit())), "into an object")
	check_equal(plain.at, Vector2(-3.25, 511.5), "a vector")
	check_equal(plain.state, "running", "a text")
	check_equal(schema.encode(plain), schema.encode(_unit()), "the bytes of the object")
	check(schema.try_decode_into(plain, schema.encode(_unit())).value == plain, "the object")
	var node := Node.new()
	var result := schema.try_decode_into(node, schema.encode(_unit()))
	check_equal(result.error, "unknown_property", "a Node has no such properties")
	var optional := FastVariantSchema.of({"missing": {"kind": "smart_ptr", "item": "u8"}})
	check_equal(optional.try_encode(node).error, "unknown_property", "nor one that can be null")
	node.free()
	check_equal(schema.try_decode_into(null, PackedByteArray()).error, "invalid_argument", "no object")
	var freeing := Freeing.new()
	result = FastVariantSchema.of({"first": "u8", "second": "u8"}).try_decode_into(freeing, [1, 2])
	check_equal(result.error, "object_freed", "an object that frees itself")
	check(not is_instance_valid(freeing), "it is gone")
	return DONE


func test_what_does_not_fit() -> Outcome:
	var schema := FastVariantSchema.of(UNIT)
	var changes: Dictionary[String, Array] = {
		"hp": [101, '["hp"]', "101 is not a valid value here; expected an int from 0 to 100"],
		"at": [Vector2(513, 0), '["at"]', "513 is not a valid value here; expected a number from -512 to 512"],
		"state": ["flying", '["state"]', "`flying` is not a valid value here; expected one of idle, running, dead"],
		"is_armed": [null, '["is_armed"]', "null is not a valid value here; expected a bool"],
	}
	for name: String in changes:
		var unit := _unit()
		unit[name] = changes[name][0]
		var result := schema.try_encode(unit)
		check(not result.ok and result.value == null, "%s is refused" % name)
		check_equal(result.error, "does_not_fit", name)
		check_equal(result.path, changes[name][1], "the path to %s" % name)
		check_equal(result.message, changes[name][2], "the message for %s" % name)
	var short := _unit()
	short.erase("hp")
	check(schema.try_encode(short).message.contains("lacks the field `hp`"), "a missing field")
	short["health"] = 3
	check(schema.try_encode(short).message.contains("`health` is not a field"), "an unknown field")
	return DONE


func test_what_has_no_form() -> Outcome:
	for descriptor: Variant in [null, [], TYPE_ARRAY, "Object", {"a": {"b": TYPE_CALLABLE}}, O3deTestHero, {"kind": "int", "min": 3, "max": 2}]:
		var schema := FastVariantSchema.of(descriptor)
		check(not schema.is_valid() and not schema.get_error().is_empty(), "%s: %s" % [descriptor, schema.get_error()])
		check_equal(schema.fingerprint(), 0, "no fingerprint")
		check_equal(schema.try_encode(1).error, "invalid_schema", "encode")
		check_equal(schema.try_decode([1]).error, "invalid_schema", "decode")
	return DONE


func test_hostile_bytes() -> Outcome:
	if not LoggedErrors.can_be_counted():
		return skip("Godot 4.5 or newer is needed to count logged errors")
	var schema := FastVariantSchema.of({
		"unit": UNIT, "list": ["string"], "map": {"kind": "map", "key": "string", "value": "u8"}, "name": TYPE_STRING_NAME,
		"packed": TYPE_PACKED_VECTOR2_ARRAY, "maybe": {"kind": "smart_ptr", "item": "f32"},
	})
	check(schema.is_valid(), schema.get_error())
	var value := {
		"unit": _unit(), "list": ["a", "b"], "map": {"x": 1}, "name": &"n", "packed": PackedVector2Array([Vector2.ONE]), "maybe": null,
	}
	var bytes := schema.encode(value)
	check_equal(schema.decode(bytes), value, "the value")
	var accepted: Array[int] = [0]
	var errors := LoggedErrors.of(func() -> void: _try_each_change(schema, bytes, accepted))
	check_equal(errors, PackedStringArray(), "logged errors")
	check(accepted[0] > 20, "some are other values")
	return DONE


func _try_each_change(schema: FastVariantSchema, bytes: PackedByteArray, accepted: Array[int]) -> void:
	for at: int in bytes.size() * 8:
		var changed := bytes.duplicate()
		changed[at >> 3] ^= 1 << (at & 7)
		var result := schema.try_decode(changed)
		accepted[0] += int(result.ok)
		check(result.ok or result.error in ["invalid_bytes", "too_many_collisions"], result.message)
		check(not schema.try_decode(bytes.slice(0, at >> 3)).ok, "a part of the bytes")
