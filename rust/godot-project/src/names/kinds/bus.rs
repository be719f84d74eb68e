//! Audio buses.

use crate::names::{KindOfName, Known, NameKind, fails};
use crate::project::Project;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Bus,
    word: "audio bus",
    classes: &[],
    calls: &[
        fails("get_bus_index", &[0]).on("AudioServer"),
        fails("set_bus_send", &[1]).on("AudioServer"),
    ],
    built_in,
};

fn built_in(_: &Project, known: &mut Known) {
    known.define_in_engine("Master");
}
