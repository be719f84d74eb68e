//! Audio buses.

use crate::names::{KindOfName, Known, NameKind, fails, holds};
use crate::project::Project;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Bus,
    word: "audio bus",
    classes: &[],
    calls: &[
        fails("get_bus_index", &[0]).on("AudioServer"),
        fails("set_bus_send", &[1]).on("AudioServer"),
    ],
    properties: &[
        holds("AudioStreamPlayer", "bus").or(ON_MASTER),
        holds("AudioStreamPlayer2D", "bus").or(ON_MASTER),
        holds("AudioStreamPlayer3D", "bus").or(ON_MASTER),
        holds("VideoStreamPlayer", "bus").or(ON_MASTER),
        // They count only while the area overrides the bus.
        holds("Area2D", "audio_bus_name"),
        holds("Area3D", "audio_bus_name"),
        holds("Area3D", "reverb_bus_name"),
        holds("AudioBusLayout", "bus/*/name"),
        holds("AudioBusLayout", "bus/*/send")
            .or("the bus sends to the bus before it or to `Master`"),
    ],
    built_in,
};

const ON_MASTER: &str = "the sound plays on the bus `Master`, and the next save drops the name";

fn built_in(_: &Project, known: &mut Known) {
    known.define_in_engine("Master");
}
