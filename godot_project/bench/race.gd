extends RefCounted
## Times several ways to do the same against each other: in turns, so that all meet the same machine, and by the median,
## which a disturbance of a few runs does not move.
##
## What a contender returns is freed after the clock has stopped: to free a value is not to decode it. Of many
## repetitions in one sample all results but the last are freed before, for both sides.

const MIN_ROUNDS := 5
const MAX_ROUNDS := 101
## Shorter samples would measure the clock.
const MIN_SAMPLE_USEC := 300


## Each contender is called with a number of repetitions, and returns its last result. Returns microseconds per repetition
## for each. The first two, who are compared, repeat it equally often; the others are beside the race. The whole of it takes
## about `budget_msec`, or longer for MIN_ROUNDS.
static func medians(contenders: Array[Callable], budget_msec: int) -> PackedFloat64Array:
	var repetitions: PackedInt64Array = []
	for contender in contenders:
		repetitions.append(_calibrated(contender))
	for racer: int in 2:
		repetitions[racer] = maxi(repetitions[0], repetitions[1])
	var round_usec := 0.0
	for index: int in contenders.size():
		round_usec += _sample(contenders[index], repetitions[index]) * repetitions[index]
	var rounds := clampi(int(budget_msec * 1000 / maxf(round_usec, 1.0)), MIN_ROUNDS, MAX_ROUNDS)
	var samples: Array[PackedFloat64Array] = []
	samples.resize(contenders.size())
	for round_number: int in rounds:
		for turn: int in contenders.size():
			# Another one starts each round: whoever comes second finds warmer caches.
			var index := (turn + round_number) % contenders.size()
			samples[index].append(_sample(contenders[index], repetitions[index]))
	var result: PackedFloat64Array = []
	for contender_samples in samples:
		contender_samples.sort()
		result.append(contender_samples[contender_samples.size() / 2])
	return result


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


static func _sample(contender: Callable, count: int) -> float:
	var start := Time.get_ticks_usec()
	var _last: Variant = contender.call(count)
	return float(Time.get_ticks_usec() - start) / count
