//! Values get the types of their properties, in containers and in elements too.

use crate::edit::tests::{Fixture, anonymous};

const THING: &str = "class_name Thing\nextends Node2D\nenum Kind { A, B = 5, C }\nenum { NAMELESS = 3 }\n\
    @export var kind: Kind = Kind.A\n@export var kinds: Array[Kind]\n@export var mode: Node.ProcessMode\n\
    @export var targets: Array[Node2D] = []\n@export var scenes: Array[PackedScene] = []\n\
    @export var table: Dictionary[String, int] = {}\n@export var by_node: Dictionary[Node, float]\n\
    @export var own: Array[Data]\n@export var many: Array\n@export var points: PackedVector2Array\n@export var colors: PackedColorArray\n@export var untyped: Array[Nowhere]\n";

fn fixture() -> Fixture {
    let fixture = Fixture::new();
    fixture.write("thing.gd", THING);
    fixture.write("data.gd", "class_name Data\nextends Resource\n@export var weight := 1.0\n");
    fixture.write(
        "glow.gdshader",
        "shader_type canvas_item;\nuniform vec4 col : source_color;\nuniform float strength = 1.0;\n",
    );
    fixture
}

/// The text of a property of a node with the script after `value` was set; the reason if it is refused.
fn set(key: &str, value: &str) -> String {
    let lines = format!(
        r#"{{"op": "attach", "node": "Player", "script": "thing.gd"}}
        {{"op": "set", "at": "Player:{key}", "value": {value}}}"#
    );
    let edited = match fixture().edit(&lines) {
        Ok(edited) => edited,
        Err(error) => return format!("refused: {error}"),
    };
    let text = anonymous(&String::from_utf8(edited.plan.files[0].new_text()).unwrap());
    let document = godot_tscn::parse(text.as_bytes());
    let mut sections = document.sections();
    let is_player = |section: &godot_tscn::Section<'_>| {
        section.field_text("name").is_some_and(|name| *name == *b"Player")
    };
    let player = sections.find(is_player).unwrap();
    let value = player.properties().find(|property| *property.engine_key() == *key.as_bytes());
    let value = value.map_or(&b""[..], |property| property.source());
    let paths = player.field("node_paths").map_or(&b""[..], |field| field.source());
    let [value, paths] = [value, paths].map(String::from_utf8_lossy);
    if paths.is_empty() { value.into_owned() } else { format!("{value}, {paths}") }
}

#[track_caller]
fn check(key: &str, value: &str, expected: &str) {
    let found = set(key, value);
    if expected.is_empty() {
        assert!(found.starts_with("refused: "), "{key}: {found}");
    } else {
        assert_eq!(found, expected, "{key}");
    }
}

/// A list with too few or too many numbers must not move those behind it.
#[test]
fn lists_of_vectors_have_a_size() {
    let points = "PackedVector2Array(0, 0, 1, 2)";
    for (key, value, expected) in [
        ("points", "[[0, 0], [1, 2]]", points),
        ("points", "[0, 0, 1, 2]", points),
        ("points", "[[0, 0], [1], [2, 3]]", ""),
        ("points", "[[0, 0], [1, 2, 3]]", ""),
        ("points", "[[0, 0], 1, 2]", ""),
        ("points", "[[0, [0]]]", ""),
        ("colors", "[[1, 0, 0], [0, 1, 0, 0.5]]", "PackedColorArray(1, 0, 0, 1, 0, 1, 0, 0.5)"),
        ("colors", "[[1, 0], [0, 1, 0]]", ""),
    ] {
        check(key, value, expected);
    }
}

