extends SceneTree
## Writes the golden file of settings files: what this engine's ConfigFile reads from each text.
##
##   godot --headless -s res://tools/write_config_goldens.gd -- OUTPUT
##
## scripts/data/goldens.sh runs it in a project without our library.

const SUCCESS := "goldens: WRITTEN"

const HEAD := """# What Godot %s reads from settings files (`ConfigFile.parse`). Written by scripts/data/goldens.sh; do not edit.
# The text as JSON, a tab, and a dictionary of sections, each a dictionary of keys (`var_to_bytes`) in hexadecimal, or nothing
# if the text is refused.
"""

const TEXTS: PackedStringArray = [
	"", "\n; only a comment\n", "config_version=5\n", "a=1\nb=2\na=3\n", "a = 1 ; comment\nb\t=\t2\n", "a=1 b=2\n",
	"; Engine configuration file.\n\nconfig_version=5\n\n[application]\n\nconfig/name=\"Game\"\n"
	+ "config/features=PackedStringArray(\"4.6\", \"GL Compatibility\")\nrun/main_scene=\"res://main.tscn\"\n",
	"[input]\n\njump={\n\"deadzone\": 0.5,\n\"events\": [Vector2(1, 2), &\"a\"\n, NodePath(\"a/b:c\")]\n}\n",
	"[remap]\n\nimporter=\"texture\"\nuid=\"uid://abc\"\nmetadata={\n\"vram_texture\": false\n}\n\n[deps]\n\n"
	+ "dest_files=[\"res://.godot/a.ctex\"]\n\n[params]\n\ncompress/mode=0\nroughness/src_normal=\"\"\n",
	"[configuration]\n\nentry_symbol = \"gdext_rust_init\"\ncompatibility_minimum = 4.2\nreloadable = true\n\n[libraries]\n\n"
	+ "linux.debug.x86_64 = \"res://a.so\"\nwindows.release.x86_64.double-precision = \"res://a.dll\"\n",
	"[preset.0]\n\nname=\"Linux\"\nexclude_filter=\"\"\n\n[preset.0.options]\n\nbinary_format/64_bits=true\n",
	"[plugin]\nname=\"A \\\"B\\\"\"\ndescription=\"two\nlines; no comment\"\n",
	"[ b c/d ]\na=1\n[x\\]y]\na=2\n[]\nb=3\n[1.2:3]\na=4", "[a\\\\]\nb=1\n", "[a]]\n", "[a] b=1\n", "[a][b]c=1\n",
	"[a]\nx=1\n[b]\ny=2\n[a]\nz=3\nx=null\n", "[a]\nx=null\n", "\"a b\"=1\n\"c\"=2\n", "a b=1\n", "a\nb=1\n", "# a\nb=1\n",
	"é=\"é😀\"\n[ü]\nä=1\n", "a=\n", "a=(\n", "[a]\nb=[1, 2\n", "a=True\n", "a=1 2\n", "[a\n", "[a\nb=1\n]\nc=1\n", "=1\n",
	"a=Color(1, 0, 0, 1)\nb=#ff0000\nc=Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)\nd=PackedByteArray(1, 2)\n",
	"a=[]\nb={}\nc=Array[int]([1])\nd=inf\ne=-1.5e3\nf=&\"x\"\n", "a=1\r\n[b]\r\nc=2\r\n", "a=\"\\u0041\\n\"\n",
]


func _init() -> void:
	var version := Engine.get_version_info()
	var lines: PackedStringArray = [(HEAD % "{major}.{minor}.{patch}-{status}".format(version)).strip_edges()]
	for text in TEXTS:
		var config := ConfigFile.new()
		Engine.print_error_messages = false
		# As `load` reads it: bytes of UTF-8.
		var path := "user://golden.cfg"
		var file := FileAccess.open(path, FileAccess.WRITE)
		file.store_string(text)
		file.close()
		var error := config.load(path)
		Engine.print_error_messages = true
		lines.append("%s\t%s" % [_json(text), _read(config) if error == OK else ""])
	var output := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	output.store_string("\n".join(lines) + "\n")
	output.close()
	print(SUCCESS)
	quit()


func _read(config: ConfigFile) -> String:
	var sections := {}
	for section in config.get_sections():
		var keys := {}
		for key in config.get_section_keys(section):
			keys[key] = config.get_value(section, key)
		sections[section] = keys
	return var_to_bytes(sections).hex_encode()


## Godot leaves control characters in JSON as they are.
func _json(text: String) -> String:
	var json := JSON.stringify(text)
	for code in range(1, 32):
		json = json.replace(String.chr(code), "\\u%04x" % code)
	return json
