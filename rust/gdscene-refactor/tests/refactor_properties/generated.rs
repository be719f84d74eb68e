//! Small random projects.

use fastrand::Rng;

use super::memory::Files;

/// How many scripts and scenes there are.
const PARTS: usize = 5;

/// A project with scripts that extend each other, scenes that instance each other, and resources; always the same for one
/// seed. Every name is in it once, so that a new one cannot mean something else.
pub(crate) fn generated(seed: u64) -> Files {
    let mut random = Rng::with_seed(seed);
    let mut files = Files::new();
    let mut put =
        |path: &str, text: String| _ = files.insert(format!("res://{path}"), text.into_bytes());
    put("project.godot", settings());
    put("data/stats.gd", "class_name Stats\nextends Resource\n\n@export var strength := 1\n@export var armour: float = 2.0\n".to_owned());
    put("data/stats.gd.uid", "uid://bq8ubm3xk6c4u\n".to_owned());
    put("data/base.tres", BASE.to_owned());
    for part in 0..PARTS {
        // The script that it extends comes before it.
        let base = (part > 0 && random.bool()).then(|| random.usize(..part));
        put(&script_path(part), script(part, base, &mut random));
        put(&scene_path(part), scene(part, &mut random));
    }
    files
}

/// Resources inside scenes that can be extracted: the scene and the id.
pub(crate) fn sub_resources(files: &Files) -> Vec<(String, String)> {
    let scenes = files.iter().filter(|(path, _)| path.ends_with(".tscn"));
    let stats = |(path, text): (&String, &Vec<u8>)| {
        let text = String::from_utf8_lossy(text);
        text.contains("id=\"Stats_1\"").then(|| (path.clone(), "Stats_1".to_owned()))
    };
    scenes.filter_map(stats).collect()
}

const BASE: &str = "[gd_resource type=\"Resource\" script_class=\"Stats\" format=3 uid=\"uid://cqq2j4h8p6vy1\"]\n\n\
    [ext_resource type=\"Script\" uid=\"uid://bq8ubm3xk6c4u\" path=\"res://data/stats.gd\" id=\"1_s\"]\n\n\
    [resource]\nscript = ExtResource(\"1_s\")\nstrength = 7\narmour = 0.5\n";

fn settings() -> String {
    "config_version=5\n\n[application]\n\nrun/main_scene=\"res://scenes/scene_0.tscn\"\n\
     config/features=PackedStringArray(\"4.6\")\n\n[autoload]\n\nGlobal=\"*res://scripts/thing_0.gd\"\n"
        .to_owned()
}

fn script_path(part: usize) -> String {
    format!("scripts/thing_{part}.gd")
}

fn scene_path(part: usize) -> String {
    format!("scenes/scene_{part}.tscn")
}

/// It uses its own declarations, and those of others, in certain and uncertain ways.
fn script(part: usize, base: Option<usize>, random: &mut Rng) -> String {
    let extends = base.map_or("Node2D".to_owned(), |base| format!("Thing{base}"));
    let other = random.usize(..PARTS);
    let mut text =
        format!("class_name Thing{part}\nextends {extends}\n\nsignal told_{part}(by: Node)\n\n");
    text += &format!(
        "@export var power_{part} := {}\n@export var goal_{part}: Node2D\n@export var stats_{part}: Stats\n\
         @export var list_{part}: Array[Stats] = []\nvar hidden_{part} := \"power_{part}\"\n\n",
        random.u8(..)
    );
    text += &format!(
        "func act_{part}(other: Thing{other}) -> void:\n\tpower_{part} += 1\n\tself.power_{part} *= 2\n\
         \tother.power_{other} = power_{part}\n\ttold_{part}.emit(self)\n\tother.told_{other}.connect(hear_{part})\n"
    );
    if let Some(base) = base {
        text += &format!("\tact_{base}(self)\n\tpower_{base} = hidden_{part}.length()\n");
    }
    text += &format!(
        "\nfunc hear_{part}(by: Node) -> void:\n\tif stats_{part}:\n\t\tprint(stats_{part}.strength, by.name)\n\
         \tset(\"power_{part}\", 1)\n\tvar scene := preload(\"res://scenes/scene_{other}.tscn\")\n\
         \tadd_child(scene.instantiate())\n\tcall_deferred(\"act_{part}\", self)\n\tcall(hidden_{part})\n\n"
    );
    text += &format!(
        "func look_{part}() -> Node:\n\tvar near := get_node_or_null(\"Body{part}/Hand{part}\")\n\
         \treturn near if near else $Body{part}\n"
    );
    text
}

