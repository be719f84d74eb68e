//! The events of input actions, as `project.godot` has them.

use serde::Deserialize;
use serde_json::Value as Json;

use crate::edit::enums::number_of;

/// The forms of an event in JSON.
const FORMS: &str = "expected {\"key\": \"Space\"}, {\"mouse\": \"left\"}, {\"button\": \"a\"} or {\"axis\": \"left_x\", \"value\": -1}";

/// The value of an action: a list of events, or an object with `events` and `deadzone`.
///
/// # Errors
/// With the error.
pub(super) fn action_text(json: &Json) -> Result<String, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Action {
        events: Vec<Json>,
        deadzone: Option<f64>,
    }
    let action = match json {
        Json::Array(events) => Action { events: events.clone(), deadzone: None },
        json => serde_json::from_value(json.clone()).map_err(|error| {
            format!("{error}; expected a list of events, or `events` and `deadzone`")
        })?,
    };
    let events: Result<Vec<String>, String> = action.events.iter().map(event_text).collect();
    // `InputMap::DEFAULT_DEADZONE`
    let deadzone = float(action.deadzone.unwrap_or(0.2));
    Ok(format!("{{\n\"deadzone\": {deadzone},\n\"events\": [{}]\n}}", events?.join(", ")))
}

/// An event of any device, as the editor's Input Map makes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    key: Option<Json>,
    #[serde(default)]
    alt: bool,
    #[serde(default)]
    shift: bool,
    #[serde(default)]
    ctrl: bool,
    #[serde(default)]
    meta: bool,
    mouse: Option<Json>,
    button: Option<Json>,
    axis: Option<Json>,
    value: Option<f64>,
}

fn event_text(json: &Json) -> Result<String, String> {
    // `"Space"` is short for `{"key": "Space"}`.
    let object = if json.is_string() { serde_json::json!({ "key": json }) } else { json.clone() };
    if !object.is_object() {
        return Err(format!("`{json}` is not a valid event; {FORMS}"));
    }
    let event: Event = serde_json::from_value(object)
        .map_err(|error| format!("`{json}` is not a valid event ({error}); {FORMS}"))?;
    let Event { alt, shift, ctrl, meta, value, .. } = event;
    let modifiers = format!(
        "\"window_id\":0,\"alt_pressed\":{alt},\"shift_pressed\":{shift},\"ctrl_pressed\":{ctrl},\"meta_pressed\":{meta}"
    );
    let (class, rest) = match (&event.key, &event.mouse, &event.button, &event.axis) {
        (Some(key), None, None, None) => {
            let key = named(key, key_code)?;
            let rest = format!(
                "{modifiers},\"pressed\":false,\"keycode\":0,\"physical_keycode\":{key},\"key_label\":0,\"unicode\":0,\
                 \"location\":0,\"echo\":false"
            );
            ("Key", rest)
        }
        (None, Some(button), None, None) => {
            let button = named(button, |name| constant(&MOUSE_BUTTONS, 1, name))?;
            let rest = format!(
                "{modifiers},\"button_mask\":0,\"position\":Vector2(0, 0),\"global_position\":Vector2(0, 0),\"factor\":1.0,\
                 \"button_index\":{button},\"canceled\":false,\"pressed\":false,\"double_click\":false"
            );
            ("MouseButton", rest)
        }
        (None, None, Some(button), None) => {
            let button = named(button, |name| constant(&JOY_BUTTONS, 0, name))?;
            ("JoypadButton", format!("\"button_index\":{button},\"pressure\":0.0,\"pressed\":true"))
        }
        (None, None, None, Some(axis)) => {
            let axis = named(axis, |name| constant(&JOY_AXES, 0, name))?;
            let value = float(value.unwrap_or(1.0));
            ("JoypadMotion", format!("\"axis\":{axis},\"axis_value\":{value}"))
        }
        _ => return Err(format!("`{json}` is not a valid event; {FORMS}")),
    };
    let head = "\"resource_local_to_scene\":false,\"resource_name\":\"\",\"device\":-1";
    Ok(format!("Object(InputEvent{class},{head},{rest},\"script\":null)\n"))
}

