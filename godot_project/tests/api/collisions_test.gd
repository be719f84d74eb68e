extends "res://tests/test_suite.gd"
## Keys and names that were made to collide in the engine's hash tables are refused by `strict`, before the engine sees them.

const COUNT := 20000


## Texts of one hash: "a~" and "b]" have the same.
func _colliding_texts() -> PackedStringArray:
	var texts: PackedStringArray = []
	for number: int in COUNT:
		var text := ""
		for bit: int in 15:
			text += "a~" if (number >> bit) & 1 else "b]"
		texts.append(text)
	return texts


## Encodes without making the value: that would take as long as to decode it.
func _dictionary_of(keys: Array) -> PackedByteArray:
	var parts: Array[PackedByteArray] = [PackedByteArray([27, 0, 0, 0, 0, 0, 0, 0])]
	parts[0].encode_u32(4, keys.size())
	for key: Variant in keys:
		parts.append(FastVariant.encode(key))
		parts.append(PackedByteArray([0, 0, 0, 0]))
	var bytes: PackedByteArray = []
	for part in parts:
		bytes.append_array(part)
	return bytes


func test_texts_that_collide() -> Outcome:
	var texts := Array(_colliding_texts())
	check_equal(hash(texts[0]), hash(texts[COUNT - 1]), "one hash")
	var names: Array = texts.map(func(text: String) -> NodePath: return NodePath(text + "/a"))
	var inside: Array = texts.map(func(text: String) -> Array: return [text])
	for keys: Array in [texts, inside, names.slice(0, 5000)]:
		_check_refused(_dictionary_of(keys), type_string(typeof(keys[0])))
	check_equal(FastVariant.try_decode(FastVariant.encode(texts), {strict = true}).error, "", "elements are not looked for")
	return DONE


## The other types are hashed with functions that have no secret, too: here keys of one place in the table are looked for, as
## whoever has a minute can.
func test_values_that_collide() -> Outcome:
	var makers: Dictionary[String, Callable] = {
		"int": func(n: int) -> Variant: return n * 7,
		"float": func(n: int) -> Variant: return n * 0.5,
		"Vector2": func(n: int) -> Variant: return Vector2(n, -n),
		"Vector3i": func(n: int) -> Variant: return Vector3i(n, 2, 3),
		"Color": func(n: int) -> Variant: return Color(n, 0, 0),
		"Array": func(n: int) -> Variant: return [n],
		"PackedByteArray": func(n: int) -> Variant: return PackedByteArray([n & 255, (n >> 8) & 255, (n >> 16) & 255]),
		"Basis": func(n: int) -> Variant: return Basis.from_scale(Vector3(n, 1, 1)),
	}
	for name in makers:
		# A table of 1543 places, of which some dozens are asked for.
		var keys: Array = []
		var number := 1
		while keys.size() < 1100:
			var key: Variant = makers[name].call(number)
			if hash(key) % 1543 < 40 and hash(key) % 3079 < 80:
				keys.append(key)
			number += 1
			if number > 4000000:
				break
		if check(keys.size() == 1100, "%s: found %d" % [name, keys.size()]):
			_check_refused(_dictionary_of(keys), name, {max_collisions = 32})
	return DONE


func test_values_that_do_not_collide() -> Outcome:
	for keys: Array in [range(COUNT), range(COUNT).map(func(n: int) -> String: return "player_%d" % n),
			range(COUNT).map(func(n: int) -> StringName: return StringName("n%d" % n)),
			range(COUNT).map(func(n: int) -> Vector2i: return Vector2i(n % 200, n / 200))]:
		var bytes := _dictionary_of(keys)
		check_equal(FastVariant.try_decode(bytes, {strict = true}).error, "", type_string(typeof(keys[0])))
		var viewed: Dictionary = FastVariant.view(bytes, {strict = true}).to_variant()
		check_equal(viewed.size(), COUNT, "a view")
	return DONE


func _check_refused(bytes: PackedByteArray, what: String, limits: Dictionary = {strict = true}) -> void:
	var result := FastVariant.try_decode(bytes, limits)
	check_equal(result.error, "too_many_collisions", what)
	check_equal(result.offset, 0, what + ", offset")
	check(result.message.contains("collide"), result.message)
	var view := FastVariant.view(bytes, limits)
	check_equal(view.to_variant(), null, what + ", a view")
	check_equal(view.get_failure().error, "too_many_collisions", what + ", a view's failure")
	var stream := VariantStream.new()
	stream.options = limits
	var framed: PackedByteArray = [0, 0, 0, 0]
	framed.encode_u32(0, bytes.size())
	framed.append_array(bytes)
	check(stream.push(framed), what + ", pushed")
	check_equal(stream.try_pop().error, "too_many_collisions", what + ", a stream")
