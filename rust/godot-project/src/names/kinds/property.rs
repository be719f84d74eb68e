//! Properties in texts: `tween_property(door, "position:x", 10.0, 1.0)`.

use crate::class_db::MemberKind;
use crate::names::kinds::members::define_all;
use crate::names::{KindOfName, Known, NameKind, fails};
use crate::project::Project;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Property,
    word: "property",
    classes: &["Object", "Tween"],
    calls: &[
        fails("tween_property", &[1]),
        fails("set_deferred", &[0]).on_node(),
        fails("set_indexed", &[0]).on_node(),
        fails("get_indexed", &[0]).on_node(),
    ],
    properties: &[],
    built_in,
};

fn built_in(project: &Project, known: &mut Known) {
    define_all(project, known, MemberKind::Property, |file, script, known| {
        if script.has_dynamic_properties {
            known.open_to_written();
        }
        script.variables.iter().for_each(|variable| known.define(file, &variable.name));
    });
}
