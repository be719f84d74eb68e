extends RefCounted
## Times several ways to do the same against each other: in turns, so that all meet the same machine, and by the median,
## which a disturbance of a few runs does not move.
##
## Two times are taken of each sample: that of the calls alone, and that until what they returned is freed. Users free what
## they decode, but not always at once, and both sides pay for it. Of many repetitions in one sample all results but the last
## are freed in between, so that only calls that take long differ in the two.

const MIN_ROUNDS := 5
const MAX_ROUNDS := 101
## Shorter samples would measure the clock.
const MIN_SAMPLE_USEC := 300


## Microseconds per repetition, for each contender.
class Medians:
	## Of the calls.
	var called: PackedFloat64Array
	## Of the calls, and of freeing what they returned.
	var freed: PackedFloat64Array


## Each contender is called with a number of repetitions, and returns its last result. The first two, who are compared, repeat it equally often; the others are beside the race. The whole of it takes
## about `budget_msec`, or longer for MIN_ROUNDS.
static func medians(contenders: Array[Callable], budget_msec: int) -> Medians:
	var repetitions: PackedInt64Array = []
	for contender in contenders:
		repetitions.append(_calibrated(contender))
	for racer: int in 2:
		repetitions[racer] = maxi(repetitions[0], repetitions[1])
	var round_usec := 0.0
	for index: int in contenders.size():
		round_usec += _sample(contenders[index], repetitions[index]).y * repetitions[index]
	var rounds := clampi(int(budget_msec * 1000 / maxf(round_usec, 1.0)), MIN_ROUNDS, MAX_ROUNDS)
	var called: Array[PackedFloat64Array] = []
	var freed: Array[PackedFloat64Array] = []
	called.resize(contenders.size())
	freed.resize(contenders.size())
	for round_number: int in rounds:
		for turn: int in contenders.size():
			# Another one starts each round: whoever comes second finds warmer caches.
			var index := (turn + round_number) % contenders.size()
			var sample := _sample(contenders[index], repetitions[index])
			called[index].append(sample.x)
			freed[index].append(sample.y)
	var result := Medians.new()
	for index: int in contenders.size():
		result.called.append(_median(called[index]))
		result.freed.append(_median(freed[index]))
	return result


static func _median(samples: PackedFloat64Array) -> float:
	samples.sort()
	return samples[samples.size() / 2]


## The number of repetitions that makes a sample long enough. Also warms up.
static func _calibrated(contender: Callable) -> int:
	var count := 1
	while true:
		var start := Time.get_ticks_usec()
		var _last: Variant = contender.call(count)
		if Time.get_ticks_usec() - start >= MIN_SAMPLE_USEC:
			break
		count *= 2
	return count


## Microseconds per repetition: of the calls as `x`, and with freeing as `y`.
static func _sample(contender: Callable, count: int) -> Vector2:
	var start := Time.get_ticks_usec()
	var _last: Variant = contender.call(count)
	var called := Time.get_ticks_usec()
	_last = null
	var freed := Time.get_ticks_usec()
	return Vector2(called - start, freed - start) / count
