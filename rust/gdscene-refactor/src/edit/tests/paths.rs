//! Paths to properties.

use super::Fixture;
use crate::get;

const TILES: &str = r#"[gd_resource type="TileSet" format=3]

[ext_resource type="Texture2D" path="res://tiles.png" id="1_t"]

[sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_a"]
texture = ExtResource("1_t")
0:0/0 = 0
0:0/0/custom_data_0 = "grass"

[resource]
custom_data_layer_0/name = "kind"
custom_data_layer_0/type = 4
sources/0 = SubResource("TileSetAtlasSource_a")
"#;

#[test]
fn names_with_colons() {
    let fixture = Fixture::new();
    fixture.write("tiles.tres", TILES);
    let lines = r#"{"op": "set", "file": "tiles.tres", "at": ":sources/0:0:0/0/z_index", "value": 2}
        {"op": "set", "file": "tiles.tres", "at": "::TileSetAtlasSource_a:0:0/0/custom_data_0", "value": "mud"}
        {"op": "set", "file": "tiles.tres", "at": "::TileSetAtlasSource_a:0:0/0/flip_h", "value": true}
        {"op": "unset", "file": "tiles.tres", "at": ":sources/0:0:0/0/flip_h"}"#;
    let expected = TILES
        .replace("\"grass\"", "\"mud\"")
        .replace("0:0/0 = 0\n", "0:0/0 = 0\n0:0/0/z_index = 2\n");
    assert_eq!(fixture.text(lines, "res://tiles.tres"), expected);
    let project = godot_project::Project::open(fixture.folder.path()).unwrap();
    for path in [":sources/0:0:0/0/custom_data_0", "::TileSetAtlasSource_a:0:0/0/custom_data_0"] {
        let found = get(&project, "res://tiles.tres", &path.parse().unwrap()).unwrap();
        assert_eq!(found.properties[0].value.as_deref(), Some("\"grass\""));
    }
    let refused = fixture.refused(r#"{"op": "set", "at": "Player:0:x", "value": 2}"#);
    assert!(refused.contains("the property `0:x` of CharacterBody2D"), "{refused}");
}
