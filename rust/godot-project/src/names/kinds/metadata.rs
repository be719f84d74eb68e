//! Metadata of objects.

use crate::names::{Call, KindOfName, Known, NameKind, Receiver, WhenMissing, asks};
use crate::project::Project;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Metadata,
    word: "metadata",
    classes: &["Object"],
    calls: &[
        Call {
            function: "get_meta",
            receiver: Receiver::Any,
            arguments: &[0],
            when_missing: WhenMissing::FailsWithoutDefault,
        },
        asks("has_meta"),
    ],
    properties: &[],
    built_in,
};

fn built_in(_: &Project, known: &mut Known) {
    // The editor's own: `_edit_lock_`, `_custom_type_script`.
    known.allow_start("_");
}
