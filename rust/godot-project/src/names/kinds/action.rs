//! Input actions.

use godot_tscn::GodotVersion;

use crate::names::{KindOfName, Known, NameKind, asks, fails, holds};
use crate::project::Project;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Action,
    word: "input action",
    classes: &["InputEvent"],
    calls: &[
        fails("is_action_pressed", &[0]).on("Input"),
        fails("is_action_just_pressed", &[0]).on("Input"),
        fails("is_action_just_released", &[0]).on("Input"),
        fails("is_action_just_pressed_by_event", &[0]).on("Input"),
        fails("is_action_just_released_by_event", &[0]).on("Input"),
        fails("get_action_strength", &[0]).on("Input"),
        fails("get_action_raw_strength", &[0]).on("Input"),
        fails("get_axis", &[0, 1]).on("Input"),
        fails("get_vector", &[0, 1, 2, 3]).on("Input"),
        fails("action_press", &[0]).on("Input"),
        fails("action_release", &[0]).on("Input"),
        fails("action_add_event", &[0]).on("InputMap"),
        fails("action_erase_event", &[0]).on("InputMap"),
        fails("action_erase_events", &[0]).on("InputMap"),
        fails("action_get_deadzone", &[0]).on("InputMap"),
        fails("action_get_events", &[0]).on("InputMap"),
        fails("action_has_event", &[0]).on("InputMap"),
        fails("action_set_deadzone", &[0]).on("InputMap"),
        fails("erase_action", &[0]).on("InputMap"),
        fails("event_is_action", &[1]).on("InputMap"),
        fails("get_action_list", &[0]).on("InputMap"),
        asks("has_action").on("InputMap"),
        fails("is_action", &[0]),
        fails("is_action_pressed", &[0]),
        fails("is_action_released", &[0]),
        fails("get_action_strength", &[0]),
    ],
    properties: &[
        holds("InputEventAction", "action")
            .or("Godot prints an error at each input, and the event matches none"),
        holds("TouchScreenButton", "action")
            .or("Godot prints an error at each touch, and presses no action"),
    ],
    built_in,
};

fn built_in(project: &Project, known: &mut Known) {
    let settings = project.settings();
    for name in &settings.input_actions {
        known.define_in_settings(name);
    }
    for name in BUILT_IN.lines() {
        known.define_in_engine(name);
    }
    // Other versions have other actions of these names.
    if settings
        .version
        .is_none_or(|version| version.major < 4 || version > GodotVersion::NEWEST_WITH_CLASSES)
    {
        known.allow_start("ui_");
    }
}

/// The actions of Godot 4.6.3, which `scripts/data/class_db.sh` asks for.
const BUILT_IN: &str = include_str!("../../../data/actions.txt");
