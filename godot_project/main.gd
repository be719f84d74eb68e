extends Node
## The only entry of the project: shows the demo, or does what the arguments after `--` ask for.
##
## Tests and benchmarks start here, and not with Godot's `-s`, because an exported release build runs nothing but its
## main scene.

const CommandLine := preload("res://command_line.gd")
const TestRunner := preload("res://tests/test_runner.gd")
const CodecBench := preload("res://bench/codec_bench.gd")
const O3deBench := preload("res://bench/o3de_bench.gd")
const SchemaBench := preload("res://bench/schema_bench.gd")
const PeakProbe := preload("res://tests/memory/peak_probe.gd")
const SaveForEver := preload("res://tests/framing/save_for_ever.gd")
const DEMO := preload("res://demo/demo.tscn")


func _ready() -> void:
	var command_line := CommandLine.new(OS.get_cmdline_user_args())
	if command_line.has("--run-tests"):
		get_tree().quit(0 if TestRunner.new(command_line).run() else 1)
	elif command_line.has("--run-bench"):
		get_tree().quit(0 if CodecBench.new(command_line).run() else 1)
	elif command_line.has("--run-o3de-bench"):
		get_tree().quit(0 if O3deBench.new(command_line).run() else 1)
	elif command_line.has("--run-schema-bench"):
		get_tree().quit(0 if SchemaBench.new(command_line).run() else 1)
	elif command_line.has("--measure-peak"):
		get_tree().quit(0 if PeakProbe.new(command_line).run() else 1)
	elif command_line.has(SaveForEver.OPTION):
		SaveForEver.run(command_line)
	else:
		add_child(DEMO.instantiate())
