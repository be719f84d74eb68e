//! `set-cells`

use super::Fixture;

const TILES: &str = r#"[gd_resource type="TileSet" format=3]

[sub_resource type="PlaceholderTexture2D" id="PlaceholderTexture2D_a"]
size = Vector2(32, 16)

[sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_a"]
texture = SubResource("PlaceholderTexture2D_a")
0:0/0 = 0
1:0/0 = 0
1:0/2 = 2

[resource]
sources/3 = SubResource("TileSetAtlasSource_a")
"#;

fn fixture() -> Fixture {
    let fixture = Fixture::new();
    fixture.write("tiles.tres", TILES);
    fixture
}

fn with(operation: &str) -> String {
    format!(
        r#"{{"op": "add", "node": "Ground", "type": "TileMapLayer", "properties": {{"tile_set": {{"load": "tiles.tres"}}}}}}
        {{"op": "set-cells", "node": "Ground", {operation}}}"#
    )
}

#[track_caller]
fn data(operation: &str) -> String {
    let text = fixture().text(&with(operation), "res://level.tscn");
    let line = text.lines().find_map(|line| line.strip_prefix("tile_map_data = "));
    format!("{} {}", &text[..text.find(" uid").unwrap()], line.unwrap_or_default())
}

#[test]
fn cells_are_set_and_erased() {
    assert_eq!(
        data(r#""set": [{"at": [-1, 2], "source": 3, "tile": [1, 0], "alternative": 4098}]"#),
        "[gd_scene format=3 PackedByteArray(0, 0, 255, 255, 2, 0, 3, 0, 1, 0, 0, 0, 2, 16)"
    );
    let both = r#""set": [{"at": [0, 0, 2, 1], "source": 3}]}
        {"op": "set-cells", "node": "Ground", "erase": [[0, 0]], "set": [{"at": [1, 0], "source": 3, "tile": [1, 0]}]"#;
    assert_eq!(
        data(both),
        "[gd_scene format=3 PackedByteArray(0, 0, 1, 0, 0, 0, 3, 0, 1, 0, 0, 0, 0, 0)"
    );
    // Godot writes many bytes as base64, in a file of format 4.
    assert_eq!(
        data(r#""set": [{"at": [0, 0, 6, 1], "source": 3}]"#),
        "[gd_scene format=4 PackedByteArray(\"AAAAAAAAAwAAAAAAAAABAAAAAwAAAAAAAAACAAAAAwAAAAAAAAADAAAAAwAAAAAAAAAEAAAAAwAAAAAAAAAFAAAAAwAAAAAAAAA=\")"
    );
}

#[test]
fn what_is_refused() {
    for (operation, reason) in [
        (
            r#""set": [{"at": [0, 0]}]"#,
            "the source 0 of the TileSet does not exist; the sources are 3",
        ),
        (r#""set": [{"at": [0, 0], "source": 3, "tile": [2, 0]}]"#, "the tiles are [0, 0], [1, 0]"),
        (
            r#""set": [{"at": [0, 0], "source": 3, "alternative": 1}]"#,
            "the alternative 1 of the tile [0, 0]",
        ),
        (
            r#""set": [{"at": [0, 0, 0, 1], "source": 3}]"#,
            "expected [x, y] or [x, y, width, height]",
        ),
        (r#""erase": [[40000, 0]]"#, "with numbers from -32768 to 32767"),
        (
            r#""erase": [[0, 0, 1024, 1023]], "set": [{"at": [0, 0, 1024, 2], "source": 3}]"#,
            "at most 1048576 cells",
        ),
    ] {
        let refused = fixture().refused(&with(operation));
        assert!(refused.contains(reason), "{operation}: {refused}");
    }
    let refused = fixture().refused(r#"{"op": "set-cells", "node": "Player", "erase": [[0, 0]]}"#);
    assert!(refused.contains("`Player` is a CharacterBody2D"), "{refused}");
}
