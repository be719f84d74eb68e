extends RefCounted
## A save game as a game would have it: a player, an inventory, a world of entities, quests, and data in bulk.

const ENTITY_COUNT := 4000
const MAP_SIZE := 256


static func make(rng_seed: int) -> Dictionary:
	var rng := RandomNumberGenerator.new()
	rng.seed = rng_seed
	return {
		"version": 3,
		"saved_at": "2026-01-31T18:45:00",
		"player": _player(),
		"inventory": _inventory(rng),
		"entities": _entities(rng),
		"quests": _quests(),
		"height_map": _height_map(),
	}


## Arrays in bulk, as meshes and replays have them, by name.
static func packed_arrays() -> Dictionary:
	var heights := _height_map()
	var vertices: PackedVector3Array = []
	var colors: PackedColorArray = []
	var indices: PackedInt32Array = []
	var names: PackedStringArray = []
	for index: int in heights.size():
		vertices.append(Vector3(index % MAP_SIZE, heights[index], index / MAP_SIZE))
		colors.append(Color.from_hsv(heights[index] / 20.0, 0.5, 0.8))
		indices.append_array([index, index + 1, index + MAP_SIZE])
		if index % 4 == 0:
			names.append("chunk_%d" % index)
	return {"vertices": vertices, "colors": colors, "indices": indices, "names": names}


static func _player() -> Dictionary:
	return {
		"name": "Šárka 🗡",
		"position": Vector3(12.5, 0.25, -3.75),
		"facing": Quaternion(Vector3.UP, 0.7),
		"health": 87.5,
		"level": 12,
		"spawn": ^"/root/World/Spawns/Harbour:position",
		"state": &"idle",
		"tint": Color(0.9, 0.8, 0.7),
	}


static func _inventory(rng: RandomNumberGenerator) -> Array[Dictionary]:
	var items: Array[Dictionary] = []
	for slot: int in 64:
		items.append({"id": "item_%03d" % rng.randi_range(0, 400), "slot": Vector2i(slot % 8, slot / 8), "count": slot + 1})
	return items


static func _entities(rng: RandomNumberGenerator) -> Array:
	var entities: Array = []
	for id: int in ENTITY_COUNT:
		entities.append({
			"id": id,
			"kind": ["wolf", "merchant", "tree", "chest"][id % 4],
			"position": Vector3(rng.randf(), rng.randf(), rng.randf()) * 1000.0,
			"health": rng.randf_range(0.0, 100.0),
			"tags": ["spawned", "day_%d" % (id % 30)],
			"alive": id % 7 != 0,
		})
	return entities


static func _quests() -> Dictionary[String, bool]:
	var quests: Dictionary[String, bool] = {}
	for number: int in 200:
		quests["quest_%d" % number] = number % 3 == 0
	return quests


static func _height_map() -> PackedFloat32Array:
	var heights: PackedFloat32Array = []
	for index: int in MAP_SIZE * MAP_SIZE:
		heights.append(sin(index * 0.01) * 10.0 + cos(index * 0.003) * 5.0)
	return heights