/// Godot 4.6.3 loads each of them as it is meant, and saves it so.
#[test]
fn containers_are_written_as_godot_saves_them() {
    for (key, value, expected) in [
        ("targets", r#"["Shape"]"#, r#"[NodePath("Shape")], PackedStringArray("targets")"#),
        (
            "targets",
            r#"{"godot": "[NodePath(\"Shape\")]"}"#,
            r#"[NodePath("Shape")], PackedStringArray("targets")"#,
        ),
        (
            "targets",
            r#"{"godot": "Array[Node2D]([NodePath(\"Shape\")])"}"#,
            r#"[NodePath("Shape")], PackedStringArray("targets")"#,
        ),
        ("scenes", r#"["res://enemy.tscn"]"#, r#"Array[PackedScene]([ExtResource("1_abcde")])"#),
        (
            "scenes",
            r#"[{"load": "enemy.tscn"}]"#,
            r#"Array[PackedScene]([ExtResource("1_abcde")])"#,
        ),
        ("table", r#"{"b": 1, "a": 2.0}"#, "Dictionary[String, int]({\n\"a\": 2,\n\"b\": 1\n})"),
        (
            "by_node",
            r#"{"Shape": 1}"#,
            "{\nNodePath(\"Shape\"): 1.0\n}, PackedStringArray(\"by_node\")",
        ),
        (
            "own",
            r#"[{"new": "Data"}]"#,
            r#"Array[ExtResource("2_abcde")]([SubResource("Resource_abcde")])"#,
        ),
        ("many", r#"[1, "a"]"#, r#"[1, "a"]"#),
        ("kinds", r#"["C", 5]"#, "Array[int]([6, 5])"),
    ] {
        check(key, value, expected);
    }
}

#[test]
fn empty_containers_are_left_out_as_the_default() {
    for (key, value) in [
        ("targets", "[]"),
        ("table", "{}"),
        ("own", "[]"),
        ("by_node", "{}"),
        ("own", r#"{"godot": "[]"}"#),
    ] {
        assert_eq!(set(key, value), "", "{key}");
    }
}

/// Godot 4.6.3 would load all of them as something unintended.
#[test]
fn elements_of_other_types_are_refused() {
    for (key, value) in [
        ("targets", "[1]"),
        ("targets", r#"{"godot": "[ExtResource(\"1_enemy\")]"}"#),
        ("scenes", r#"["enemy"]"#),
        ("scenes", r#"[{"new": "Curve"}]"#),
        ("scenes", r#"["res://missing.tscn"]"#),
        ("table", r#"{"a": "x"}"#),
        ("table", r#"{"godot": "{1: 2}"}"#),
        ("kinds", r#"["D"]"#),
        ("untyped", r#"["a"]"#),
    ] {
        check(key, value, "");
    }
}

#[test]
fn enums_are_accepted_by_name() {
    for (key, value, expected) in [
        ("kind", r#""B""#, "5"),
        ("kind", r#""Kind.C""#, "6"),
        ("kind", "6", "6"),
        ("mode", r#""disabled""#, "4"),
        ("process_mode", r#""PROCESS_MODE_ALWAYS""#, "3"),
        ("process_mode", r#""Node.PROCESS_MODE_DISABLED""#, "4"),
        ("texture_filter", r#""nearest""#, "1"),
        ("texture_filter", r#"{"godot": "\"Nearest\""}"#, "1"),
        ("motion_mode", r#"{"godot": "floating"}"#, "1"),
    ] {
        check(key, value, expected);
    }
    let refused = set("kind", r#""D""#);
    assert!(refused.ends_with("expected one of `A` (0), `B` (5), `C` (6)"), "{refused}");
}

#[test]
fn types_of_csharp_have_other_names() {
    let fixture = fixture();
    fixture.write(
        "Bag.cs",
        "using Godot;\npublic partial class Bag : Node2D\n{\n[Export] public string Title;\n[Export] public double Weight;\n\
         [Export] public long Count;\n[Export] public Node2D Target;\n}\n",
    );
    let set = |key: &str, value: &str| {
        let lines = format!(
            r#"{{"op": "attach", "node": "Player", "script": "Bag.cs"}}
            {{"op": "set", "at": "Player:{key}", "value": {value}}}"#
        );
        fixture.edit(&lines).map(|edited| edited.outcomes[1].what.clone())
    };
    for (key, value, expected) in [
        ("Title", r#""a bag""#, r#""a bag""#),
        ("Weight", "2", "2.0"),
        ("Count", "3.0", "3"),
        ("Target", r#""Shape""#, r#"NodePath("Shape")"#),
    ] {
        assert_eq!(set(key, value).unwrap(), format!("set `Player:{key}` to {expected}"));
    }
    assert!(set("Count", "2.5").is_err());
}

/// Each material is asked for each parameter; the shader is read once.
#[test]
fn many_parameters_of_one_shader() {
    let many: Vec<String> = (0..500).map(|index| format!("uniform float p{index};\n")).collect();
    let code = format!("shader_type canvas_item;\n{}", many.concat());
    let given: Vec<String> =
        (0..500).map(|index| format!(r#""shader_parameter/p{index}": 1"#)).collect();
    let shader = serde_json::json!({"new": "Shader", "properties": {"code": code}});
    let text =
        resource("ShaderMaterial", &format!(r#"{{"shader": {shader}, {}}}"#, given.join(", ")));
    assert_eq!(text.matches("= 1.0\n").count(), 500, "{text}");
}

/// The text of a new resource with properties.
fn resource(class: &str, properties: &str) -> String {
    let line = format!(
        r#"{{"op": "new", "file": "res://a.tres", "type": "{class}", "properties": {properties}}}"#
    );
    match fixture().edit(&line) {
        Ok(edited) => {
            let text = String::from_utf8(edited.plan.files[0].new_text()).unwrap();
            anonymous(text.split("[resource]\n").nth(1).unwrap_or_default())
        }
        Err(error) => format!("refused: {error}"),
    }
}

#[test]
fn elements_have_types_and_the_order_of_the_saver() {
    assert_eq!(
        resource(
            "TileSet",
            r#"{"terrain_set_0/terrain_0/color": [0, 1, 0], "terrain_set_0/terrain_0/name": "grass",
                "terrain_set_0/mode": 0, "tile_size": [8, 8]}"#
        ),
        "tile_size = Vector2i(8, 8)\nterrain_set_0/mode = 0\nterrain_set_0/terrain_0/name = \"grass\"\n\
         terrain_set_0/terrain_0/color = Color(0, 1, 0, 1)\n"
    );
    assert_eq!(
        resource(
            "Animation",
            r#"{"tracks/0/keys": {"times": [0], "transitions": [1], "update": 0, "values": [1.0]},
                "tracks/0/path": "Sprite:rotation", "tracks/0/type": "value"}"#
        ),
        "tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"Sprite:rotation\")\ntracks/0/keys = {\n\
         \"times\": [0],\n\"transitions\": [1],\n\"update\": 0,\n\"values\": [1.0]\n}\n"
    );
    assert_eq!(
        resource(
            "AnimationNodeStateMachine",
            r#"{"states/idle/position": [100, 50], "states/idle/node": {"new": "AnimationNodeAnimation"}}"#
        ),
        "states/idle/node = SubResource(\"AnimationNodeAnimation_abcde\")\nstates/idle/position = Vector2(100, 50)\n"
    );
}

#[test]
fn a_list_for_an_unknown_type_is_refused() {
    for value in ["[1, 0, 0, 1]", r#""a""#] {
        let refused = resource("ShaderMaterial", &format!(r#"{{"shader_parameter/x": {value}}}"#));
        assert!(
            refused.contains("the type of the property is unknown; write Godot's text"),
            "{refused}"
        );
    }
    let shader = r#""shader": {"load": "res://glow.gdshader"}, "shader_parameter/strength": 2"#;
    let text =
        resource("ShaderMaterial", &format!(r#"{{{shader}, "shader_parameter/col": [1, 0, 0]}}"#));
    assert_eq!(
        text,
        "shader = ExtResource(\"1_abcde\")\nshader_parameter/strength = 2.0\nshader_parameter/col = Color(1, 0, 0, 1)\n"
    );
    let text = resource("ShaderMaterial", r#"{"shader_parameter/x": {"godot": "Vector2(1, 2)"}}"#);
    assert_eq!(text, "shader_parameter/x = Vector2(1, 2)\n");
}
