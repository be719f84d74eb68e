@tool
extends RefCounted
## Words of messages.


## The maximum length of a text in a row of a list.
const _MAX_ROW := 200


## A text of any size, for a row of a list.
static func in_a_row(text: String) -> String:
	return text.left(_MAX_ROW).replace("\n", " ") + ("…" if text.length() > _MAX_ROW else "")


## A moment in Unix time: its time of day here, with the date of another day.
static func moment(time: float) -> String:
	var day := _local(time).left(10)
	var time_of_day := _local(time).substr(11, 5)
	if day == _local(Time.get_unix_time_from_system()).left(10):
		return time_of_day
	return "%s, %s" % [day, time_of_day]


## `one` or `many`, each with its `%d`.
static func counted(count: int, one: String, many: String) -> String:
	return (one if count == 1 else many) % count


static func _local(time: float) -> String:
	var bias: int = Time.get_time_zone_from_system()["bias"]
	return Time.get_datetime_string_from_unix_time(int(time) + bias * 60, true)
