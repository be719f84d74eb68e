//! Methods in texts: `call_deferred("open")`.

use crate::class_db::MemberKind;
use crate::names::kinds::members::define_all;
use crate::names::{KindOfName, Known, NameKind, asks, fails};
use crate::project::Project;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Method,
    word: "method",
    classes: &["Object"],
    calls: &[
        // Also a `Callable` has these, and takes any text.
        fails("call", &[0]).on_node(),
        fails("callv", &[0]).on_node(),
        fails("call_deferred", &[0]).on_node(),
        fails("rpc", &[0]).on_node(),
        fails("rpc_id", &[1]).on_node(),
        fails("Callable", &[1]).of_self(),
        fails("call_group", &[1]),
        fails("call_group_flags", &[2]),
        // In Godot 3.
        fails("connect", &[2]).on_node(),
        asks("has_method"),
    ],
    properties: &[],
    built_in,
};

/// Methods that the table of classes does not list.
const OTHERS: &[&str] = &["_init", "free", "new"];

fn built_in(project: &Project, known: &mut Known) {
    OTHERS.iter().for_each(|name| known.define_in_engine(name));
    define_all(project, known, MemberKind::Method, |file, script, known| {
        script.functions.iter().for_each(|function| known.define(file, &function.name));
    });
}
