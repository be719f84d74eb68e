//! The messages about everyday mistakes.

use super::Fixture;

/// Why a property does not take a value in Godot's text, without the words that all of them begin with.
#[track_caller]
fn reason(at: &str, value: &str) -> String {
    let line = serde_json::json!({"op": "set", "at": at, "value": {"godot": value}});
    let told = Fixture::new().refused(&line.to_string());
    told.split_once("): ").map_or(told.clone(), |(_, reason)| reason.to_owned())
}

#[test]
fn values_that_godot_does_not_read() {
    for (at, value, expected) in [
        (
            "Player:modulate",
            "Color(1,1,1)",
            "`Color` takes exactly 4 numbers; write it like Color(1, 0.5, 0, 1)",
        ),
        (
            "Player:modulate",
            "Color(\"red\")",
            "expected a number, found `\"red\"`; write it like Color(1, 0.5, 0, 1)",
        ),
        ("Player:position", "", "it is empty; write it like Vector2(1, 2)"),
        (
            "Player:position",
            "Vec2(1, 2)",
            "`Vec2` is not a valid value; write it like Vector2(1, 2)",
        ),
        ("Button:text", "Start", "put it in double quotes: `\"Start\"`, in a shell `'\"Start\"'`"),
        (
            "Button:text",
            "Start Game",
            "put it in double quotes: `\"Start Game\"`, in a shell `'\"Start Game\"'`",
        ),
        ("Button:text", "\"Start", "unterminated string; write it like \"text\""),
        (
            "Button:icon",
            "res://a.png",
            "give a file with `load-resource`, or in JSON as {\"load\": \"res://…\"}",
        ),
        (
            "Player:metadata/x",
            "hero",
            "`hero` is not a valid value; write text as a string in double quotes",
        ),
        ("Player:metadata/x", "Vec2(1, 2)", "`Vec2` is not a valid value; did you mean `Rect2`?"),
    ] {
        assert_eq!(reason(at, value), expected, "{at} {value}");
    }
}

#[test]
fn constants_have_names() {
    for (at, value, expected) in [
        (
            "Player:motion_mode",
            "flying",
            "expected one of `MOTION_MODE_GROUNDED` (0), `MOTION_MODE_FLOATING` (1)",
        ),
        ("Player:z_index", "high", "`high` is not a valid value; write it like 1"),
    ] {
        assert_eq!(reason(at, value), expected, "{at} {value}");
    }
}

#[test]
fn other_everyday_mistakes() {
    let refused = |line: &str, expected: &str| {
        let told = Fixture::new().refused(line);
        assert_eq!(told, format!("`res://level.tscn`: {expected}"));
    };
    refused(
        r#"{"op": "set", "at": "Player:position:x", "value": 3}"#,
        "`position` in `Player:position:x` is a value whose parts cannot be set separately; give the whole value; write it like Vector2(1, 2)",
    );
    refused(
        r#"{"op": "set", "at": "Player:positon:x", "value": 3}"#,
        "the property `positon` of CharacterBody2D does not exist; did you mean `position`?",
    );
    refused(
        r#"{"op": "set", "at": "Player:material:blend_mode", "value": 1}"#,
        "`material` in `Player:material:blend_mode` does not contain a resource of this file; add one with `add-resource`",
    );
    refused(
        r#"{"op": "set", "at": "Player:name", "value": "Z"}"#,
        "`gdscene rename-node` and the operation `rename` change the name of `Player` and all references to it",
    );
}

#[test]
fn broken_files_say_what_is_broken() {
    let fixture = Fixture::new();
    let unset = r#"{"op": "unset", "at": "Player:position"}"#;
    for (text, expected) in [
        ("", "the file is empty; remove it and create a new one with `gdscene new`"),
        (" \n", "the file is empty; remove it and create a new one with `gdscene new`"),
        (
            "[gd_scene format=3]\n\n[node name=\"A\"]\nx = Vector2(1)\n",
            "repair line 4 first: `Vector2` takes exactly 2 numbers (SYN011)",
        ),
        (
            "[gd_scene format=3]\n\n# hero\n[node name=\"A\"]\n",
            "repair line 3 first: `#` does not start a comment in this format; write `;` (SYN003)",
        ),
    ] {
        fixture.write("level.tscn", text);
        assert_eq!(fixture.refused(unset), format!("`res://level.tscn`: {expected}"));
    }
}

#[test]
fn what_came_and_went() {
    let edited = Fixture::new()
        .edit(
            r#"{"op": "add-resource", "at": "Player:material", "type": "CanvasItemMaterial"}
               {"op": "remove", "node": "Player"}
               {"op": "remove", "node": "Button"}"#,
        )
        .unwrap();
    let told = edited.outcomes.iter().map(|outcome| (outcome.what.as_str(), &outcome.notes[..]));
    let told: Vec<String> = told.map(|(what, notes)| format!("{what} {notes:?}")).collect();
    assert_eq!(
        told,
        [
            "added a new CanvasItemMaterial as `Player:material` []",
            "removed `Player` [\"also removed 1 child node\"]",
            "removed `Button` [\"also removed 1 connection\"]",
        ]
    );
}

#[test]
fn a_byte_order_mark_in_front_of_operations() {
    for text in [
        "\u{feff}{\"op\": \"unset\", \"at\": \"A:x\"}\n{\"op\": \"unset\", \"at\": \"B:x\"}",
        "\u{feff}[]",
    ] {
        crate::operations(text.as_bytes()).unwrap();
    }
}