/// A number, or the number that a name means.
fn named(json: &Json, number: impl Fn(&str) -> Result<i64, String>) -> Result<i64, String> {
    match json {
        Json::String(name) => number(name),
        json => json.as_i64().ok_or_else(|| format!("`{json}` is not a name or number; {FORMS}")),
    }
}

fn constant(names: &[&str], first: i64, name: &str) -> Result<i64, String> {
    let values: Vec<(String, i64)> =
        names.iter().zip(first..).map(|(name, number)| ((*name).to_owned(), number)).collect();
    number_of(&values, name).map_err(|reason| format!("`{name}` is not known; {reason}"))
}

/// `Key`: a letter, digit or sign is its own number.
fn key_code(name: &str) -> Result<i64, String> {
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next())
        && letter.is_ascii_graphic()
    {
        return Ok(i64::from(u32::from(letter.to_ascii_uppercase())));
    }
    let plain = name.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    let plain = plain.strip_prefix("key_").unwrap_or(&plain);
    if plain == "space" {
        return Ok(32);
    }
    let function = plain.strip_prefix('f').and_then(|number| number.parse::<i64>().ok());
    if let Some(number) = function.filter(|number| (1..=35).contains(number)) {
        return Ok(SPECIAL + 27 + number);
    }
    if let Some(digit) = plain.strip_prefix("kp_").and_then(|digit| digit.parse::<i64>().ok()) {
        return Ok(SPECIAL + 0x86 + digit);
    }
    let known = KEYS.iter().find(|(key, _)| *key == plain);
    known.map(|(_, number)| SPECIAL + number).ok_or_else(|| {
        let near =
            godot_tscn::nearest(plain.as_bytes(), KEYS.iter().map(|(key, _)| key.as_bytes()));
        let near = near.map(|near| format!("; did you mean `{}`?", String::from_utf8_lossy(near)));
        let near = near.unwrap_or_else(|| {
            "; expected a letter, or a name like Space, Enter, Escape, Left, F1".to_owned()
        });
        format!("`{name}` is not a key{near}")
    })
}

fn float(number: f64) -> String {
    crate::edit::stored::text_of(&godot_variant::Value::Float(number))
}

/// `Key::SPECIAL`
const SPECIAL: i64 = 1 << 22;
/// `Key` (core/os/keyboard.h, Godot 4.6.3)
const KEYS: [(&str, i64); 38] = [
    ("escape", 1),
    ("tab", 2),
    ("backtab", 3),
    ("backspace", 4),
    ("enter", 5),
    ("kp_enter", 6),
    ("insert", 7),
    ("delete", 8),
    ("pause", 9),
    ("print", 10),
    ("sysreq", 11),
    ("clear", 12),
    ("home", 13),
    ("end", 14),
    ("left", 15),
    ("up", 16),
    ("right", 17),
    ("down", 18),
    ("pageup", 19),
    ("page_up", 19),
    ("pagedown", 20),
    ("page_down", 20),
    ("shift", 21),
    ("ctrl", 22),
    ("meta", 23),
    ("alt", 24),
    ("capslock", 25),
    ("caps_lock", 25),
    ("numlock", 26),
    ("num_lock", 26),
    ("scrolllock", 27),
    ("scroll_lock", 27),
    ("menu", 66),
    ("kp_multiply", 129),
    ("kp_divide", 130),
    ("kp_subtract", 131),
    ("kp_period", 132),
    ("kp_add", 133),
];
/// `MouseButton`, from 1
const MOUSE_BUTTONS: [&str; 9] = [
    "left",
    "right",
    "middle",
    "wheel_up",
    "wheel_down",
    "wheel_left",
    "wheel_right",
    "xbutton1",
    "xbutton2",
];
/// `JoyButton`, from 0
const JOY_BUTTONS: [&str; 21] = [
    "a",
    "b",
    "x",
    "y",
    "back",
    "guide",
    "start",
    "left_stick",
    "right_stick",
    "left_shoulder",
    "right_shoulder",
    "dpad_up",
    "dpad_down",
    "dpad_left",
    "dpad_right",
    "misc1",
    "paddle1",
    "paddle2",
    "paddle3",
    "paddle4",
    "touchpad",
];
/// `JoyAxis`, from 0
const JOY_AXES: [&str; 6] =
    ["left_x", "left_y", "right_x", "right_y", "trigger_left", "trigger_right"];
