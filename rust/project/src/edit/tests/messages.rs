//! What is said of everyday mistakes.

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
        ("Button:text", "Start", "put it in quotes: `\"Start\"`"),
        ("Button:text", "Start Game", "put it in quotes: `\"Start Game\"`"),
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
fn constants_are_numbers() {
    for (at, value, expected) in [
        ("Player:texture_filter", "nearest", "write 1, which is `TEXTURE_FILTER_NEAREST`"),
        ("Player:texture_filter", "\"Nearest\"", "write 1, which is `TEXTURE_FILTER_NEAREST`"),
        (
            "Player:process_mode",
            "Node.PROCESS_MODE_DISABLED",
            "write 4, which is `PROCESS_MODE_DISABLED`",
        ),
        ("Player:motion_mode", "floating", "write 1, which is `MOTION_MODE_FLOATING`"),
        (
            "Player:motion_mode",
            "flying",
            "write the number of a constant: 0 (`MOTION_MODE_GROUNDED`), 1 (`MOTION_MODE_FLOATING`)",
        ),
        ("Player:z_index", "high", "`high` is not a valid value; write it like 1"),
    ] {
        assert_eq!(reason(at, value), expected, "{at} {value}");
    }
}
