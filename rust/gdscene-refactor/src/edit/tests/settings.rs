//! `configure`

use super::Fixture;

const SETTINGS: &str = "; Mine.\n\nconfig_version=5\n\n[application]\n\nconfig/name=\"T\"\nrun/max_fps=30 ; enough\n\
    config/features=PackedStringArray(\"4.6\")\n\n[input]\n\nold={\n\"deadzone\": 0.2,\n\"events\": []\n}\n";

fn configured(keys: &str) -> Result<(String, Vec<String>), String> {
    let fixture = Fixture::new();
    fixture.write("project.godot", SETTINGS);
    let edited = fixture.edit(&format!(r#"{{"op": "configure", {keys}}}"#));
    let edited = edited.map_err(|error| error.to_string())?;
    let text = edited.plan.files.first().map(godot_tscn::FileEdits::new_text).unwrap_or_default();
    Ok((String::from_utf8(text).unwrap(), edited.outcomes[0].notes.clone()))
}

/// The places of the settings; no other line changes.
#[track_caller]
fn check(keys: &str, old: &str, new: &str) {
    let (text, notes) = configured(keys).unwrap();
    assert_eq!(SETTINGS.matches(old).count(), 1);
    assert_eq!(text, SETTINGS.replacen(old, new, 1));
    assert_eq!(notes, [""; 0]);
}

#[test]
fn settings_come_in_godots_order() {
    check(
        r#""settings": {"application/run/main_scene": "res://level.tscn"}"#,
        "run/max_fps",
        "run/main_scene=\"res://level.tscn\"\nrun/max_fps",
    );
    check(
        r#""settings": {"application/config/description": "It.", "my/own": [1, 2], "display/window/size/mode": "Fullscreen"}"#,
        "run/max_fps=30 ; enough\nconfig/features=PackedStringArray(\"4.6\")\n\n[input]\n\nold={\n\"deadzone\": 0.2,\n\"events\": []\n}\n",
        "config/description=\"It.\"\nrun/max_fps=30 ; enough\nconfig/features=PackedStringArray(\"4.6\")\n\n[display]\n\nwindow/size/mode=3\n\n\
         [input]\n\nold={\n\"deadzone\": 0.2,\n\"events\": []\n}\n\n[my]\n\nown=[1, 2]\n",
    );
    check(
        r#""autoloads": {"Game": "hero.gd"}"#,
        "[input]",
        "[autoload]\n\nGame=\"*res://hero.gd\"\n\n[input]",
    );
}

#[test]
fn defaults_and_nothing_remove_a_setting() {
    check(r#""settings": {"application/run/max_fps": 0}"#, "run/max_fps=30 ; enough\n", "");
    check(
        r#""actions": {"old": null}"#,
        "\n[input]\n\nold={\n\"deadzone\": 0.2,\n\"events\": []\n}\n",
        "",
    );
    check(r#""settings": {"application/run/max_fps": 60}"#, "30", "60");
}

#[test]
fn settings_that_a_file_gives_many_times() {
    let fixture = Fixture::new();
    let lines = |count: usize| "run/max_fps=30\n".repeat(count);
    let head = "config_version=5\n\n[application]\n\nconfig/name=\"T\"\n";
    for (value, left) in [("null", lines(0)), ("60", lines(9_999) + "run/max_fps=60\n")] {
        fixture.write("project.godot", &format!("{head}{}", lines(10_000)));
        let operation =
            format!(r#"{{"op": "configure", "settings": {{"application/run/max_fps": {value}}}}}"#);
        let text = fixture.text(&operation, "res://project.godot");
        assert!(text == format!("{head}{left}"), "{value}: {} bytes", text.len());
    }
}

#[test]
fn names_with_line_ends_and_quotes_are_refused() {
    for name in [r"a\rb", r"a\nb", r"a\u0000b", r"a\u0085b", "a\\\"b", r"a\tb"] {
        let refused = configured(&format!(r#""settings": {{"my/{name}": 1}}"#)).expect_err(name);
        assert!(refused.contains("is not a valid setting path"), "{refused}");
        let refused = configured(&format!(r#""actions": {{"{name}": []}}"#)).expect_err(name);
        assert!(refused.contains("is not a valid action name"), "{refused}");
    }
}

#[test]
fn events_of_actions() {
    let keys = r#""actions": {"jump": {"deadzone": 0.5, "events": [{"key": "F12", "ctrl": true}, {"mouse": "wheel_up"}, {"button": "dpad_left"}, {"axis": "trigger_left"}]}}"#;
    let (text, _) = configured(keys).unwrap();
    let (_, action) = text.split_once("jump=").unwrap();
    for part in [
        "\"deadzone\": 0.5,\n",
        "\"ctrl_pressed\":true,\"meta_pressed\":false,\"pressed\":false,\"keycode\":0,\"physical_keycode\":4194343,",
        "\"button_index\":4,\"canceled\"",
        "InputEventJoypadButton,\"resource_local_to_scene\":false,\"resource_name\":\"\",\"device\":-1,\"button_index\":13,",
        "\"axis\":4,\"axis_value\":1.0,",
    ] {
        assert!(action.contains(part), "{part}: {action}");
    }
}

#[test]
fn what_is_refused_and_noted() {
    for (keys, reason) in [
        (
            r#""settings": {"display/window/size/viewport_width": "wide"}"#,
            "is not a valid value of",
        ),
        (r#""settings": {"display/window/size/mode": "Big"}"#, "expected one of `Windowed` (0)"),
        (
            r#""settings": {"internationalization/locale/translations": ["res://de.tres"]}"#,
            "use a `.po`",
        ),
        (r#""settings": {"config_version": 4}"#, "is not a valid setting path"),
        (r#""autoloads": {"Game": "gone.gd"}"#, "the file `gone.gd` does not exist"),
        (r#""autoloads": {"Hero": "hero.gd"}"#, "`res://hero.gd` has the `class_name Hero`"),
        (r#""autoloads": {"Node": "hero.gd"}"#, "Godot has a class or type `Node`"),
        (r#""actions": {"a": [{"key": "Spce"}]}"#, "`Spce` is not a key"),
        (r#""actions": {"a": [{"keys": "Space"}]}"#, "expected {\"key\": \"Space\"}"),
        (r#""file": "level.tscn""#, "`set` changes scenes and resources"),
    ] {
        let refused = configured(keys).expect_err(keys);
        assert!(refused.contains(reason), "{keys}: {refused}");
    }
    let (_, notes) =
        configured(r#""settings": {"application/run/main_scen": "res://level.tscn"}"#).unwrap();
    assert!(notes[0].contains("did you mean `application/run/main_scene`?"), "{notes:?}");
}

#[test]
fn files_of_other_kinds() {
    let fixture = Fixture::new();
    for (file, what) in [
        ("project.godot", "change project settings with `configure`"),
        ("hero.gd", "attach a script with `attach`"),
    ] {
        let lines = format!(r#"{{"op": "set", "file": "{file}", "at": ":a", "value": 1}}"#);
        let refused = fixture.refused(&lines);
        assert!(refused.contains(what), "{refused}");
    }
}