/// A scene with the script, nodes that hold paths to each other, an animation, connections and an instance of a scene before.
fn scene(part: usize, random: &mut Rng) -> String {
    let inner = (part > 0 && random.bool()).then(|| random.usize(..part));
    let mut text = format!(
        "[gd_scene format=3]\n\n\
         [ext_resource type=\"Script\" path=\"res://{}\" id=\"1_s\"]\n\
         [ext_resource type=\"Script\" uid=\"uid://bq8ubm3xk6c4u\" path=\"res://data/stats.gd\" id=\"2_s\"]\n\
         [ext_resource type=\"Resource\" uid=\"uid://cqq2j4h8p6vy1\" path=\"res://data/base.tres\" id=\"3_b\"]\n",
        script_path(part)
    );
    if let Some(inner) = inner {
        let path = scene_path(inner);
        text += &format!("[ext_resource type=\"PackedScene\" path=\"res://{path}\" id=\"4_i\"]\n");
    }
    text += &resources(part, random);
    text += &nodes(part);
    if let Some(inner) = inner {
        text += &format!(
            "[node name=\"Inner{part}\" parent=\".\" instance=ExtResource(\"4_i\")]\npower_{inner} = 3\n\n\
             [node name=\"Hand{inner}\" parent=\"Inner{part}/Body{inner}\"]\nposition = Vector2(1, 2)\n\n\
             [node name=\"Added{part}\" type=\"Node2D\" parent=\"Inner{part}/Body{inner}\"]\n\n"
        );
    }
    text += &format!(
        "[connection signal=\"told_{part}\" from=\".\" to=\".\" method=\"hear_{part}\"]\n\
         [connection signal=\"draw\" from=\"Body{part}\" to=\".\" method=\"look_{part}\"]\n"
    );
    if inner.is_some() {
        text += &format!("\n[editable path=\"Inner{part}\"]\n");
    }
    text
}

fn resources(part: usize, random: &mut Rng) -> String {
    format!(
        "\n[sub_resource type=\"Resource\" id=\"Stats_1\"]\nscript = ExtResource(\"2_s\")\nstrength = {}\n\n\
         [sub_resource type=\"Animation\" id=\"Animation_1\"]\n\
         tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"Body{part}/Hand{part}:position:x\")\n\
         tracks/1/type = \"value\"\ntracks/1/path = NodePath(\".:power_{part}\")\n\
         tracks/2/type = \"method\"\ntracks/2/path = NodePath(\".\")\ntracks/2/keys = {{\n\
         \"times\": PackedFloat32Array(0),\n\"transitions\": PackedFloat32Array(1),\n\"values\": [{{\n\"args\": [],\n\
         \"method\": &\"look_{part}\"\n}}]\n}}\n\n\
         [sub_resource type=\"AnimationLibrary\" id=\"Library_1\"]\n_data = {{\n&\"a\": SubResource(\"Animation_1\")\n}}\n\n",
        random.u8(..)
    )
}

fn nodes(part: usize) -> String {
    format!(
        "[node name=\"Root{part}\" type=\"Node2D\" node_paths=PackedStringArray(\"goal_{part}\")]\n\
         script = ExtResource(\"1_s\")\npower_{part} = 12\ngoal_{part} = NodePath(\"Body{part}/Hand{part}\")\n\
         stats_{part} = SubResource(\"Stats_1\")\n\
         list_{part} = Array[ExtResource(\"2_s\")]([SubResource(\"Stats_1\"), ExtResource(\"3_b\")])\n\n\
         [node name=\"Body{part}\" type=\"Node2D\" parent=\".\"]\n\n\
         [node name=\"Hand{part}\" type=\"RemoteTransform2D\" parent=\"Body{part}\"]\n\
         remote_path = NodePath(\"../../Aim{part}\")\n\n\
         [node name=\"Aim{part}\" type=\"Sprite2D\" parent=\".\"]\nunique_name_in_owner = true\n\n\
         [node name=\"Player{part}\" type=\"AnimationPlayer\" parent=\".\"]\n\
         libraries = {{\n&\"\": SubResource(\"Library_1\")\n}}\n\n"
    )
}
