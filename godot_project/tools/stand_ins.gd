extends RefCounted
## Resources that stand in for those that a text scene refers to and that are not there, for the tests that load scenes of others.

const FOLDER := "res://stand_ins"

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
var _is_by_path: bool


## By path, one that two texts name is the same resource in both. Else, each that a text names is another one.
func _init(is_by_path: bool) -> void:
	_is_by_path = is_by_path


static func prepare() -> void:
	var _error := DirAccess.make_dir_recursive_absolute(FOLDER)


static func store(path: String, text: String) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()


## The text with a path to a stand-in in each `ext_resource`, and without uids, which are nobody's here.
func put_into(text: String) -> String:
	var out := ""
	var end := 0
	for found in _ext_resource.search_all(text):
		out += text.substr(end, found.get_start() - end) + _tag(found.get_string(), found.get_start())
		end = found.get_end()
	return out + text.substr(end)


func _tag(tag: String, start: int) -> String:
	var type := ""
	var id := ""
	var number := start
	for found in _field.search_all(tag):
		match found.get_string(1):
			"type":
				type = found.get_string(2).trim_prefix("\"").trim_suffix("\"")
			"id":
				id = found.get_string(2)
			"path":
				number = found.get_string(2).hash() if _is_by_path else start
	return "[ext_resource type=\"%s\" path=\"%s\" id=%s]" % [type, _stand_in(type, number), id]


## The path of a resource of this type. Each number has its own.
func _stand_in(type: String, number: int) -> String:
	if type == "Script" or type == "GDScript" or type == "CSharpScript":
		return _stored("%s/script_%d.gd" % [FOLDER, number], "extends RefCounted\n")
	if type == "PackedScene":
		var scene := "[gd_scene format=3]\n\n[node name=\"StandIn\" type=\"Node\"]\n"
		return _stored("%s/scene_%d.tscn" % [FOLDER, number], scene)
	if type == "Shader":
		return _stored("%s/shader_%d.gdshader" % [FOLDER, number], "shader_type canvas_item;\n")
	var concrete: String = CONCRETE.get(type, type)
	if not ClassDB.can_instantiate(concrete):
		concrete = "Resource"
	var resource := "[gd_resource type=\"%s\" format=3]\n\n[resource]\n" % concrete
	return _stored("%s/%s_%d.tres" % [FOLDER, concrete, number], resource)


func _stored(path: String, text: String) -> String:
	if not FileAccess.file_exists(path):
		store(path, text)
	return path
