//! Signals in texts: `emit_signal("opened")`.

use crate::class_db::MemberKind;
use crate::names::kinds::members::define_all;
use crate::names::{KindOfName, Known, NameKind, asks, fails};
use crate::project::Project;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Signal,
    word: "signal",
    classes: &["Object"],
    calls: &[
        fails("emit_signal", &[0]).on_node(),
        fails("connect", &[0]).on_node(),
        fails("disconnect", &[0]).on_node(),
        fails("is_connected", &[0]).on_node(),
        fails("get_signal_connection_list", &[0]).on_node(),
        asks("has_signal"),
        asks("has_user_signal"),
    ],
    properties: &[],
    built_in,
};

fn built_in(project: &Project, known: &mut Known) {
    define_all(project, known, MemberKind::Signal, |file, script, known| {
        if script.has_dynamic_signals {
            known.open_to_written();
        }
        script.signals.iter().for_each(|signal| known.define(file, &signal.name));
    });
}
