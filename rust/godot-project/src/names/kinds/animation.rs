//! Animations of players and animated sprites.

use crate::names::{KindOfName, Known, NameKind, asks, fails};
use crate::project::Project;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Animation,
    word: "animation",
    classes: &[
        "AnimationMixer",
        "AnimationPlayer",
        "AnimatedSprite2D",
        "AnimatedSprite3D",
        "AnimatedSprite",
    ],
    calls: &[
        fails("play", &[0]),
        fails("play_backwards", &[0]),
        fails("play_with_capture", &[0]),
        fails("queue", &[0]),
        fails("get_animation", &[0]),
        fails("animation_get_next", &[0]),
        fails("animation_set_next", &[0, 1]),
        fails("set_blend_time", &[0, 1]),
        asks("has_animation"),
    ],
    properties: &[],
    built_in,
};

fn built_in(_: &Project, known: &mut Known) {
    // An animated sprite without frames has it, and an animation player by convention.
    known.define_in_engine("default");
    known.define_in_engine("RESET");
}
