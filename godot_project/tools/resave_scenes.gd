extends SceneTree
## Loads text scenes and resources and saves them again, for the tests of the formatter.
##
##   godot --headless --path PROJECT -s res://tools/resave_scenes.gd -- LIST OUTPUT
##
## LIST names one file in each line. What is saved goes into the folder OUTPUT, as `NUMBER.tscn` or `NUMBER.tres`; the
## number is that of the line. Files that this engine cannot load are left out. What they refer to is not there: another
## resource of the type stands in for each.

const SUCCESS := "resave: WRITTEN"
const STAND_INS := "res://stand_ins"

## For types that have no instances.
const CONCRETE: Dictionary[String, String] = {
	"Texture": "GradientTexture2D",
	"Texture2D": "GradientTexture2D",
	"CompressedTexture2D": "GradientTexture2D",
	"StreamTexture": "GradientTexture2D",
	"Texture3D": "NoiseTexture3D",
	"Material": "StandardMaterial3D",
	"SpatialMaterial": "StandardMaterial3D",
	"Mesh": "BoxMesh",
	"Shape2D": "RectangleShape2D",
	"Shape3D": "BoxShape3D",
	"Font": "FontVariation",
	"FontFile": "FontVariation",
	"AudioStream": "AudioStreamGenerator",
	"AudioStreamWAV": "AudioStreamGenerator",
	"AudioStreamOggVorbis": "AudioStreamGenerator",
	"AudioStreamMP3": "AudioStreamGenerator",
	"StyleBox": "StyleBoxFlat",
}

var _ext_resource := RegEx.create_from_string("\\[ext_resource [^\\]]*\\]")
var _field := RegEx.create_from_string("(\\w+)=(\"[^\"]*\"|\\d+)")


func _init() -> void:
	var arguments := OS.get_cmdline_user_args()
	DirAccess.make_dir_recursive_absolute(STAND_INS)
	var paths := FileAccess.get_file_as_string(arguments[0]).split("\n", false)
	var saved := 0
	for index in paths.size():
		saved += int(_resave(paths[index], index, arguments[1]))
	print("resaved %d of %d files" % [saved, paths.size()])
	print(SUCCESS)
	quit()


func _resave(path: String, index: int, output: String) -> bool:
	var text := FileAccess.get_file_as_string(path)
	if text.is_empty():
		return false
	var copy := "res://in_%d.%s" % [index, path.get_extension()]
	_store(copy, _with_stand_ins(text))
	var resource := ResourceLoader.load(copy, "", ResourceLoader.CACHE_MODE_IGNORE)
	if resource == null:
		return false
	return ResourceSaver.save(resource, output.path_join("%d.%s" % [index, path.get_extension()])) == OK


## The text with a path to a stand-in in each `ext_resource`, and without uids, which are nobody's here.
func _with_stand_ins(text: String) -> String:
	var out := ""
	var end := 0
	for found in _ext_resource.search_all(text):
		out += text.substr(end, found.get_start() - end) + _stand_in_tag(found.get_string(), found.get_start())
		end = found.get_end()
	return out + text.substr(end)


func _stand_in_tag(tag: String, number: int) -> String:
	var type := ""
	var id := ""
	for found in _field.search_all(tag):
		match found.get_string(1):
			"type":
				type = found.get_string(2).trim_prefix("\"").trim_suffix("\"")
			"id":
				id = found.get_string(2)
	return "[ext_resource type=\"%s\" path=\"%s\" id=%s]" % [type, _stand_in(type, number), id]


## The path of a resource of this type. Each number has its own.
func _stand_in(type: String, number: int) -> String:
	if type == "Script" or type == "GDScript" or type == "CSharpScript":
		return _stored("%s/script_%d.gd" % [STAND_INS, number], "extends RefCounted\n")
	if type == "PackedScene":
		var scene := "[gd_scene format=3]\n\n[node name=\"StandIn\" type=\"Node\"]\n"
		return _stored("%s/scene_%d.tscn" % [STAND_INS, number], scene)
	if type == "Shader":
		return _stored("%s/shader_%d.gdshader" % [STAND_INS, number], "shader_type canvas_item;\n")
	var concrete: String = CONCRETE.get(type, type)
	if not ClassDB.can_instantiate(concrete):
		concrete = "Resource"
	var resource := "[gd_resource type=\"%s\" format=3]\n\n[resource]\n" % concrete
	return _stored("%s/%s_%d.tres" % [STAND_INS, concrete, number], resource)


func _stored(path: String, text: String) -> String:
	if not FileAccess.file_exists(path):
		_store(path, text)
	return path


func _store(path: String, text: String) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
